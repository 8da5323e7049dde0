/*
 * seebatch info: what one wants to know when a number is slow or strange: versions, processor, compiler, which kernels
 * were compiled in, which of them this machine can run, and which one runs and why.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

#include <jansson.h>

#include "descriptions.h"
#include "tool.h"

static const struct option_row option_rows[] = {
    GROUP("Options"),
    {"kernel", "NAME", OPTION_KERNEL, 0, "asks whether this kernel would run", "Reports whether this kernel would run.",
     NULL},
    {"format", "text|json", OPTION_FORMAT, 0,
     "text to read, or one JSON object, which also lists all commands with their options, conditions and formats",
     "Text for people to read, or one JSON object, which also lists all commands with their options, "
     "conditions and formats.",
     "text"},
    {0},
};

#if defined(__clang__)
#define COMPILER "clang " __clang_version__
#elif defined(__GNUC__)
#define COMPILER "gcc " __VERSION__
#else
#define COMPILER "unknown"
#endif

enum { PROCESSOR_SIZE = 256 };

/* What the processor calls itself; where it does not say, the kind of machine. */
static void processor_name(char name[PROCESSOR_SIZE])
{
#if defined(__x86_64__) || defined(__i386__)
    unsigned words[12];
    bool named = true;
    for (unsigned i = 0; i < 3; i++)
        named = named &&
                __get_cpuid(0x80000002u + i, &words[4 * i], &words[4 * i + 1], &words[4 * i + 2], &words[4 * i + 3]);
    if (named) {
        const char *brand = (const char *)words;
        size_t first = 0, length = strnlen(brand, sizeof words);
        while (first < length && brand[first] == ' ')
            first++;
        while (length > first && brand[length - 1] == ' ')
            length--;
        snprintf(name, PROCESSOR_SIZE, "%.*s", (int)(length - first), brand + first);
        if (length > first)
            return;
    }
#endif
    struct utsname system;
    snprintf(name, PROCESSOR_SIZE, "%s", uname(&system) == 0 ? system.machine : "unknown");
}

static const char *reason(const struct options *options)
{
    const char *variable = getenv("SEEBATCH_KERNEL");
    if (options->kernel != NULL)
        return "--kernel asks for it";
    if (variable != NULL && variable[0] != '\0')
        return "SEEBATCH_KERNEL asks for it";
    return "the best that this machine can run";
}

static void print_text(struct output *output, const struct options *options, const char *processor)
{
    output_printf(output, "seebatch   %s (library %s), compiled by %s\n", SEEBATCH_VERSION, seebatch_version(),
                  COMPILER);
    output_printf(output, "processor  %s\n", processor);
    output_printf(output, "kernel     %s: %s\n\nKernels, best first:\n\n", seebatch_kernel_active(), reason(options));
    for (size_t i = 0; seebatch_kernel_name(i) != NULL; i++)
        output_printf(output, "  %-9s  %-13s  %s\n", seebatch_kernel_name(i),
                      seebatch_kernel_available(i) ? "available" : "not available", seebatch_kernel_description(i));
    output_string(output, "\nRule sets:\n\n ");
    for (size_t i = 0; seebatch_rules_name(i) != NULL; i++)
        output_printf(output, " %s", seebatch_rules_name(i));
    output_string(output, "\n");
}

/* Returns the fields of rules, each with its words. */
static json_t *json_of_all_fields(void)
{
    json_t *fields = json_object();
    const seebatch_rules_field *field;
    for (size_t i = 0; (field = seebatch_rules_field_at(i)) != NULL; i++) {
        json_t *words = json_array();
        for (size_t k = 0; k < field->n_words; k++)
            json_array_append_new(words, json_string(field->words[k]));
        json_object_set_new(fields, field->name, words);
    }
    return fields;
}

/* The rule sets by name, each with its fields. */
static json_t *json_of_rule_sets(void)
{
    json_t *sets = json_object();
    const char *name;
    for (size_t i = 0; (name = seebatch_rules_name(i)) != NULL; i++) {
        json_t *fields = json_object();
        const seebatch_rules_field *field;
        seebatch_rules rules;
        seebatch_rules_named(name, &rules, NULL);
        for (size_t k = 0; (field = seebatch_rules_field_at(k)) != NULL; k++)
            json_object_set_new(fields, field->name, json_string(field->words[((uint8_t *)&rules)[field->offset]]));
        json_object_set_new(sets, name, fields);
    }
    return sets;
}

static void print_json(struct output *output, const struct options *options, const char *processor)
{
    json_t *kernels = json_array();
    for (size_t i = 0; seebatch_kernel_name(i) != NULL; i++)
        json_array_append_new(kernels, json_pack("{s:s, s:b, s:s}", "name", seebatch_kernel_name(i), "available",
                                                 (int)seebatch_kernel_available(i), "description",
                                                 seebatch_kernel_description(i)));
    json_t *rules = json_array();
    for (size_t i = 0; seebatch_rules_name(i) != NULL; i++)
        json_array_append_new(rules, json_string(seebatch_rules_name(i)));
    json_t *info = json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:o, s:o}", "version", SEEBATCH_VERSION, "library",
                             seebatch_version(), "compiler", COMPILER, "processor", processor, "kernel",
                             seebatch_kernel_active(), "reason", reason(options), "kernels", kernels, "rules", rules);
    json_object_set_new(info, "fields", json_of_all_fields());
    json_object_set_new(info, "rule_sets", json_of_rule_sets());
    json_object_set_new(info, "formats", json_of_all_formats());
    json_object_set_new(info, "conditions", json_of_all_conditions());
    json_object_set_new(info, "commands", json_of_all_commands());
    output_json(output, info, 0);
}

static int run(int argc, char **argv)
{
    static struct output output;
    struct options options;
    char processor[PROCESSOR_SIZE];

    options_parse(&info_command, argc, argv, NULL, NULL, &options);
    if (options.n_operands > 0)
        usage_error(argv[0], "unexpected argument '%s': info takes only options", options.operands[0]);
    processor_name(processor);
    if (options.format == FORMAT_JSON)
        print_json(&output, &options, processor);
    else
        print_text(&output, &options, processor);
    output_finish(&output);
    return STATUS_OK;
}

const struct command info_command = {
    .name = "info",
    .summary = "show version, processor, kernels and which one runs",
    .about = "Shows the version, the processor, and the kernels, best first, with the one that runs and why.",
    .operands = {""},
    .examples = {{"Which kernel runs on this machine?", "seebatch info"},
                 {"Would a certain kernel run?", "seebatch info --kernel scalar"},
                 {"List all commands, options, conditions, formats and rule sets as JSON:",
                  "seebatch info --format json"}},
    .options = option_rows,
    .status =
        "0 if all is well; 2 if the command line is wrong, or this machine cannot run the kernel that was asked for.",
    .run = run,
};
