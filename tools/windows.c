/*
 * Begins the program on Windows: it makes arguments UTF-8, gives names of files slashes, and keeps bytes as they are.
 * The build gives main() of main.c another name there.
 */
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <shellapi.h>
#include <string.h>

#undef main
int seebatch_main(int argc, char **argv);

static char *narrow(const wchar_t *wide)
{
    const int length = WideCharToMultiByte(CP_UTF8, 0, wide, -1, NULL, 0, NULL, NULL);
    char *text = malloc((size_t)length + 1);
    if (text == NULL)
        abort();
    WideCharToMultiByte(CP_UTF8, 0, wide, -1, text, length, NULL, NULL);
    for (char *c = text; *c != '\0'; c++)
        if (*c == '\\')
            *c = '/';
    return text;
}

/* Temporary files go where Windows keeps them, unless TMPDIR says otherwise. */
static void name_temporary_folder(void)
{
    wchar_t folder[MAX_PATH + 2];
    char setting[4 * MAX_PATH] = "TMPDIR=";
    if (getenv("TMPDIR") != NULL || GetTempPathW(MAX_PATH + 1, folder) == 0)
        return;
    char *name = narrow(folder);
    strncat(setting, name, sizeof setting - strlen(setting) - 1);
    if (setting[strlen(setting) - 1] == '/')
        setting[strlen(setting) - 1] = '\0';
    _putenv(setting);
    free(name);
}

int main(void)
{
    int n;
    wchar_t **wide = CommandLineToArgvW(GetCommandLineW(), &n);
    char **arguments = calloc((size_t)n + 1, sizeof *arguments);
    if (wide == NULL || arguments == NULL)
        abort();
    for (int i = 0; i < n; i++)
        arguments[i] = narrow(wide[i]);
    for (int fd = 0; fd <= 2; fd++)
        _setmode(fd, _O_BINARY);
    SetConsoleOutputCP(CP_UTF8);
    name_temporary_folder();
    return seebatch_main(n, arguments);
}
