/*
 * The formatter of sentence.h. It writes one character after another, and counts those for which there is no room.
 */
#include "sentence.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

struct output {
    char *text;
    size_t size, length;
};

static void put_char(struct output *output, char c)
{
    if (output->length + 1 < output->size)
        output->text[output->length] = c;
    output->length++;
}

static void put_number(struct output *output, uint64_t number, unsigned base, size_t width)
{
    char digits[20];
    size_t n = 0;
    for (; number || n == 0; number /= base)
        digits[n++] = "0123456789abcdef"[number % base];
    for (; width > n; width--)
        put_char(output, '0');
    while (n > 0)
        put_char(output, digits[--n]);
}

/* The widths of a conversion: the least number of characters of a number, and the most of a text. */
struct widths {
    size_t width, precision;
};

/* Reads the widths in front of a conversion. */
static const char *read_widths(const char *format, struct widths *widths)
{
    widths->width = 0;
    widths->precision = SIZE_MAX;
    if (*format == '0') {
        widths->width = (size_t)(format[1] - '0');
        format += 2;
    }
    if (*format == '.')
        for (widths->precision = 0, format++; *format >= '0' && *format <= '9'; format++)
            widths->precision = widths->precision * 10 + (size_t)(*format - '0');
    return format;
}

size_t seebatch_format_list(char *text, size_t size, const char *format, va_list arguments)
{
    struct output output = {text, size, 0};
    for (; *format; format++) {
        if (*format != '%') {
            put_char(&output, *format);
            continue;
        }
        struct widths widths;
        format = read_widths(format + 1, &widths);
        const bool is_size = *format == 'z', is_long_long = *format == 'l';
        format += is_size ? 1 : is_long_long ? 2 : 0;
        if (*format == 's') {
            const char *s = va_arg(arguments, const char *);
            for (size_t i = 0; i < widths.precision && s[i]; i++)
                put_char(&output, s[i]);
        } else if (*format == 'c') {
            put_char(&output, (char)va_arg(arguments, int));
        } else if (*format == 'd') {
            const int number = va_arg(arguments, int);
            if (number < 0)
                put_char(&output, '-');
            put_number(&output, number < 0 ? 0 - (uint64_t)number : (uint64_t)number, 10, widths.width);
        } else if (*format == 'u' || *format == 'x') {
            const uint64_t number = is_size        ? va_arg(arguments, size_t)
                                    : is_long_long ? va_arg(arguments, unsigned long long)
                                                   : va_arg(arguments, unsigned);
            put_number(&output, number, *format == 'x' ? 16 : 10, widths.width);
        } else {
            assert(*format == '%'); /* every other conversion is unknown here */
            put_char(&output, '%');
        }
    }
    if (size > 0)
        text[output.length < size ? output.length : size - 1] = '\0';
    return output.length;
}

size_t seebatch_format(char *text, size_t size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const size_t length = seebatch_format_list(text, size, format, arguments);
    va_end(arguments);
    return length;
}
