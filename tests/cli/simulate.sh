#!/usr/bin/env bash
# cardo simulate: files, continuation, signals, refusal to overwrite.
. "$(dirname "$0")/support.sh"

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
check test "$(wc -l <whole/trajectory.csv)" = 12
says whole/trajectory.csv '^step,time \(ps\)'

# Half a run and its continuation leave the same bits as the whole.
run 0 simulate elbow.xml --out half --set simulate.steps=20
run 0 simulate elbow.xml --out half --continue
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

# An interrupt leaves a checkpoint, from which the run goes on.
"$cardo" simulate elbow.xml --out stopped --set simulate.steps=1000000 >out 2>err &
pid=$!
for _ in $(seq 100); do
    [ -s stopped/trajectory.csv ] && [ "$(wc -l <stopped/trajectory.csv)" -gt 2 ] && break
    sleep 0.2
done
kill -INT $pid
wait $pid
check test $? = 130
says err 'checkpoint'
check test -s stopped/checkpoint.cardo
steps=$(tail -1 stopped/trajectory.csv | cut -d, -f1)
run 0 simulate elbow.xml --out stopped --continue --set simulate.steps=$((steps + 20))
finish
