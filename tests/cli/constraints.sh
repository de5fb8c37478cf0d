#!/usr/bin/env bash
# Constraints of model files, from cardo info to a run that goes on: the committed light chain, whose strand closes a loop.
. "$(dirname "$0")/support.sh"

without_pictures
# constrained FILE INSIDE [START]: the elbow with words inside <model>, its path beginning at START
constrained() {
    cat >"$1" <<XML
<cardo version="1">
  <model name="elbow">
$(elbow_domains)
    <body name="variable" domains="variable" base="welded"/>
    <body name="constant" domains="constant" parent="variable"><path start="${3:-0}"/></body>
    $2
    <forcefield files="ff14SB.xml" solvent="none" platform="CPU" threads="1"/>
  </model>
  <simulate integrator="langevin" timestep="2 fs" steps="40" report-interval="4" trajectory-interval="4"
            checkpoint-interval="20"/>
</cardo>
XML
}
loose='<flexible residues="109-113" torsions="phi psi"/>'
rigid='<flexible residues="109-113" torsions="phi psi" closure="rigid"/>'

# What info says: rows, rank, degrees of freedom, redundant rows by name, and what assembly found and moved. A start on the
# constraints is left alone; the path stays where the model file puts it.
constrained closed.xml "$rigid"
run 0 info closed.xml --json
json out "d['degrees_of_freedom'] == 4 and d['constraints']['rank'] == 6 and d['constraints']['redundant_rows'] == []"
json out "d['constraints']['violation_at_start'] < 1e-13 and d['constraints']['moved_A'] == 0"
constrained ring.xml "$rigid" 0.04
run 0 info ring.xml --json
json out "d['constraints']['violation_at_start'] > 0.01 and 0.01 < d['constraints']['moved_A'] < 0.2"
run 0 info ring.xml
says out '6 rows, rank 6: 4 degrees of freedom'
says out 'GLY111.N: 9 torsions of which rows of rank 6 leave 3 freedoms beside q'
says out 'closed by a constraint'
says out 'largest error 0.115 \(.*GLY111.*\(internal-coordinates\), row 6\); atoms moved by 0.0[0-9]* A'
# The table of cuts follows the manifold, where the bond keeps its length.
run 0 info ring.xml --json --clashes
json out "len(d['cuts']) == 1 and all(abs(x - d['cuts'][0]['length_A'][0]) < 1e-9 for x in d['cuts'][0]['length_A'])"
json out "len(d['cuts'][0]['length_A']) == len(d['cuts_at_q']) == 5 and len(d['clashes_at_q']) == 11"
constrained turning.xml '<flexible residues="109-113" torsions="phi psi" closure="rigid" omega="free"/>' 0.04
run 0 info turning.xml
says out '5 rows, rank 5: 5 degrees of freedom'
# At the force field's geometry the peptide bond is 1.335 A long.
constrained ideal.xml '<flexible residues="109-113" torsions="phi psi" closure="rigid" geometry="forcefield"/>' 0.04
run 0 info ideal.xml --json
json out "all(abs(x - 1.335) < 1e-9 for x in d['cuts'][0]['length_A']) and d['degrees_of_freedom'] == 4"
run 1 info ideal.xml --set forcefield.files=elastic-network.xml --set forcefield.solvent=none --set forcefield.platform=
says err 'geometry="forcefield" of .*GLY111'
# Turning phi alone leaves the loop no freedom, and the path none: that is said. Bonds that turn are no cuts.
constrained stiff.xml '<flexible residues="109-113" torsions="phi" closure="rigid"/>'
run 0 info stiff.xml
says out 'leave 0 freedoms beside q'
says out 'the constraints let the paths go to 0 % of their way'
check test "$(grep -c 'bonds to their ends' out)" = 0
constrained omegas.xml '<flexible residues="109-113" torsions="phi psi omega" closure="rigid"/>'
run 0 info omegas.xml --json
json out "len(d['cuts']) == 1 and d['constraints']['rows'] == 5"
constrained nothing.xml '<flexible residues="109-113" torsions="phi psi" omega="free"/>'
run 1 info nothing.xml
says err 'omega="free" says how closure="rigid" closes'
constrained twice.xml "<constraints>
      <rod name='tie' point1='20@CA' point2='150@CA'/><rod name='again' point1='20@CA' point2='150@CA'/>
      <constant-speed speed='constant' on='no'/></constraints>"
run 0 info twice.xml
says out 'redundant +again \(rod\), distance'
says out 'constant-speed: 1 row of velocities, switched off'
says out '3 rows, rank 1: 0 degrees of freedom'

# Coordinates that are held equal: one of them is driven, and the page's slider knows what goes with it.
constrained alike.xml '<flexible residues="109-110" torsions="phi psi"/>
    <constraints><symmetric name="alike" coordinates="1:VAL109.phi 1:VAL109.psi 1:LEU110.psi"/></constraints>'
run 0 info alike.xml
says out '2 rows, rank 2: 2 degrees of freedom'
run 0 simulate alike.xml --out alike --set simulate.steps=4
json alike/motion.json "len({f['follows'] for f in d['followers']}) == 1 and len({f['coordinate'] for f in d['followers']}) == 2"

# A run stays closed, and goes on to the bit.
run 0 simulate ring.xml --out whole
says out '4 degrees of freedom'
says out 'temperature .* over 4 degrees of freedom'
says out 'constraints +kept to [0-9.]+e-1[3-6] '
run 0 simulate ring.xml --out half --set simulate.steps=20
run 0 simulate ring.xml --out half --continue --set simulate.steps=40
for file in trajectory.csv trajectory.nc checkpoint.cardo; do check cmp whole/$file half/$file; done
# The strand's lengths and angles in the trajectory, where torsions and the hinge have moved.
run 0 fit ring.xml whole/trajectory.nc --output frames.pdb
check python3 - frames.pdb <<'PY'
import math, sys
frames, x = [], {}
for line in open(sys.argv[1]):
    if line.startswith("ATOM") and 110 <= int(line[22:26]) <= 112 and line[12:16].strip() in ("N", "CA", "C"):
        x[int(line[22:26]), line[12:16].strip()] = [float(line[k:k + 8]) for k in (30, 38, 46)]
    elif line.startswith("ENDMDL"):
        frames.append(x)
        x = {}
chain = [(r, a) for r in (110, 111, 112) for a in ("N", "CA", "C")]
near = lambda x: [math.dist(x[chain[i]], x[chain[i + d]]) for d in (1, 2) for i in range(len(chain) - d)]
far = lambda x: math.dist(x[chain[0]], x[chain[-1]])
worst = max(abs(a - b) for x in frames for a, b in zip(near(x), near(frames[0])))
moved = max(abs(far(x) - far(frames[0])) for x in frames)
print(len(frames), "frames, lengths and angles off by", worst, "A, ends of the strand moved by", moved)
sys.exit(not (len(frames) > 5 and worst < 0.003 and moved > 0.01))
PY

# Constraints of speeds drive a run: the hinge as fast as it is told, two torsions geared to each other, the work booked; to the bit
# when it is continued.
constrained driven.xml "$loose<constraints><constant-speed speed='constant' value='0.2'/>
      <speed-coupler speeds='1:VAL109.phi 1:VAL109.psi' coefficients='1 -2'/></constraints>"
driven=(simulate driven.xml --set simulate.integrator=verlet --set simulate.strain=warn)
run 0 "${driven[@]}" --set simulate.steps=20 --out motor
says out '7 degrees of freedom'
run 0 "${driven[@]}" --set simulate.steps=10 --out motor-half
run 0 "${driven[@]}" --set simulate.steps=20 --out motor-half --continue
for file in trajectory.csv checkpoint.cardo; do check cmp motor/$file motor-half/$file; done
check python3 - motor/trajectory.csv <<'PY'
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
column = lambda name: [float(r[[k for k in r if k.split(" (")[0] == name][0]]) for r in rows]
time, q = column("time"), column("q constant")
phi, psi, conserved = (column(name) for name in ("q 1:VAL109.phi", "q 1:VAL109.psi", "conserved"))
hinge = max(abs(x - q[0] - 0.2 * t) for x, t in zip(q, time))
gear = max(abs((a - phi[0]) - 2 * (b - psi[0])) for a, b in zip(phi, psi))
drift = max(conserved) - min(conserved)
print("hinge off by", hinge, "gear by", gear, "conserved by", drift, "phi moved", abs(phi[-1] - phi[0]))
sys.exit(not (hinge < 1e-8 and gear < 1e-8 and drift < 0.2 and abs(phi[-1] - phi[0]) > 1e-3))
PY

# Where a coordinate is placed it stays, and the strand gives way; another model's run is not gone on with.
run 0 energy ring.xml --at constant=0.1 --json
check python3 -c "import json; json.load(open('out'))"
constrained open.xml "$loose" 0.04
run 1 simulate open.xml --out half --continue --set simulate.steps=60
says err "'model.bodies 12', this run has 'model.bodies 11'"

# What cannot be met ends with the row that is farthest off; mistakes with their line.
constrained impossible.xml "$loose<constraints><rod name='tie' point1='20@CA' point2='150@CA' length='20 nm'/></constraints>"
for verb in info "simulate --out never" "energy"; do
    # shellcheck disable=SC2086
    set -- $verb
    run 3 "$1" impossible.xml "${@:2}"
    says err 'impossible.xml: the constraints cannot be met.*tie \(rod\), distance'
done
check test ! -e never
constrained short.xml '<flexible residues="110-111" torsions="phi psi" closure="rigid"/>'
run 3 energy short.xml --at constant=0.5
says err 'GLY111.*\(internal-coordinates\), '
constrained wrong.xml "<constraints>
      <rod point1='20@CA' point2='150@CO'/></constraints>"
run 1 info wrong.xml
says err 'wrong.xml:11: <rod>: point2="150@CO"'
run 0 list constraints
says out '^coordinate-coupler '
run 0 help constraints
says out '<constraints>'

finish
