/*
 * How a run goes: the bytes for standard input are put into a file, the process forks, and the child calls the tool's
 * main() with three files in place of its standard ones. When the child ends it copies libFuzzer's counters of what was
 * covered into memory that both share; the parent adds them to its own.
 */
#define _DEFAULT_SOURCE
#include "tool_run.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "files/stream.h"

enum { LONGEST_RUN = 20, BIGGEST_FILE = 1 << 26, SANITIZER_STATUS = 99, MOST_ARGUMENTS = 64 };

int __real_main(int argc, char **argv); /* the tool's */

static char folder[] = "/tmp/seebatch-fuzz-XXXXXX";
static int standard[3]; /* the files in place of standard input, output and error */
static size_t part_size;

/* ---- Coverage ---------------------------------------------------------------------------------------------------- */

/* One counter an edge; there only if the code was compiled for libFuzzer. */
extern uint8_t __start___sancov_cntrs[] __attribute__((weak)), __stop___sancov_cntrs[] __attribute__((weak));
static uint8_t *shared_counters;

static size_t n_counters(void)
{
    return __start___sancov_cntrs != NULL ? (size_t)(__stop___sancov_cntrs - __start___sancov_cntrs) : 0;
}

static void hand_counters_over(void)
{
    if (n_counters() > 0)
        memcpy(shared_counters, __start___sancov_cntrs, n_counters());
}

static void take_counters(void)
{
    for (size_t i = 0; i < n_counters(); i++)
        if (shared_counters[i] > __start___sancov_cntrs[i])
            __start___sancov_cntrs[i] = shared_counters[i];
}

/* ---- What is put in place of the tool's own functions ------------------------------------------------------------ */

long __real_seebatch_io_stream_read(struct stream *stream, char *to, size_t room, struct bytes *why);
long __wrap_seebatch_io_stream_read(struct stream *stream, char *to, size_t room, struct bytes *why);

/* A block ends where a person who types has ended a line; here, with every part. */
long __wrap_seebatch_io_stream_read(struct stream *stream, char *to, size_t room, struct bytes *why)
{
    if (part_size > 0) {
        stream->interactive = true;
        room = room < part_size ? room : part_size;
    }
    return __real_seebatch_io_stream_read(stream, to, room, why);
}

void __real_exit(int status) __attribute__((noreturn));
void __wrap_exit(int status) __attribute__((noreturn));
static int exit_status;

/* exit() takes the status away from what runs after it. */
void __wrap_exit(int status)
{
    exit_status = status;
    __real_exit(status);
}

/* Runs behind the tool's own functions for the end, and before those of the parent process, which must not run. */
static void end_child(void)
{
    fflush(NULL);
    hand_counters_over();
    _exit(exit_status);
}

const char *__asan_default_options(void);
const char *__ubsan_default_options(void);

/* The status of a child that was stopped by a sanitizer. The first one that is asked speaks for all. */
const char *__asan_default_options(void) { return "exitcode=99:allocator_may_return_null=1"; }
const char *__ubsan_default_options(void) { return "exitcode=99:print_stacktrace=1"; }

/* ---- The folder -------------------------------------------------------------------------------------------------- */

static char extra[256]; /* the file that tool_file() wrote */

static void remove_folder(void) { rmdir(folder); }

static void open_standard_files(void)
{
    static const char *const names[] = {"in", "out", "error"};
    for (int i = 0; i < 3; i++) {
        char path[64];
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        standard[i] = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        REQUIRE(standard[i] > 2 && unlink(path) == 0, "%s: %s", path, strerror(errno));
    }
}

static void prepare(void)
{
    if (standard[0] != 0)
        return;
    REQUIRE(mkdtemp(folder) != NULL, "%s: %s", folder, strerror(errno));
    open_standard_files();
    atexit(remove_folder);
    unsetenv("SEEBATCH_KERNEL");
    if (n_counters() > 0) {
        shared_counters = mmap(NULL, n_counters(), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        REQUIRE(shared_counters != MAP_FAILED, "no memory for counters");
    }
}

void tool_file(const char *name, const void *bytes, size_t n)
{
    prepare();
    snprintf(extra, sizeof extra, "%s/%s", folder, name);
    FILE *file = fopen(extra, "wb");
    REQUIRE(file != NULL && fwrite(bytes, 1, n, file) == n && fclose(file) == 0, "%s: %s", extra, strerror(errno));
}

/* ---- A run ------------------------------------------------------------------------------------------------------- */

static _Noreturn void run_child(char *const arguments[], int n)
{
    char *argv[MOST_ARGUMENTS + 2] = {(char *)(uintptr_t) "seebatch"};
    struct rlimit limit = {BIGGEST_FILE, BIGGEST_FILE};
    REQUIRE(n <= MOST_ARGUMENTS, "%d arguments", n);
    for (int i = 0; i < n; i++)
        argv[i + 1] = arguments[i];
    for (int i = 0; i < 3; i++)
        REQUIRE(dup2(standard[i], i) == i, "%s", strerror(errno));
    REQUIRE(chdir(folder) == 0, "%s: %s", folder, strerror(errno));
    setrlimit(RLIMIT_FSIZE, &limit);
    alarm(LONGEST_RUN);
    if (n_counters() > 0)
        memset(__start___sancov_cntrs, 0, n_counters());
    atexit(end_child);
    exit(__real_main(n + 1, argv));
}

static char *contents(int file, size_t *size)
{
    const off_t end = lseek(file, 0, SEEK_END);
    char *bytes = malloc((size_t)end + 1);
    REQUIRE(bytes != NULL && pread(file, bytes, (size_t)end, 0) == (ssize_t)end, "%s", strerror(errno));
    bytes[end] = '\0';
    *size = (size_t)end;
    return bytes;
}

void tool_run(char *const arguments[], int n, const void *input, size_t n_input, size_t part,
              struct tool_result *result)
{
    int status;
    prepare();
    part_size = part;
    for (int i = 0; i < 3; i++)
        REQUIRE(ftruncate(standard[i], 0) == 0 && lseek(standard[i], 0, SEEK_SET) == 0, "%s", strerror(errno));
    REQUIRE(pwrite(standard[0], input, n_input, 0) == (ssize_t)n_input, "%s", strerror(errno));

    fflush(NULL);
    const pid_t child = fork();
    REQUIRE(child >= 0, "%s", strerror(errno));
    if (child == 0)
        run_child(arguments, n);
    while (waitpid(child, &status, 0) < 0)
        REQUIRE(errno == EINTR, "%s", strerror(errno));
    take_counters();
    result->out = contents(standard[1], &result->n_out);
    result->error = contents(standard[2], &result->n_error);
    if (!WIFEXITED(status) || WEXITSTATUS(status) == SANITIZER_STATUS) {
        fwrite(result->error, 1, result->n_error, stderr);
        for (int i = 0; i < n; i++)
            fprintf(stderr, " '%s'", arguments[i]);
        REQUIRE(false, "the tool ended with the wait status %#x", (unsigned)status);
    }
    result->status = WEXITSTATUS(status);
    if (*extra)
        remove(extra);
    *extra = '\0';
}

void tool_result_free(struct tool_result *result)
{
    free(result->out);
    free(result->error);
}
