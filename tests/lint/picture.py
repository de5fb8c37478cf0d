#!/usr/bin/env python3
"""ARCHITECTURE.md's picture, from the graph of circles.py: folders of src as boxes with their rooms, each above all that it takes from;
arrows that follow from others are left out.
   picture.py SOURCES BUILD > docs/architecture.svg
   picture.py SOURCES BUILD --check       fails where the committed picture is another one"""
import pathlib
import sys

sys.dont_write_bytecode = True
from circles import graph  # noqa: E402

WIDTH, LINE, ROW, GAP = 190, 15, 40, 22
# Which column a folder stands in, so that few arrows pass behind others' boxes.
COLUMN = {'base': 1, 'multibody': 0, 'dynamics': 0, 'analysis': 0, 'sampling': 0, 'model': 1, 'study': 1, 'cli': 2,
          'structure': 2, 'topology': 2, 'forces': 2, 'io': 3}
SAYS = {
    'base': 'errors, numbers, results',
    'multibody': 'the engine: no molecule',
    'structure': 'atoms, reading, preparing',
    'topology': 'bonds and what may turn',
    'model': 'structures become bodies',
    'dynamics': 'time steps',
    'forces': 'parameters and providers',
    'analysis': 'domains, modes, estimators',
    'sampling': 'free energies along a variable',
    'io': 'files and printers',
    'study': 'sessions and studies',
    'cli': 'the program',
}


def folders(nodes, ties):
    """Rooms of each folder of src, and who takes from whom."""
    rooms, takes = {}, {}
    for node in nodes:
        top, _, rest = node.partition('/')
        if not rest:
            continue
        rooms.setdefault(top, set())
        takes.setdefault(top, set())
        room = rest.partition('/')[0]
        if '/' in rest:
            rooms[top].add(room)
    for a, b in ties:
        a, b = a.partition('/')[0], b.partition('/')[0]
        if a != b and a in takes and b in takes:
            takes[a].add(b)
    return rooms, takes


def below(folder, takes, without=None):
    found = set()
    todo = [b for b in takes[folder] if b != without]
    while todo:
        a = todo.pop()
        if a not in found:
            found.add(a)
            todo += takes[a]
    return found


def levels(takes):
    level = {}

    def of(folder):
        if folder not in level:
            level[folder] = 1 + max((of(b) for b in takes[folder]), default=-1)
        return level[folder]

    for folder in takes:
        of(folder)
    return level


def svg(rooms, takes):
    level = levels(takes)
    rows = [sorted(f for f in level if level[f] == k) for k in range(max(level.values()), -1, -1)]
    height = {f: 2 * LINE + 16 + LINE * ((len(rooms[f]) + 1) // 2) for f in rooms}
    total = (1 + max(COLUMN.values())) * (WIDTH + GAP) + GAP
    place, y = {}, 20
    for row in rows:
        free = [c for c in range(9) if c not in {COLUMN.get(f) for f in row}]
        for folder in row:
            column = COLUMN[folder] if folder in COLUMN else free.pop(0)
            place[folder] = (GAP + column * (WIDTH + GAP), y)
        y += max(height[f] for f in row) + ROW
    out = ['<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="11">' % (total, y - ROW + 20),
           '<rect width="100%" height="100%" fill="white"/>',
           '<defs><marker id="to" markerWidth="8" markerHeight="8" refX="7" refY="4" orient="auto"><path d="M0,0 L8,4 L0,8 z" fill="#557"/></marker></defs>']
    for a in sorted(takes):
        for b in sorted(takes[a]):
            if b in set().union(*(below(c, takes) for c in takes[a])):
                continue
            x1, y1 = place[a][0] + WIDTH / 2, place[a][1] + height[a]
            x2, y2 = place[b][0] + WIDTH / 2, place[b][1]
            out.append('<path d="M%.0f,%.0f C%.0f,%.0f %.0f,%.0f %.0f,%.0f" fill="none" stroke="#557" marker-end="url(#to)"><title>%s takes from %s</title></path>'
                       % (x1, y1, x1, y1 + 30, x2, y2 - 30, x2, y2, a, b))
    for folder in sorted(rooms):
        x, y = place[folder]
        out.append('<rect x="%.0f" y="%.0f" width="%d" height="%d" rx="5" fill="#eef2f8" stroke="#557"/>' % (x, y, WIDTH, height[folder]))
        out.append('<text x="%.0f" y="%.0f" font-weight="bold" font-size="13">%s</text>' % (x + 8, y + LINE + 2, folder))
        out.append('<text x="%.0f" y="%.0f" fill="#333">%s</text>' % (x + 8, y + 2 * LINE + 3, SAYS.get(folder, '')))
        names = sorted(rooms[folder])
        for k, name in enumerate(names):
            out.append('<text x="%.0f" y="%.0f" fill="#557">%s</text>' % (x + 8 + k % 2 * WIDTH / 2, y + (3 + k // 2) * LINE + 5, name))
    return '\n'.join(out + ['</svg>']) + '\n'


def main():
    picture = svg(*folders(*graph(sys.argv[1], sys.argv[2])))
    if '--check' not in sys.argv:
        sys.stdout.write(picture)
    elif pathlib.Path(sys.argv[1], 'docs/architecture.svg').read_text() != picture:
        sys.exit('docs/architecture.svg is no longer the picture of the sources: tests/lint/picture.py . build/release > docs/architecture.svg')


if __name__ == '__main__':
    main()
