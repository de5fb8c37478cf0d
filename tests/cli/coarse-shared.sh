#!/usr/bin/env bash
# Coarse-grained energies on LAO and adenylate kinase: wells and barrier as asked for; runs that go on bitwise alike; tables; three
# bodies from two files.
. "$(dirname "$0")/support.sh"
need_shared
export CARDO_PDB_DIR="$shared/pdb"
lao="$source_tree/examples/lao/lao-crystal.xml"
basins=(--set forcefield.files=double-basin.xml)
run 0 info "$lao" "${basins[@]}" --set "forcefield.parameters=barrier=14, difference=-3" --json
json out "abs(d['coarse_grained']['barrier_kJ_per_mol'] - 14) < 1e-6"
json out "abs(d['coarse_grained']['difference_kJ_per_mol'] + 3) < 1e-6"
json out "max(abs(a - b) for a, b in zip(d['coarse_grained']['wells_fraction'], (0, 1))) < 0.02"
run 0 info "$lao" "${basins[@]}"
says out 'contacts +[0-9]+ in open, [0-9]+ in closed'
says out 'barrier +20\.000 kJ/mol'
run 0 energy "$lao" "${basins[@]}" --set "forcefield.parameters=barrier=14, difference=-3" --scan mobile=-0.1:1.05:231 --out scan
check python3 - <<'PYTHON'
import csv
rows = [(float(r[0]), float(r[1]), float(r[-1])) for r in list(csv.reader(open("scan/scan.csv")))[1:]]
low = [min((r for r in rows if side(r[0])), key=lambda r: r[1]) for side in (lambda q: q < 0.5, lambda q: q >= 0.5)]
top = max((r for r in rows if low[0][0] < r[0] < low[1][0]), key=lambda r: r[1])
print(low, top)
assert abs(low[0][0]) < 0.02 and abs(low[1][0] - 1) < 0.02
assert abs(top[1] - low[0][1] - 14) < 0.05 and abs(low[1][1] - low[0][1] + 3) < 0.05
PYTHON

# The model file says the same as --set.
sed -e 's|files="ff14SB.xml" solvent="obc2" method="all-pairs"|files="double-basin.xml" parameters="barrier=14, difference=-3"|' \
    "$lao" >wells.xml
run 0 info wells.xml --json
json out "abs(d['coarse_grained']['barrier_kJ_per_mol'] - 14) < 1e-6"

# In one piece and in two: the same bits.
simulate=(simulate "$lao" "${basins[@]}" --quiet --set simulate.integrator=langevin --set simulate.timestep="100 fs"
    --set simulate.report-interval=10 --set simulate.trajectory-interval=100 --set simulate.checkpoint-interval=200)
run 0 "${simulate[@]}" --set simulate.steps=400 --out whole
run 0 "${simulate[@]}" --set simulate.steps=200 --out halves
run 0 "${simulate[@]}" --set simulate.steps=400 --out halves --continue
check cmp whole/trajectory.csv halves/trajectory.csv
check cmp whole/checkpoint.cardo halves/checkpoint.cardo
run 1 "${simulate[@]}" --set simulate.steps=600 --out halves --continue --set forcefield.parameters=barrier=15
says err 'another run'
# With a table the run is the same within the table's error.
run 0 "${simulate[@]}" --set simulate.steps=400 --set forcefield.table=-0.3:1.1 --out table
check python3 - <<'PYTHON'
import csv
a, b = ([list(map(float, r)) for r in list(csv.reader(open(f + "/trajectory.csv")))[1:]] for f in ("whole", "table"))
names = next(csv.reader(open("whole/trajectory.csv")))
q = names.index("q mobile")
other = list(csv.reader(open("table/trajectory.csv")))[0].index("q mobile")
print(max(abs(x[q] - y[other]) for x, y in zip(a, b)))
assert max(abs(x[q] - y[other]) for x, y in zip(a, b)) < 1e-3
PYTHON
# Springs between the domains are the network's of cardo modes: the same mode.
network=(--set forcefield.files=elastic-network.xml --quiet)
run 0 modes "$lao" "${network[@]}" --set modes.stiffness=network --out network
run 0 modes "$lao" "${network[@]}" --set modes.stiffness=forces --out forces
check python3 - <<'PYTHON'
import csv
a, b = (float(list(csv.reader(open(f + "/modes.csv")))[1][1]) for f in ("network", "forces"))
print(a, b)
assert abs(a - b) < 1e-6 * a
PYTHON

# Three bodies and two paths, from two files to a run with every energy.
run 0 domains "$shared/pdb/4ake_A_fixedH.pdb" "$shared/pdb/1ake_A.pdb" -o adk.xml
for file in double-basin elastic-network kim-hummer; do
    run 0 info adk.xml --set forcefield.files=$file.xml
    says out "Coarse-grained energy \($file\), 214 sites"
    run 0 simulate adk.xml --set forcefield.files=$file.xml --set simulate.steps=100 --out adk-$file --quiet
    check test -s adk-$file/trajectory.csv
done
finish
