#!/usr/bin/env python3
"""The graph of the sources: who includes whom, and who calls whom. A source and the header of its name are one node. There is no
circle, neither between files nor between folders, and no folder has more than 25 nodes.
   circles.py SOURCES BUILD            fails on a circle, and on a folder that is too full
   circles.py SOURCES BUILD --dot      the graph of the folders for Graphviz; ARCHITECTURE.md's picture is made from it (tests/lint/picture.py)
   circles.py SOURCES BUILD --edges PATTERN    every tie between two files whose "from -> to" matches, with what it is made of
Public headers (src/include) are declarations of the others, and no nodes.
Calls are read from the object files that BUILD/compile_commands.json names, includes from the text."""
import collections
import json
import pathlib
import re
import subprocess
import sys

MOST = 25
# Folders that are fuller, with by how much.
FULLER = {}

# Circles that stand, with why: none is to be added.
KNOWN = {}


def node_of(path):
    return re.sub(r'\.(c|h|cpp|inc)$', '', path)


def includes(sources):
    """{(from, to): {"#"}} over the files below src, and all nodes."""
    files = [p for p in sources.rglob('*') if p.suffix in ('.c', '.h', '.cpp', '.inc') and p.relative_to(sources).parts[0] != 'include']
    names = {p: str(p.relative_to(sources)) for p in files}
    nodes = {node_of(name) for name in names.values()}
    ties = collections.defaultdict(set)
    for path, name in names.items():
        for line in path.read_text().splitlines():
            found = re.match(r'\s*#\s*include\s+"([^"]+)"', line)
            if found and node_of(found.group(1)) in nodes and node_of(found.group(1)) != node_of(name):
                ties[node_of(name), node_of(found.group(1))].add('#')
    return nodes, ties


def objects(sources, build):
    """{node: object file} of the sources that this build compiles."""
    found = {}
    for entry in json.loads((build / 'compile_commands.json').read_text()):
        path = pathlib.Path(entry['file']).resolve()
        if not path.is_relative_to(sources):
            continue
        output = entry.get('output') or re.search(r' -o (\S+)', entry['command']).group(1)
        found[node_of(str(path.relative_to(sources)))] = build / output
    return found


def calls(sources, build, ties):
    """Adds who takes a symbol from whom."""
    defined, taken = {}, []
    made = objects(sources, build)
    missing = [str(path) for path in made.values() if not path.exists()]
    if not made or missing:
        sys.exit('not built: %s' % (missing[:3] or build))
    nodes = {str(path): node for node, path in made.items()}
    listed = subprocess.run(['nm', '-A', *nodes], check=True, capture_output=True, text=True).stdout.splitlines()
    for path, line in (line.split(':', 1) for line in listed):
        node = nodes[path]
        if len(line.split()) > 1:
            kind, symbol = line.split()[-2:]
            if kind == 'U':
                taken.append((node, symbol))
            elif kind.isupper() and kind not in 'WV':
                defined[symbol] = node
    for node, symbol in taken:
        if defined.get(symbol, node) != node:
            ties[node, defined[symbol]].add(symbol)


def circles(nodes, ties):
    """Strongly connected components of more than one node (Tarjan 1972)."""
    after = collections.defaultdict(set)
    for a, b in ties:
        after[a].add(b)
    number, lowest, stack, found = {}, {}, [], []

    def visit(a):
        number[a] = lowest[a] = len(number)
        stack.append(a)
        for b in sorted(after[a]):
            if b not in number:
                visit(b)
                lowest[a] = min(lowest[a], lowest[b])
            elif b in stack:
                lowest[a] = min(lowest[a], number[b])
        if lowest[a] == number[a]:
            members = []
            while not members or members[-1] != a:
                members.append(stack.pop())
            if len(members) > 1:
                found.append(sorted(members))

    sys.setrecursionlimit(10000)
    for a in sorted(nodes):
        if a not in number:
            visit(a)
    return found


def folder_of(node):
    return node.rpartition('/')[0] or '.'


def between_folders(ties):
    """{(folder, folder): {(from, to)}}"""
    result = collections.defaultdict(set)
    for a, b in ties:
        if folder_of(a) != folder_of(b):
            result[folder_of(a), folder_of(b)].add((a, b))
    return result


def graph(sources, build):
    sources, build = pathlib.Path(sources).resolve() / 'src', pathlib.Path(build).resolve()
    nodes, ties = includes(sources)
    calls(sources, build, ties)
    return nodes, ties


def tell(kind, members, lines):
    print('a circle of %s: %s' % (kind, ', '.join(members)))
    for line in lines:
        print('    ' + line)


def check(nodes, ties):
    failed = False
    known = set()
    for members in circles(nodes, ties):
        if tuple(members) in KNOWN:
            known.add(tuple(members))
            continue
        failed = True
        tell('files', members, ['%s -> %s: %s' % (a, b, ', '.join(sorted(names))[:120])
                                for (a, b), names in sorted(ties.items()) if a in members and b in members])
    folders = between_folders(ties)
    for members in circles({folder_of(n) for n in nodes}, folders):
        if tuple(members) in KNOWN:
            known.add(tuple(members))
            continue
        failed = True
        tell('folders', members, ['%s -> %s: %s' % (a, b, ', '.join('%s -> %s' % tie for tie in sorted(files)[:4]))
                                  for (a, b), files in sorted(folders.items()) if a in members and b in members])
    for members in set(KNOWN) - known:
        failed = True
        print('listed in circles.py, and no circle any more: %s' % ', '.join(members))
    for folder, count in sorted(collections.Counter(map(folder_of, nodes)).items()):
        most = FULLER.get(folder, MOST)
        if count > most:
            failed = True
            print('src/%s has %d sources (a header counts with its source): at most %d' % (folder, count, most))
    return failed


def dot(nodes, ties):
    print('digraph cardo {')
    for folder in sorted({folder_of(n) for n in nodes}):
        print('  "%s";' % folder)
    for a, b in sorted(between_folders(ties)):
        print('  "%s" -> "%s";' % (a, b))
    print('}')


def main():
    nodes, ties = graph(sys.argv[1], sys.argv[2])
    if '--dot' in sys.argv:
        dot(nodes, ties)
    elif '--edges' in sys.argv:
        pattern = re.compile(sys.argv[sys.argv.index('--edges') + 1])
        for (a, b), names in sorted(ties.items()):
            if pattern.search('%s -> %s' % (a, b)):
                print('%s -> %s: %s' % (a, b, ', '.join(sorted(names))))
    else:
        sys.exit(check(nodes, ties))


if __name__ == '__main__':
    main()
