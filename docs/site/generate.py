#!/usr/bin/env python3
"""Gathers the pages of the documentation's site: the hand-written ones beside this file, the READMEs of the sources and examples, and
references from the program's and the library's own tables.

    generate.py --check SOURCES                     is every README on the site, or left out by name?
    generate.py SOURCES OUT PROGRAM VERSION         with the Python package on PYTHONPATH"""
import html
import inspect
import pathlib
import re
import shutil
import subprocess
import sys

# READMEs by the part of the site that they stand in; a folder stands for all below it. Order is that of the contents.
PARTS = {
    "examples": ("Examples", ["examples"]),
    "theory": ("Theory and methods", ["src/model", "src/analysis", "src/dynamics", "src/sampling", "src/forces", "src/multibody", "src/experiment", "src/structure"]),
    "inside": ("How it is built", ["ARCHITECTURE.md", "CONTRIBUTING.md", "src/study", "src/io", "src/base", "src/cli", "src/bindings", "src/topology"]),
    "tests": ("Tests and data", ["tests", "forcefields", "pdb", "topologies", "packaging"]),
}
# What people read elsewhere.
LEFT_OUT = {"README.md"}
NOTEBOOKS = ("hinge", "modes", "experiments", "linkage")
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")


def readmes(sources):
    """Part, README and the name of its page, in the order of the contents."""
    for part, (_, places) in PARTS.items():
        for place in places:
            path = sources / place
            found = [path] if path.is_file() else sorted(path.rglob("README.md"), key=lambda one: (len(one.parts), one))
            for one in found:
                relative = one.relative_to(sources)
                name = "-".join(relative.with_suffix("").parts if relative.name != "README.md" else relative.parent.parts).lower()
                yield part, one, f"{part}/{name}"


def check(sources):
    placed = {path.relative_to(sources).as_posix() for _, path, _ in readmes(sources)} | LEFT_OUT
    there = [path.relative_to(sources).as_posix() for path in sources.rglob("README.md")]
    missing = [path for path in there if path not in placed and not path.startswith(("build", "runs", ".", "docs"))]
    print("\n".join(f"{path} is on no page of docs/site: see PARTS in generate.py" for path in missing) or f"{len(placed)} READMEs are on the site")
    return 1 if missing else 0


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text.rstrip() + "\n", encoding="utf-8")


def anchor(heading):
    """What a heading's anchor is in MyST, as in most places."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


class Site:
    def __init__(self, sources, out, program, version):
        self.sources, self.out, self.program = sources, out, program
        self.pages = {path.resolve(): page for _, path, page in readmes(sources)}
        for path in list(self.pages):
            if path.name == "README.md":
                self.pages[path.parent] = self.pages[path]
        self.pages[(sources / "README.md").resolve()] = self.pages[sources.resolve()] = "index"
        write(out / "version.txt", version)

    def relative(self, page, target):
        return "../" * page.count("/") + target

    def moved(self, text, path, page):
        """A README's text with its links as they are on the site: to pages, pictures that come along, and names of what is in the sources alone."""
        def link(match):
            picture, words, target = match.groups()
            if re.match(r"[a-z]+:|#", target):
                return match[0]
            place, _, fragment = target.partition("#")
            there = (path.parent / place).resolve()
            if picture:
                copied = self.out / "pictures" / there.relative_to(self.sources.resolve()).as_posix().replace("/", "-")
                copied.parent.mkdir(exist_ok=True)
                shutil.copy(there, copied)
                return f"![{words}]({self.relative(page, 'pictures/' + copied.name)})"
            if there in self.pages:
                return f"[{words}]({self.relative(page, self.pages[there])}.md{'#' + fragment if fragment else ''})"
            return words
        pieces = re.split(r"(^```.*?^```[^\n]*$|`[^`\n]+`)", text, flags=re.M | re.S)
        # Links around code are links all the same: code is put back before they are looked at.
        kept = []
        for k, piece in enumerate(pieces):
            if k % 2 and piece.startswith("```"):
                kept.append(piece)
                pieces[k] = f"\0{len(kept) - 1}\0"
        text = LINK.sub(link, "".join(pieces))
        return re.sub("\0(\\d+)\0", lambda match: kept[int(match[1])], text)

    def gather(self):
        # Pages that were written for a part come first.
        contents = {part: sorted(one.stem for one in (self.out / part).glob("*.md")) for part in PARTS}
        for part, path, page in readmes(self.sources):
            text = self.moved(path.read_text(encoding="utf-8"), path, page)
            if not text.startswith("# "):
                text = f"# {path.parent.name}\n\n{text}"
            write(self.out / f"{page}.md", text)
            contents[part].append(page.split("/")[1])
        for part, (title, _) in PARTS.items():
            self.index(part, title, contents[part])

    def languages(self):
        """One program in four languages, each beside the others."""
        page = self.out / "examples/examples-languages.md"
        columns = "\n".join(f":::{{container}}\n`{name}`\n```{{code-block}} {lexer}\n{(self.sources / 'examples/languages' / name).read_text(encoding='utf-8').rstrip()}\n```\n:::"
                            for name, lexer in (("four_bar.c", "c"), ("four_bar.cpp", "cpp"), ("four_bar.f90", "fortran"), ("four_bar.py", "python")))
        write(page, f"{page.read_text(encoding='utf-8')}\n## The four programs\n\n::::{{container}} side-by-side\n{columns}\n::::")

    def index(self, folder, title, names, words=""):
        rows = "\n".join(names)
        write(self.out / folder / "index.md", f"# {title}\n\n{words}\n\n```{{toctree}}\n:maxdepth: 1\n\n{rows}\n```")

    def said(self, *words):
        return subprocess.run([self.program, *words], check=True, capture_output=True, text=True, encoding="utf-8").stdout

    def commands(self):
        helped = self.said("help")
        verbs = re.findall(r"^  cardo (\w+) {2,}(.*)", helped, re.M)
        topics = re.findall(r"^  cardo help (\w+) {2,}(.*)", helped, re.M)
        names = []
        for folder, found in (("command", verbs), ("topic", topics)):
            for name, line in found:
                text = self.said("help", name)
                title = f"cardo {name}" if folder == "command" else name.capitalize()
                write(self.out / f"reference/{folder}-{name}.md", f"# {title}\n\n{line[0].upper()}{line[1:]}.\n\n```text\n{text.rstrip()}\n```")
                names.append(f"{folder}-{name}")
        listed = re.findall(r"^cardo list (\w+) {2,}(.*)", self.said("list"), re.M)
        text = "# What there is to choose from\n\n"
        for name, line in listed:
            # Platforms are a machine's own.
            if name != "platforms":
                text += f"## {name.capitalize()}\n\n{line[0].upper()}{line[1:]} (`cardo list {name}`).\n\n```text\n{self.said('list', name).rstrip()}\n```\n\n"
        write(self.out / "reference/lists.md", text)
        self.index("reference", "Reference", [*names, "lists", "studies", "python", "c/index"],
                   "Made from the tables that the program and the library themselves read, and from the headers.")

    def studies(self):
        import cardo

        text = ("# Studies and their options\n\nThe options of each study, by the names of the tables: `--set STUDY.OPTION=VALUE` of the program, an attribute of the "
                "study's element in a model file, and a keyword argument in Python (with `_` for `-`).\n")
        for name in cardo.study_names():
            text += f"\n## {name}\n\n{cardo.studies.text(cardo.lib.cardo_study_doc(cardo.studies.find(name))).rstrip('.').strip()}.\n"
            group = None
            for option in cardo.options_of(name):
                if option["group"] != group:
                    group = option["group"]
                    text += f"\n**{group}**\n\n| option | | default | |\n|---|---|---|---|\n"
                kind = ", ".join(option["choices"]) or option["type"]
                unit = f" {option['unit']}" if option["unit"] else ""
                cells = (f"`{option['name']}`", kind, f"`{option['default']}`{unit}" if option["default"] else unit, option["doc"])
                text += "| " + " | ".join(cell.replace("|", "\\|").replace("<", "\\<") if not cell.startswith("`") else cell.replace("|", "\\|") for cell in cells) + " |\n"
        write(self.out / "reference/studies.md", text)

    def python(self):
        import cardo

        def block(kind, one, name):
            try:
                signature = str(inspect.signature(one))
            except (TypeError, ValueError):
                signature = ""
            if len(signature) > 300:
                signature = "(*files, **options)"
            words = inspect.getdoc(one) or ""
            return f"```python\n{kind}{name}{signature}\n```\n\n" + (f"```text\n{words}\n```\n\n" if words else "")

        text = "# Python\n\n```text\n" + inspect.getdoc(cardo) + "\n```\n\n"
        studies = set(cardo.study_names())
        for name in cardo.__all__:
            one = getattr(cardo, name)
            if inspect.isclass(one):
                text += f"## {name}\n\n" + block("class cardo.", one, name)
                for member, value in inspect.getmembers(one):
                    if member.startswith("_") or member in studies or not (inspect.isfunction(value) or isinstance(value, property)):
                        continue
                    if member not in vars(one) and not any(member in vars(base) for base in one.__mro__ if base.__module__.startswith("cardo")):
                        continue
                    if isinstance(value, property):
                        words = inspect.getdoc(value)
                        text += f"`{member}`" + (f": {html.escape(' '.join(words.split()), quote=False)}" if words else "") + "\n\n"
                    else:
                        text += block("", value, member)
            elif inspect.isfunction(one):
                words = inspect.getdoc(one) or ""
                text += f"## {name}\n\n"
                text += f"A study: its options are in [](studies.md#{anchor(name)}).\n\n" if name in studies else block("cardo.", one, name)
        write(self.out / "reference/python.md", text)

    def headers(self):
        names = []
        for header in sorted((self.sources / "src/include/cardo").glob("*.h")):
            text = header.read_text(encoding="utf-8")
            opening = re.match(r"/\*(.*?)\*/", text, re.S)
            words = re.sub(r"\n \* ?", "\n", opening[1]).strip() if opening else ""
            write(self.out / f"reference/c/{header.stem}.md",
                  f"# {header.name}\n\n```text\n{words}\n```\n\n```{{eval-rst}}\n.. doxygenfile:: {header.name}\n   :sections: define func typedef enum struct innerclass public-attrib\n```")
            names.append(header.stem)
        self.index("reference/c", "C", names, "The public headers, `#include <cardo/cardo.h>`; what stands for them in C++ and Fortran is said in "
                   "[](../../inside/src-bindings-cpp.md) and [](../../inside/src-bindings-fortran.md).")

    def doxygen(self):
        folder = self.out / "doxygen"
        folder.mkdir(parents=True, exist_ok=True)
        # Comments of the headers are plain; to doxygen they say what stands after them, or before them at the end of a line. The first is the file's.
        filtered = r"sed -e '2,$s|^\( *\)/\* |\1/** |; s|\([;,{]\) *\*\{0,1\}/\* |\1 /**< |; s|^\( *[A-Z_0-9]* *\)/\* |\1/**< |'"
        settings = {"PROJECT_NAME": "cardo", "INPUT": self.sources / "src/include/cardo", "FILE_PATTERNS": "*.h", "OUTPUT_DIRECTORY": folder, "GENERATE_HTML": "NO",
                    "GENERATE_LATEX": "NO", "GENERATE_XML": "YES", "XML_PROGRAMLISTING": "NO", "OPTIMIZE_OUTPUT_FOR_C": "YES", "TYPEDEF_HIDES_STRUCT": "YES",
                    "MARKDOWN_SUPPORT": "NO", "EXTRACT_ALL": "YES", "QUIET": "YES", "WARNINGS": "NO", "ENABLE_PREPROCESSING": "YES", "MACRO_EXPANSION": "YES",
                    "EXPAND_ONLY_PREDEF": "YES", "PREDEFINED": "CARDO_API= CARDO_LIKE_PRINTF(a,b)=", "INPUT_FILTER": f'"{filtered}"', "JAVADOC_AUTOBRIEF": "NO",
                    "AUTOLINK_SUPPORT": "NO", "SORT_MEMBER_DOCS": "NO"}
        write(folder / "Doxyfile", "\n".join(f"{name} = {value}" for name, value in settings.items()))
        subprocess.run(["doxygen", folder / "Doxyfile"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def notebooks(self):
        folder = self.out / "tutorials"
        for name in NOTEBOOKS:
            subprocess.run([sys.executable, "-m", "nbconvert", "--log-level", "ERROR", "--to", "markdown", "--execute", "--output-dir", folder,
                            self.sources / f"examples/notebooks/{name}.ipynb"], check=True, stderr=subprocess.DEVNULL)
            page = folder / f"{name}.md"
            page.write_text(page.read_text(encoding="utf-8").rstrip() + "\n", encoding="utf-8")

    def hand_written(self):
        here = pathlib.Path(__file__).resolve().parent
        for path in here.rglob("*.md"):
            page = path.relative_to(here).as_posix()
            write(self.out / page, path.read_text(encoding="utf-8"))
        shutil.copytree(here / "static", self.out / "static", dirs_exist_ok=True)
        shutil.copy(here / "conf.py", self.out)
        picture = self.out / "pictures"
        picture.mkdir(exist_ok=True)
        shutil.copy(self.sources / "examples/quickstart.png", picture)


def main():
    if sys.argv[1] == "--check":
        return check(pathlib.Path(sys.argv[2]).resolve())
    sources, out = (pathlib.Path(one).resolve() for one in sys.argv[1:3])
    shutil.rmtree(out, ignore_errors=True)
    site = Site(sources, out, *sys.argv[3:5])
    site.hand_written()
    site.gather()
    site.languages()
    site.commands()
    site.studies()
    site.python()
    site.doxygen()
    site.headers()
    site.notebooks()
    return 0


sys.exit(main())
