#!/usr/bin/env python3
"""The library does not know what its user types: no text of it holds an option of the command line ("--out") or a command of the
program ("cardo minimize"). It names the option (identity=0.2), the setting (sample.from=0) or the study (the study minimize), and
the program says how that is typed (src/cli/frame/settings.c).
   words.py SOURCES"""
import pathlib
import re
import sys

# A comment, a character or a string: strings that follow each other are one text.
TOKEN = re.compile(r"/\*.*?\*/|//[^\n]*|'(?:\\.|[^'\\\n])+'|(\"(?:\\.|[^\"\\\n])*\"(?:\s*\"(?:\\.|[^\"\\\n])*\")*)", re.S)
PIECE = re.compile(r'"((?:\\.|[^"\\\n])*)"')
OPTION = re.compile(r"(?<![\w-])--[a-z]")
# What may hold one all the same, and why.
ALLOWED = {}


def verbs(sources):
    return sorted(path.stem[len("verb_"):] for path in (sources / "src/cli").glob("verb_*.c"))


def faults(text, command):
    for match in TOKEN.finditer(text):
        if not match.group(1):
            continue
        words = "".join(PIECE.findall(match.group(1)))
        if OPTION.search(words) or command.search(words):
            yield match.start(), words


# What the rules must say of lines that show each of them: a lint that sees nothing is none.
EXAMPLES = [
    ('"choose another with --out"', 1), ('"(cardo " /* */ "x"', 0), ('"add them (cardo "\n    "prepare does)"', 1), ('/* --out */', 0),
    ('"<!-- a comment -->"', 0), ('// cardo prepare\n"identity=0.2"', 0), ('"Cardo prepared it"', 0), ('"cardo_prepare"', 0),
    ("'\"' + \"--force\"", 1), ('"libcardo info"', 0), ('"the study prepare does"', 0), ('"a cardo preparation"', 0), ('"<cardo version=\\"1\\">"', 0), ('"=\\"0.2\\" " "or --out"', 1),
]


def main():
    sources = pathlib.Path(sys.argv[1])
    names = verbs(sources)
    if "prepare" not in names or "info" not in names:
        sys.exit(f"no verbs in {sources / 'src/cli'}")
    command = re.compile(r"(?<![\w<])cardo (%s)(?!\w)" % "|".join(names))
    for text, expected in EXAMPLES:
        if len(list(faults(text, command))) != expected:
            sys.exit(f"words.py itself is wrong about: {text}")
    failed, count = False, 0
    for path in sorted((sources / "src").rglob("*")):
        name = str(path.relative_to(sources))
        if path.suffix not in (".c", ".h", ".cpp", ".inc") or name.startswith("src/cli/") or name in ALLOWED:
            continue
        text = path.read_text()
        count += 1
        for place, words in faults(text, command):
            print(f"{name}:{text.count(chr(10), 0, place) + 1}: the library speaks of what is typed: {words}")
            failed = True
    if count < 100:
        sys.exit(f"only {count} sources in {sources / 'src'}")
    sys.exit(failed)


main()
