#!/usr/bin/env python3
"""The shared library shows what the public headers declare, and nothing more: names marked CARDO_API in src/include/cardo against the
dynamic symbols that it defines.
   api.py LIBRARY HEADER...     the headers that this build installs"""
import pathlib
import re
import subprocess
import sys


def declared(text):
    """Names of the functions that a header marks CARDO_API, and of those that it declares without."""
    text = re.sub(r'/\*.*?\*/', '', text, flags=re.S)
    text = re.sub(r'^\s*#.*(?:\\\n.*)*', '', text, flags=re.M)
    text = re.sub(r'CARDO_LIKE_PRINTF\([^)]*\)', '', text)
    marked = set(re.findall(r'CARDO_API\s[^;(]*?\b(\w+)\s*\(', text))
    flat = text
    while re.search(r'\{[^{}]*\}', flat):
        flat = re.sub(r'\{[^{}]*\}', '', flat)
    prototypes = {m.group(1) for m in re.finditer(r'(?:^|;)(?!\s*typedef)[^;]*?\b(cardo_\w+)\s*\([^;]*\)\s*(?=;)', flat)}
    return marked, prototypes - marked


def main():
    library, headers = sys.argv[1], [pathlib.Path(h) for h in sys.argv[2:]]
    failed = False
    promised = set()
    for header in headers:
        marked, forgotten = declared(header.read_text())
        promised |= marked
        for name in sorted(forgotten):
            failed = True
            print('%s: %s is not marked CARDO_API' % (header.name, name))
    if not promised:
        sys.exit('no declarations were found')
    listed = subprocess.run(['nm', '-D', '--defined-only', library], check=True, capture_output=True, text=True).stdout
    shown = {line.split()[-1].partition('@')[0] for line in listed.splitlines() if line.strip()}
    for name in sorted(shown - promised):
        failed = True
        print('%s shows %s, which no public header declares' % (library, name))
    for name in sorted(promised - shown):
        failed = True
        print('a public header declares %s, which %s does not show' % (name, library))
    print('%d functions' % len(promised))
    sys.exit(failed)


if __name__ == '__main__':
    main()
