#!/usr/bin/env python3
"""Floating-point numbers are read and written by base/number.c alone and letters known by base/letters.h, so that no locale of a
host changes them; and nothing is called that keeps its answer in a buffer of the process.
   numbers.py SOURCES"""
import pathlib
import re
import sys

DOOR = {"number.c", "number.h"}
READERS = r"strto(d|f|ld)(_l)?|atof|v?f?s?scanf|setlocale|newlocale|duplocale|uselocale|localeconv|std::\w*stringstream|std::to_string|std::sto[df]"
LETTERS = r"is(alpha|alnum|space|blank|upper|lower|punct|print|graph|cntrl)|to(upper|lower)|strn?casecmp|strcasestr|strcoll|strxfrm"
SHARED_BUFFERS = r"localtime|gmtime|asctime|ctime|strtok|s?rand|getpw(nam|uid)|getgr(nam|gid)|gethostbyname|tmpnam|getlogin|ttyname|ecvt|fcvt|gcvt|l?rand48|drand48"
# The argument that is the format.
PRINTERS = {"printf": 0, "vprintf": 0, "fprintf": 1, "vfprintf": 1, "dprintf": 1, "vdprintf": 1, "sprintf": 1, "vsprintf": 1,
            "asprintf": 1, "vasprintf": 1, "snprintf": 2, "vsnprintf": 2}
FLOATING = re.compile(r"%[-+ #0']*(\*|\d+)?(\.(\*|\d+)?)?[lLq]*[aAeEfFgG]")
# The second half of printf's integers: "%" PRId64.
INTEGERS = re.compile(r"\bPRI[diouxX](8|16|32|64|MAX|PTR)\b")
TOKEN = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|/\*.*?\*/|//[^\n]*', re.S)


def call(names):
    return re.compile(r"(?<![\w>.:])(?:std::)?(%s)\s*\(" % names)


def blanked(text):
    """The text without comments and without what stands in quotes; every character in its place."""

    def blank(match):
        token = match.group()
        if token[0] == "/":
            return re.sub(r"[^\n]", " ", token)
        return token[0] + "_" * (len(token) - 2) + token[-1]

    return TOKEN.sub(blank, text)


def arguments(code, begin):
    """Where the arguments of a call begin and end."""
    depth, found = 0, []
    for i in range(begin, len(code)):
        if code[i] in "([{":
            depth += 1
        elif code[i] in ")]}" and depth > 0:
            depth -= 1
        elif code[i] in ",)" and depth == 0:
            found.append((begin, i))
            begin = i + 1
            if code[i] == ")":
                break
    return found


def may_hold_a_number(form):
    """A format of literals alone shows what it holds; a choice between literals does too; anything else may hold all."""
    literals = [token[1:-1] for token in (m.group() for m in TOKEN.finditer(form)) if token[0] == '"']
    rest = INTEGERS.sub("", TOKEN.sub("", form))
    if FLOATING.search("".join(literals).replace("%%", "")):
        return True
    return not literals or bool(re.search(r"\w", rest.split("?")[-1]))


def faults(text):
    code = blanked(text)
    for match in call(READERS).finditer(code):
        yield match.start(), f"{match.group(1)} goes by the locale: base/number.h reads numbers"
    for match in call(LETTERS).finditer(code):
        yield match.start(), f"{match.group(1)} goes by the locale: base/letters.h knows the letters of ASCII"
    for match in call(SHARED_BUFFERS).finditer(code):
        yield match.start(), f"{match.group(1)} answers in a buffer that all threads share"
    for match in call("|".join(PRINTERS)).finditer(code):
        parts = arguments(code, match.end())
        place = PRINTERS[match.group(1)]
        if place < len(parts) and may_hold_a_number(text[slice(*parts[place])]):
            yield match.start(), f"{match.group(1)} writes a floating-point number by the locale: use base/number.h"


# What the rules must say of lines that show each of them: a lint that sees nothing is none.
EXAMPLES = [
    ('printf("%d %s", 1, "x");', 0), ('printf("%.3f", x);', 1), ('snprintf(t, sizeof(t), "%" PRId64, n);', 0),
    ('fprintf(stderr, "100%%f");', 0), ('fprintf(f(a, b), "a" "%-8.*g", 3, x);', 1), ('vsnprintf(t, n, format, list);', 1),
    ('snprintf(t, n, yes ? "%d" : "%i", k);', 0), ('snprintf(t, n, yes ? "%d" : "%e", k);', 1), ("// strtod(x)", 0),
    ('x = strtod(text, &end);', 1), ('x = cardo_read_double(text, &end);', 0), ('sscanf(t, "%d", &n);', 1),
    ("c = toupper(c);", 1), ("c = cardo_upper(c);", 0), ("isdigit(c);", 0),
    ('say("sprintf(\'%g\', x)");', 0), ('cardo_print(f, "%g", x);', 0), ('localtime_r(&t, &l);', 0), ('localtime(&t);', 1),
]


def main():
    sources = pathlib.Path(sys.argv[1])
    for text, expected in EXAMPLES:
        if len(list(faults(text))) != expected:
            sys.exit(f"numbers.py itself is wrong about: {text}")
    failed, count = False, 0
    for path in sorted((sources / "src").rglob("*")):
        if path.suffix not in (".c", ".h", ".cpp", ".inc") or path.name in DOOR:
            continue
        text = path.read_text()
        count += 1
        for place, fault in faults(text):
            print(f"{path.relative_to(sources)}:{text.count(chr(10), 0, place) + 1}: {fault}")
            failed = True
    if count < 100:
        sys.exit(f"only {count} sources in {sources / 'src'}")
    sys.exit(failed)


main()
