#!/usr/bin/env bash
# cardo sample: a study from end to end, the same bits from any number of processes and after a kill, refusals.
. "$(dirname "$0")/support.sh"

need_shared
write_lao_wells lao.xml 'steps="1000" round="100"'

run 0 sample lao.xml --out one --processes 1
says out '^along mobile from -0.2 to 1 by umbrella; .* langevin'
says out '^14 windows from -0.2 to 1'
says out '^exchange between windows: [0-9]+ % of'
says out '^F is known to'
says out '^state 0.5 to 1 lies'
says out 'converged$'
for file in pmf.csv states.csv windows.csv overlap.csv convergence.csv COLVAR u_kn.npy N_k.npy checkpoint.cardo run.json plot.gp; do
    check test -s one/$file
done
if command -v gnuplot >/dev/null; then
    check test -s one/pmf.png
fi
says one/COLVAR '^#! FIELDS time mobile walker potential bias'

same() { # folders that must agree in all that a study finds
    for file in pmf.csv states.csv windows.csv overlap.csv convergence.csv COLVAR u_kn.npy N_k.npy checkpoint.cardo; do
        check cmp "$1/$file" "$2/$file"
    done
}

run 0 sample lao.xml --out two --processes 2 --quiet
same one two
if command -v mpirun >/dev/null && mpirun --allow-run-as-root --oversubscribe -n 4 true 2>/dev/null; then
    mpirun --allow-run-as-root --oversubscribe -n 4 "$cardo" sample lao.xml --out four --quiet
    same one four
fi

# One process of two is killed where the checkpoint holds some rounds; what is left goes on.
"$cardo" sample lao.xml --out killed --processes 2 >/dev/null 2>killed.err &
parent=$!
for _ in $(seq 600); do
    grep -qE '^ *[1-8]0 %' killed.err && break
    kill -0 $parent 2>/dev/null || break
    sleep 0.05
done
child=$(pgrep -P $parent | head -1)
check kill -KILL "${child:-$parent}"
wait $parent
check test $? != 0
check test ! -e killed/pmf.csv
run 0 sample lao.xml --out killed --continue --processes 1 --quiet
same one killed

# A longer study goes on from a shorter one.
run 0 sample lao.xml --out longer --set sample.steps=700 --quiet
run 0 sample lao.xml --out longer --continue --quiet
same one longer
run 1 sample lao.xml --out longer --continue --set sample.friction=2
says err 'sample.friction'
run 1 sample lao.xml --out longer
says err 'holds a run already'

run 0 sample lao.xml --out json --json --processes 2
json out 'len(d["xi"]) == 20 and len(d["states"]) == 2 and d["method"] == "umbrella"'

# What cannot succeed is told at once.
run 1 sample lao.xml --out bad --set sample.windows=3 --set sample.stiffness=3000
says err 'do not overlap'
run 1 sample lao.xml --out bad --force --set sample.coordinate=moblie
says err "no body 'moblie'"
run 1 sample lao.xml --out bad --force --set sample.from=0.2
says err 'outside of the range'
run 1 sample lao.xml --out bad --force --set sample.to=9
says err 'atoms clash'
run 1 sample lao.xml --out bad --force --set sample.method=umbrela
says err "did you mean 'umbrella'"
run 1 sample lao.xml --out bad --force --set sample.integrator=verlet
says err 'keeps no temperature'
run 1 sample lao.xml --out bad --force --set sample.widnows=9
says err "did you mean 'windows'"
run 1 sample lao.xml --out bad --force --set sample.states=0.2:0.1
says err 'state 0.2:0.1'
run 2 sample lao.xml --out bad --processes none
finish
