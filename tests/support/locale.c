#include "support/locale.h"

#include <ctype.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool have_localedef(void)
{
    return system("command -v localedef >/dev/null") == 0;
}

const support_need support_localedef = {have_localedef, "localedef"};

/* The charmaps and locales of the distribution are a package that need not be there. */
static void write_charmap(const char *path)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("<code_set_name> CARDO-ASCII\n<mb_cur_min> 1\n<mb_cur_max> 1\n<escape_char> /\nCHARMAP\n",
          file);
    for (int c = 0; c < 128; ++c)
        fprintf(file, "<U%04X> /x%02x A\n", (unsigned)c, (unsigned)c);
    fputs("END CHARMAP\n", file);
    assert_int_equal(fclose(file), 0);
}

static void put_class(FILE *file, const char *name, int (*has)(int))
{
    fputs(name, file);
    const char *before = " ";
    for (int c = 0; c < 128; ++c)
        if (has(c)) {
            fprintf(file, "%s<U%04X>", before, (unsigned)c);
            before = ";";
        }
    fputc('\n', file);
}

static void put_case(FILE *file, const char *name, char first, int shift)
{
    fputs(name, file);
    const char *before = " ";
    for (int c = first; c < first + 26; ++c)
        if (c != 'i' && c != 'I') {
            fprintf(file, "%s(<U%04X>,<U%04X>)", before, (unsigned)c, (unsigned)(c + shift));
            before = ";";
        }
    fputc('\n', file);
}

static void write_source(const char *path)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("escape_char /\nLC_CTYPE\n", file);
    put_class(file, "upper", isupper);
    put_class(file, "lower", islower);
    put_class(file, "alpha", isalpha);
    put_class(file, "digit", isdigit);
    put_class(file, "space", isspace);
    put_case(file, "toupper", 'a', 'A' - 'a');
    put_case(file, "tolower", 'A', 'a' - 'A');
    fputs("END LC_CTYPE\nLC_NUMERIC\ndecimal_point \"<U002C>\"\nthousands_sep \"<U002E>\"\n"
          "grouping 3;3\nEND LC_NUMERIC\n",
          file);
    assert_int_equal(fclose(file), 0);
}

const char *support_comma_locale(void)
{
    static const char name[] = "xx_XX";
    char folder[600], path[640], command[2048];
    snprintf(folder, sizeof folder, "%s/locale", support_scratch());
    snprintf(path, sizeof path, "%s.charmap", folder);
    write_charmap(path);
    snprintf(path, sizeof path, "%s.source", folder);
    write_source(path);
    /* It warns of the parts that are left out and fails in its status, but makes the locale. */
    snprintf(command, sizeof command,
             "mkdir -p %s && localedef -c --quiet -i %s.source -f %s.charmap %s/%s", folder, folder,
             folder, folder, name);
    if (system(command) == -1)
        fail_msg("no shell");
    setenv("LOCPATH", folder, 1);
    return name;
}

void support_enter_comma_locale(void)
{
    char text[16];
    if (!setlocale(LC_ALL, support_comma_locale()))
        fail_msg("localedef made no locale");
    snprintf(text, sizeof text, "%.1f", 1.5);
    assert_string_equal(text, "1,5");
    assert_int_equal(toupper('i'), 'i');
}

void support_leave_comma_locale(void)
{
    setlocale(LC_ALL, "C");
}
