#!/usr/bin/env bash
# Events of cardo simulate: the table, stopping, continuation; and the error-controlled integrators.
. "$(dirname "$0")/support.sh"

without_pictures
short_elbow
options='integrator="verlet" timestep="20 fs" steps="40" report-interval="1" trajectory-interval="8" checkpoint-interval="10"'
write_model elbow.xml 'solvent="none" platform="CPU" threads="1"' "$options"
run 0 simulate elbow.xml --out plain
check test ! -e plain/events.csv
# A value that the coordinate passes: half way between its least and its greatest.
column=$(head -1 plain/trajectory.csv | tr , '\n' | grep -n '^q constant$' | cut -d: -f1)
value=$(tail -n +2 plain/trajectory.csv | cut -d, -f"$column" | sort -g | sed -n '20p')

for integrator in verlet langevin rk-merson adams bdf; do
    words="simulate.events=constant=$value; constant=9.5 rising stop"
    run 0 simulate elbow.xml --out "$integrator" --set "simulate.integrator=$integrator" --set "$words"
    says "$integrator"/events.csv '^event,step,time \(ps\),direction,'
    run 0 simulate elbow.xml --out "half-$integrator" --set "simulate.integrator=$integrator" --set "$words" \
        --set simulate.steps=17
    run 0 simulate elbow.xml --out "half-$integrator" --continue --set simulate.steps=40
    check cmp "$integrator"/events.csv "half-$integrator"/events.csv
    check cmp "$integrator"/trajectory.csv "half-$integrator"/trajectory.csv
done
says verlet/events.csv '^1,[0-9]+,0\.[0-9]+,-?1,'
says out 'steps of its own'

# The event's own row holds the value, between the rows of the steps around it.
row=$(sed -n 2p verlet/events.csv)
check awk -v a="$(cut -d, -f"$(head -1 verlet/events.csv | tr , '\n' | grep -n '^q constant$' | cut -d: -f1)" <<<"$row")" \
    -v b="$value" 'BEGIN {exit !(a - b < 1e-9 && b - a < 1e-9)}'

run 0 simulate elbow.xml --out stopped --set "simulate.events=constant=$value stop"
says out 'ended by an event'
check test "$(wc -l <stopped/events.csv)" = 2
check test "$(tail -1 stopped/trajectory.csv | cut -d, -f1)" = "$(tail -1 stopped/events.csv | cut -d, -f2)"

for bad in 'constant' 'constant=x' 'constant=1 up' 'nobody=1' 'variable=1'; do
    run 1 simulate elbow.xml --out bad --force --set "simulate.events=$bad"
    says err 'events: '
done
run 0 help simulate
says out 'events='
finish
