#!/usr/bin/env bash
# cardo simulate: files, continuation, signals, refusal to overwrite.
. "$(dirname "$0")/support.sh"

short_elbow
options='integrator="langevin" timestep="10 fs" steps="40" report-interval="4" trajectory-interval="8" checkpoint-interval="20"'
write_model elbow.xml 'solvent="none" platform="CPU" threads="1"' "$options"
run 0 simulate elbow.xml --out whole
says out 'ns/day'
for file in trajectory.csv trajectory.nc topology.pdb checkpoint.cardo run.json plot.gp; do
    check test -s whole/$file
done
if command -v gnuplot >/dev/null; then
    check test -s whole/trajectory.png
fi
without_pictures
check test "$(wc -l <whole/trajectory.csv)" = 12
says whole/trajectory.csv '^step,time \(ps\)'

# Half a run and its continuation leave the same bits as the whole.
run 0 simulate elbow.xml --out half --set simulate.steps=20
run 0 simulate elbow.xml --out half --continue --set simulate.steps=40
check cmp whole/trajectory.csv half/trajectory.csv
check cmp whole/trajectory.nc half/trajectory.nc

run 1 simulate elbow.xml --out whole
says err 'continue'
run 0 simulate elbow.xml --out whole --force --quiet --set simulate.trajectory=dcd
check test ! -s out
check test -s whole/trajectory.dcd
run 1 simulate elbow.xml --out nothing --continue
says err 'no checkpoint'
run 1 simulate elbow.xml --out half --continue --set simulate.timestep=0.02
says err 'timestep'

# A signal leaves a checkpoint, from which the run goes on.
for signal in INT TERM; do
    "$cardo" simulate elbow.xml --out stopped$signal --set simulate.steps=1000000 >out 2>err &
    pid=$!
    for _ in $(seq 100); do
        [ -s stopped$signal/trajectory.csv ] && [ "$(wc -l <stopped$signal/trajectory.csv)" -gt 2 ] && break
        sleep 0.2
    done
    kill -$signal $pid
    wait $pid
    got=$?
    [ $signal = INT ] && expected=130 || expected=143
    check test $got = $expected
    says err 'checkpoint'
    check test -s stopped$signal/checkpoint.cardo
    steps=$(tail -1 stopped$signal/trajectory.csv | cut -d, -f1)
    run 0 simulate elbow.xml --out stopped$signal --continue --set simulate.steps=$((steps + 20))
done

# A table of forces whose nodes would lie farther apart than atoms feel is refused, with no folder left.
exact=(--provider rigid --set forcefield.platform= --set forcefield.precision=double --set simulate.steps=3)
for range in -1e6:1e6 -1000:1000; do
    run 1 simulate elbow.xml --out wide "${exact[@]}" --set forcefield.table=$range
    says err "forcefield.table=\"$range\": the force table's range is too wide: .* nodes .* 20000 evaluations are allowed; narrow"
    check test ! -e wide
done
# One that fits says what it was checked at, the start among it, and stores the largest error.
run 0 simulate elbow.xml --out table "${exact[@]}" --set forcefield.table=-0.001:0.004
says out 'at most 0\.[0-9]+ of that at [0-9]+ points between nodes, the start among them, [0-9.e-]+ kJ/mol per unit at'
says table/forces.table '^# worst 0\.[0-9]+ [0-9.e-]+ -?[0-9.e-]+$'
run 0 simulate elbow.xml --out table "${exact[@]}" --set forcefield.table=-0.001:0.004 --continue --set simulate.steps=5
says out 'read from forces.table'

# A start in a clash is told by minimize, energy and modes, and refused here, with what to do and no folder left.
run 1 simulate elbow.xml --out clash --at constant=0.5
says err 'the start is impossible: (contact|bond) 1:[A-Z]+[0-9]+ .* kJ/mol.*cardo minimize'
check test ! -e clash
run 0 simulate elbow.xml --out clash --at constant=0.02 --set simulate.steps=1 --quiet
check test ! -s err
run 1 simulate elbow.xml --out clash --force --at constant=-0.1
run 0 energy elbow.xml --at constant=-0.1
says err '^warning: this configuration is impossible'
run 0 minimize elbow.xml --at constant=-0.1 --out away --set minimize.iterations=3 --quiet
says err '^warning: the start is impossible'
run 0 modes elbow.xml --set modes.stiffness=forces --set modes.minimize=no --at constant=-0.1 --out modes --quiet
says err '^warning: the start is impossible'
run 0 simulate elbow.xml --out asked --at constant=0.5 --set simulate.strain=warn --set simulate.steps=2
says err '^warning: the start is impossible'

# A damaged checkpoint is refused, and the manifest says how to repeat the run.
printf 'X' | dd of=half/checkpoint.cardo bs=1 seek=200 conv=notrunc 2>/dev/null
run 1 simulate elbow.xml --out half --continue --set simulate.steps=50
says err 'damaged'
json whole/run.json "d['command'].startswith('cardo simulate elbow.xml') and d['seed'] == 1 and len(d['model_hash']) == 16 and 'OpenMM' in d['openmm'] and d['platform'] == 'CPU'"

# What would change the ensemble is refused with what to do instead, and so is a bath too fast for the step.
run 1 simulate elbow.xml --out drift --set simulate.remove-drift=yes
says err "no option 'remove-drift' any more.*base=.welded.*superpose"
check test ! -e drift
run 1 simulate elbow.xml --out fast --set simulate.integrator=nose-hoover --set simulate.timestep=0.4
says err 'relaxation of at least 0.8 ps, or a timestep of at most 0.25 ps'
check test ! -e fast
finish
