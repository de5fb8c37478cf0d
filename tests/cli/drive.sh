#!/usr/bin/env bash
# cardo drive: a course, its work and loads, both modes, continuation, refusals.
. "$(dirname "$0")/support.sh"

short_elbow
write_model elbow.xml 'solvent="none" platform="CPU" threads="1"' 'timestep="10 fs"'
sed -i 's|</cardo>|  <drive motion="sinusoid" from="0.02" to="0.06" duration="2 ps" passes="2" timestep="50 fs"\n    integrator="verlet" velocities="zero" report-interval="1" checkpoint-interval="40"/>\n</cardo>|' elbow.xml

run 0 drive elbow.xml --out whole
says out '^driven: constant from 0.02 to 0.06, 2 passes of 2 ps; 6 degrees of freedom are left'
says out '^  work '
says out '^  load constant'
for file in trajectory.csv trajectory.nc topology.pdb checkpoint.cardo run.json plot.gp; do
    check test -s whole/$file
done
if command -v gnuplot >/dev/null; then
    check test -s whole/drive.png
    check test -s whole/force.png
fi
without_pictures

# Half a run and its continuation leave the same bits as the whole, work included.
run 0 drive elbow.xml --out half --set drive.steps=40
run 0 drive elbow.xml --out half --continue --set drive.steps=80
check cmp whole/trajectory.csv half/trajectory.csv
check cmp whole/trajectory.nc half/trajectory.nc
run 1 drive elbow.xml --out half --continue --set drive.to=0.07
says err 'drive.to'

run 0 drive elbow.xml --out static --set drive.mode=quasi-static --set drive.timestep=0.1

# The work is the total energy's; a cycle costs nothing; without dynamics the motive force is the
# slope of the energy; the load carries the motive force along the screw.
check python3 - <<'PY'
import csv, math, sys
def read(folder):
    rows = list(csv.DictReader(open(folder + "/trajectory.csv")))
    return [{k.split(" (")[0]: float(v) for k, v in row.items()} for row in rows]
ok = True
for name, tolerance in (("whole", 0.02), ("static", 0.05)):
    rows = read(name)
    work = [r["work"] for r in rows]
    # Courses come and go alike, so that the sum is antisymmetric but for rounding and noise.
    print(name, "work", max(work, key=abs), "at most,", work[-1], "at the end")
    ok &= max(map(abs, work)) > 5 and abs(work[-1]) < 0.02
    ok &= all(abs(r["conserved"] - rows[0]["conserved"]) < tolerance * 5 for r in rows)
    ok &= all(abs(r["conserved"] - (r["total"] - r["work"])) < 1e-6 for r in rows)
rows = read("static")
for a, b, c in zip(rows, rows[1:], rows[2:]):
    if abs(c["q constant"] - a["q constant"]) > 1e-3:
        slope = (c["potential"] - a["potential"]) / (c["q constant"] - a["q constant"])
        ok &= abs(slope - b["motive force constant"]) < 0.03 * abs(slope) + 20
for r in rows:
    ok &= abs(r["motive force constant"] + r["force constant"]) < 1
    # Seen from the hinge's frame (z along the screw, pitch p, angle a) the work of a unit of q is
    # a tau_z + p f_z; the load on the parent is the opposite.
ts = [r["load constant torque z"] for r in rows]
ok &= max(map(abs, ts)) > 1
sys.exit(not ok)
PY

# Thermostats, and what cannot be driven.
run 0 drive elbow.xml --out warm --set drive.integrator=nose-hoover --set drive.velocities=draw --set drive.duration=1
run 1 drive elbow.xml --out x --set drive.integrator=hmc
says err 'hmc'
run 1 drive elbow.xml --out x --set drive.motion=ramp
says err 'cannot turn round'
run 1 drive elbow.xml --out x --set drive.body=nobody
says err "no body 'nobody'"
run 1 drive elbow.xml --out x --set drive.body=variable
says err 'free mobilizer'
run 1 drive elbow.xml --out x --set drive.motion=spline --set drive.points='0 0.02, 1'
says err 'points'
run 0 drive elbow.xml --out through --set drive.motion=spline --set drive.points='0 0.02, 1 0.05, 2 0.03' --quiet
check test ! -s out

# Beside a path with extra angles these are free: they move, or stand at the minimum; energy and work agree to second
# order in the step.
sed 's|<path/>|<path interpolation="euler" extra="twist bend"/>|' elbow.xml >angles.xml
exact=(--provider rigid --set forcefield.precision=double)
run 0 drive angles.xml --out angles "${exact[@]}"
says out '^driven: constant q from 0.02 to 0.06, .* 8 degrees of freedom are left'
says out '^forces agree with OpenMM, Reference platform: .* is off most, by [0-9.e-]+ of [0-9.e-]+ that precision allows$'
json angles/run.json "d['forces_judged']['share_of_bound'] < 0.5 and d['forces_judged']['against'] == 'OpenMM, Reference platform'"
json angles/run.json "{e['name'] for e in d['forces_judged']['energies_kJ_per_mol']} >= {'energy bond', 'energy nonbonded', 'potential energy'}"
json angles/run.json "len(d['forces_judged']['forces']) == 9 and all(abs(f['rigid'] - f['judge']) < f['bound'] for f in d['forces_judged']['forces'])"
run 0 drive angles.xml --out finer "${exact[@]}" --set drive.timestep=0.025 --set forcefield.check-forces=no
json finer/run.json "'forces_judged' not in d"
run 0 drive angles.xml --out settled "${exact[@]}" --set drive.mode=quasi-static --set drive.timestep=0.5 --set drive.tolerance=0.1 \
    --set drive.iterations=200
check python3 - <<'PYTHON'
import csv, math, sys
read = lambda folder: list(csv.DictReader(open(folder + "/trajectory.csv")))
moving, settled = read("angles"), read("settled")
ok = all(abs(float(r["q constant q"]) - (0.04 - 0.02 * math.cos(math.pi * float(r["time (ps)"]) / 2))) < 1e-9 for r in moving)
ok &= any(abs(float(r["q constant twist (rad)"])) > 1e-5 for r in moving)
def miss(rows):
    energy = [float(r["total (kJ/mol)"]) - float(r["work (kJ/mol)"]) for r in rows]
    return max(abs(e - energy[0]) for e in energy)
print("energy less work", miss(moving), miss(read("finer")), "of", moving[-1]["work (kJ/mol)"])
ok &= miss(moving) < 1 and 3.5 < miss(moving) / miss(read("finer")) < 4.5
columns = [k for k in settled[0] if k.startswith("force constant") and ("twist" in k or "bend" in k)]
print("left at minima", [[float(r[k]) for k in columns] for r in settled])
ok &= len(columns) == 2 and all(abs(float(r[k])) < 0.15 for r in settled for k in columns)
sys.exit(not ok)
PYTHON
run 1 drive angles.xml --out x --set drive.coordinate=4
says err 'has 3 coordinates'
run 0 energy angles.xml "${exact[@]}" --from angles/trajectory.csv --json
json out "abs(d['potential_kJ_per_mol'] - float(list(__import__('csv').DictReader(open('angles/trajectory.csv')))[-1]['potential (kJ/mol)'])) < 0.01"
run 1 energy elbow.xml --from angles/trajectory.csv
says err "angles/trajectory.csv: has no 'constant', a coordinate of the model"

# What no molecule does is not done: it ends where it becomes impossible, in dynamics and without, with the files so far.
for mode in dynamic quasi-static; do
    run 3 drive elbow.xml --out far-$mode --set drive.mode=$mode --set drive.motion=smooth --set drive.from=0 --set drive.to=1 \
        --set drive.duration=1 --set drive.passes=1 --set drive.timestep=$([ $mode = dynamic ] && echo 0.005 || echo 0.1)
    says err 'at constant = 0\.[0-9]+ \(step [0-9]+, .* the motion is impossible: .* kJ/mol\)'
    says err 'strain=warn'
    says out '^stopped after'
    says out '^  IMPOSSIBLE '
    says out '^  course         constant at 0\.[0-9]+ after .*: not to its end'
    for file in trajectory.csv checkpoint.cardo run.json; do
        check test -s far-$mode/$file
    done
done
# The jump of energy that ends dynamics gone wrong ends nothing where there are none: over 100 kJ/mol a step.
run 3 drive elbow.xml --out jumps --set drive.mode=quasi-static --set drive.motion=ramp --set drive.from=0 --set drive.to=1 \
    --set drive.duration=1 --set drive.passes=1 --set drive.timestep=0.25 --set drive.strain=warn
says out '^ended, of an impossible motion, after 4 steps'
says out '^  course         constant at 1 after 1 of 1 ps$'
says err 'the course was gone, as strain=warn asks'
check python3 - <<'PY'
import csv, sys
u = [float(r["potential (kJ/mol)"]) for r in csv.DictReader(open("jumps/trajectory.csv"))]
print("energies", u)
sys.exit(not max(abs(b - a) for a, b in zip(u, u[1:])) > 1000)
PY
# Fewer steps than the course takes are told, and where it came to.
run 0 drive elbow.xml --out short --set drive.steps=20 --set drive.passes=1
says err '^warning: the course takes 2 ps, 40 steps of 0.05 ps, but 20 steps are asked for: they end at 1 ps, at constant = 0.04'
says out '^  course         constant at 0.04 after 1 of 2 ps: not to its end'
run 0 drive elbow.xml --out long --set drive.passes=1
says out '^  course         constant at 0.06 after 2 of 2 ps$'
check test ! -s <(grep warning err)

# Two hinges are led together, with one work and one force; the run goes on bitwise; one by name leaves the other free.
adk=$source_tree/pdb/adk_xray_ensemble_ca.pdb
run 0 domains "$adk#13:A" "$adk#1:A" --out two.xml --forcefield elastic-network.xml
sed -i 's|</cardo>|  <drive motion="smooth" from="0" to="0.2" duration="2 ps" timestep="10 fs" integrator="verlet" velocities="zero" report-interval="10" checkpoint-interval="50"/>\n</cardo>|' two.xml
run 0 drive two.xml --out both
says out '^driven: domain[23] with domain[23] from 0 to 0.2, .* 6 degrees of freedom are left'
run 0 drive two.xml --out both-half --set drive.steps=100
run 0 drive two.xml --out both-half --continue --set drive.steps=200
check cmp both/trajectory.csv both-half/trajectory.csv
run 0 drive two.xml --out one --set drive.body=domain2
says out '^driven: domain2 from 0 to 0.2, .* 7 degrees of freedom are left'
# What a constraint makes follow is not led besides.
sed 's|<forcefield|<constraints><coordinate-coupler equals="domain3" coordinates="domain2" function="linear" coefficients="1 0"/></constraints>\n    &|' two.xml >coupled.xml
run 0 drive coupled.xml --out coupled
says out '^driven: domain[23] from 0 to 0.2, .* 6 degrees of freedom are left'
check python3 - <<'PYTHON'
import csv, sys
def read(folder):
    return [{k.split(" (")[0]: float(v) for k, v in row.items()} for row in csv.DictReader(open(folder + "/trajectory.csv"))]
both, coupled = read("both"), read("coupled")
ok = all(r["q domain2"] == r["q domain3"] for r in both) and both[-1]["q domain2"] == 0.2
ok &= both[-1]["work"] > 1 and all(abs(r["total"] - r["work"] - both[0]["total"]) < 0.01 for r in both)
ok &= all(abs(a["work"] - b["work"]) < 1e-6 * both[-1]["work"] for a, b in zip(both, coupled))
# What work was done is the integral of the force of all over q.
span = sum((b["q domain2"] - a["q domain2"]) * (a["motive force of all"] + b["motive force of all"]) / 2 for a, b in zip(both, both[1:]))
print("work", both[-1]["work"], "force over the way", span)
ok &= abs(span - both[-1]["work"]) < 0.02 * both[-1]["work"]
sys.exit(not ok)
PYTHON
sed '0,/<path /s//<path start="0.1" /' two.xml >apart.xml
sed -i 's|motion="smooth" from="0"|motion="smooth"|' apart.xml
run 1 drive apart.xml --out x
says err "'domain[23]' starts at 0.1 and 'domain[23]' at 0: say from where they are led together"

# Signals leave a checkpoint, from which the drive goes on.
for signal in INT TERM; do
    "$cardo" drive elbow.xml --out stopped$signal --set drive.duration=1000 >out 2>err &
    pid=$!
    for _ in $(seq 100); do
        [ -s stopped$signal/trajectory.csv ] && [ "$(wc -l <stopped$signal/trajectory.csv)" -gt 2 ] && break
        sleep 0.1
    done
    kill -$signal $pid
    wait $pid
    got=$?
    [ $signal = INT ] && expected=130 || expected=143
    check test $got = $expected
    check test -s stopped$signal/checkpoint.cardo
    steps=$(tail -1 stopped$signal/trajectory.csv | cut -d, -f1)
    run 0 drive elbow.xml --out stopped$signal --continue --set drive.steps=$((steps + 5))
done
finish
