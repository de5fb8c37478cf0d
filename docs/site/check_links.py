#!/usr/bin/env python3
"""Every link of a built site leads somewhere, and no page loads anything from elsewhere.
   check_links.py FOLDER"""
import html.parser
import pathlib
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.links, self.loads, self.names = [], [], set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.names |= {given[name] for name in ("id", "name") if given.get(name)}
        if tag == "a" and given.get("href"):
            self.links.append(given["href"])
        if tag in ("script", "img", "iframe", "source") and given.get("src"):
            self.loads.append(given["src"])
        if tag == "link" and given.get("href") and given.get("rel") not in ("index", "search", "next", "prev", "canonical"):
            self.loads.append(given["href"])


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    pages = {path: Page(path) for path in root.rglob("*.html")}
    wrong, links = [], 0
    for path, page in pages.items():
        for target in page.links + page.loads:
            parts = urllib.parse.urlsplit(target)
            if parts.scheme or parts.netloc:
                if target in page.loads and parts.scheme != "data":
                    wrong.append(f"{path.relative_to(root)} loads {target}")
                continue
            links += 1
            there = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
            if not there.exists():
                wrong.append(f"{path.relative_to(root)}: {target} is not there")
            elif parts.fragment and there in pages and urllib.parse.unquote(parts.fragment) not in pages[there].names:
                wrong.append(f"{path.relative_to(root)}: {target} has no such place")
    print("\n".join(sorted(set(wrong))) or f"{links} links of {len(pages)} pages lead somewhere, nothing comes from elsewhere")
    return 1 if wrong or not pages else 0


sys.exit(main())
