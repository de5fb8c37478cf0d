#!/usr/bin/env bash
# cardo modes: what it prints and writes, on the committed elbow.
. "$(dirname "$0")/support.sh"

write_model elbow.xml 'solvent="none" platform="Reference"' 'steps="2"'

run 0 modes elbow.xml --out elbow.modes --json
json out "d['degrees_of_freedom'] == 7 and d['rigid_motions'] == 6 and len(d['modes']) == 1"
json out "d['modes'][0]['mode'] == 7 and d['modes'][0]['wavenumber_per_cm'] > 0"
json out "len(d['modes'][0]['hinges']) >= 1 and d['comparison'] == []"
for file in modes.csv speeds.csv residues.csv hinges.csv correlations.csv modes.nmd mode_7.pdb plot.gp run.json; do
    check test -s elbow.modes/$file
done
check test "$(grep -c '^MODEL' elbow.modes/mode_7.pdb)" = 20
# A swing begins and ends at the structure, and leaves it between.
check test "$(awk '/^MODEL/ {m=$2} / CA / && m==1 {print; exit}' elbow.modes/mode_7.pdb)" != \
    "$(awk '/^MODEL/ {m=$2} / CA / && m==6 {print; exit}' elbow.modes/mode_7.pdb)"

# Where gnuplot is, its pictures are.
if command -v gnuplot >/dev/null; then
    for picture in spectrum b-factors correlations; do
        check test -s elbow.modes/$picture.png
        check test -s elbow.modes/$picture.svg
    done
fi
without_pictures
# The matrix of correlations is symmetric, with ones on its diagonal.
check python3 - <<'EOF'
import csv, sys
rows = list(csv.reader(open('elbow.modes/correlations.csv')))
names, matrix = rows[0][1:], [[float(v) for v in row[1:]] for row in rows[1:]]
n = len(names)
sys.exit(not (n > 200 and [row[0] for row in rows[1:]] == names and
              all(matrix[i][i] == 1 and all(matrix[i][j] == matrix[j][i] and abs(matrix[i][j]) <= 1
                                            for j in range(n)) for i in range(n))))
EOF
# Bonds in every frame, within what three decimals allow: all of them (chain), or those within residues, where a strand
# is cut between bodies that the joint alone holds together.
cat >lengths.py <<'EOF'
import math, sys
frames = []
for line in open(sys.argv[1]):
    if line.startswith('MODEL'):
        frames.append([])
    elif line.startswith(('ATOM', 'HETATM')):
        frames[-1].append((line[76:78] == ' H', [float(line[k:k + 8]) for k in (30, 38, 46)], line[21:27]))
first = frames[0]
pairs = [(i, j) for i in range(len(first)) for j in range(max(0, i - 40), i)
         if math.dist(first[i][1], first[j][1]) < (1.2 if first[i][0] or first[j][0] else 1.6)
         and (first[i][2] == first[j][2] or sys.argv[3] == 'chain')]
worst = max(abs(math.dist(f[i][1], f[j][1]) - math.dist(first[i][1], first[j][1])) for f in frames for i, j in pairs)
moved = max(math.dist(f[i][1], first[i][1]) for f in frames for i in range(len(first)))
print(len(pairs), 'bonds change by', worst, 'while atoms move by', moved)
sys.exit(not (len(pairs) > int(sys.argv[2]) and worst < 0.0018 and moved > 3))
EOF
json out "0.01 < d['animated_cut_bonds_change_A'] < 0.3"
check python3 lengths.py elbow.modes/mode_7.pdb 1500 residues

# Blocks of their own can do all that the hinge can, and more: softer, and six modes.
hinge=$(python3 -c "import json; print(json.load(open('out'))['modes'][0]['eigenvalue_per_ps2'])")
run 0 modes elbow.xml --out free.modes --json --set modes.joints=free
json out "len(d['modes']) == 6 and d['modes'][0]['eigenvalue_per_ps2'] <= $hinge * (1 + 1e-9)"

# A force field's own second derivatives, at its minimum, where no mode is imaginary; and as it stands.
short_elbow
write_model short.xml 'solvent="none" platform="Reference"' 'steps="2"'
run 0 modes short.xml --out forces.modes --json --set modes.stiffness=forces --set modes.animate=0
json out "d['minimized'] and d['largest_generalized_force'] < 0.01 and d['rigid_motions'] == 6"
json out "d['modes'][0]['wavenumber_per_cm'] > 0 and not d['modes'][0]['imaginary']"
run 0 modes short.xml --out there.modes --json --set modes.stiffness=forces --set modes.minimize=no
json out "not d['minimized'] and d['largest_generalized_force'] > 1 and d['rigid_motions'] == 6"

# Other methods beside: blocks are what joints=free makes.
run 0 modes elbow.xml --out both.modes --json --set modes.against=anm,rtb
json out "[c['method'] for c in d['comparison']] == ['anm', 'rtb'] and len(d['comparison'][1]['overlaps']) == 6"
json out "abs(d['comparison'][1]['shared_span'] - 1) < 1e-6 and 0.5 < d['comparison'][0]['shared_span'] <= 1"
check test "$(wc -l <both.modes/comparison.csv)" = 21
run 1 modes elbow.xml --out x.modes --set modes.against=gnm
says err "'gnm' is no method; there are anm and rtb"
run 2 modes elbow.xml --out x.modes --processes two
says err 'processes takes a number'

# Torsions: forces by two processes give the bits of one; hinges, swings and the network's atoms.
cat >torsions.xml <<EOF
<cardo version="1"><model name="torsions"><structure id="a" file="$source_tree/pdb/2mcg_1.pdb"/>
<domain name="all" residues="1:2-216"/><body name="all" domains="all"/>
<flexible residues="1:203-216" torsions="phi psi"/><forcefield files="ff14SB.xml" solvent="none"/></model></cardo>
EOF
for processes in 1 2; do
    run 0 modes torsions.xml --out torsions.$processes --provider rigid --set forcefield.precision=double --json \
        --set modes.stiffness=forces --set modes.minimize=no --set modes.animate=0 --processes $processes
    json out "d['asymmetry'] < 1e-6 and d['asymmetry_of_rounding'] < 1e-6"
done
check cmp torsions.1/speeds.csv torsions.2/speeds.csv
run 0 modes torsions.xml --out torsions.modes
says out 'elastic network of heavy atoms: springs up to 10 A'
says out '^hinges'
check python3 lengths.py torsions.modes/mode_7.pdb 1500 chain

# Of bodies on their own one turns about its only node, a C-alpha, at no cost: these motions are no modes, and nothing swings along them.
run 0 modes "$source_tree/examples/modes/elbow.xml" --out alone.modes --json --set modes.joints=free --set modes.against= --set modes.count=2 \
    --set modes.animate=1 --set modes.frames=4
json out "d['rigid_motions'] == 9 and [m['mode'] for m in d['modes']] == [10, 11] and d['modes'][0]['frequency_per_ps'] > 0.4"
check python3 - alone.modes/mode_10.pdb <<'PYTHON'
import sys
swing = [float(line[30 + 8 * k:38 + 8 * k]) for line in open(sys.argv[1]) if line.startswith("ATOM") for k in range(3)]
sys.exit(not swing or max(map(abs, swing)) > 300)
PYTHON

run 1 modes elbow.xml --out elbow.modes
says err 'holds a run already; --force'
run 1 modes elbow.xml --out x.modes --set modes.cutof=1
says err "did you mean 'cutoff'"
run 1 modes elbow.xml --out x.modes --set modes.compare=third
says err 'compare="third" is none'
check test ! -e x.modes
finish
