#!/usr/bin/env python3
"""Files that a README names are there: below its folder, or at that path from it, from src, from src/include or from the root.
   readmes.py SOURCES"""
import pathlib
import re
import sys

FILE = re.compile(r"[\w./-]+\.(c|h|inc|py|sh)")


def is_there(root, folder, name):
    if any((base / name).exists() for base in (folder, folder.parent, root / "src", root / "src/include", root)):
        return True
    return "/" not in name and next(folder.rglob(name), None) is not None


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    pages = [*(root / "src").rglob("README.md"), root / "ARCHITECTURE.md"]
    wrong = []
    for page in sorted(pages):
        folder = root / "src" if page.parent == root else page.parent
        for number, line in enumerate(page.read_text().splitlines(), 1):
            for name in re.findall(r"`([^`\s]+)`", line):
                if FILE.fullmatch(name) and not is_there(root, folder, name):
                    wrong.append(f"{page.relative_to(root)}:{number}: there is no {name}")
    print("\n".join(wrong) or f"{len(pages)} pages name files that are there")
    return 1 if wrong else 0


sys.exit(main())
