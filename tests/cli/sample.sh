#!/usr/bin/env bash
# cardo sample: a study from end to end, the same bits from two processes and in pieces, refusals. sample-ranks.sh has ranks and kills.
. "$(dirname "$0")/support.sh"

need_shared
write_lao_wells lao.xml 'steps="500" round="100"'

run 0 sample lao.xml --out one --processes 1
says out '^along mobile from -0.2 to 1 by umbrella; .* langevin'
says out '^14 windows from -0.2 to 1'
says out '^exchange between windows: [0-9]+ % of'
says out '^F is known to'
says out '^state 0.5 to 1 lies'
says out '^(not converged|doubtful: .*)$'
for file in pmf.csv states.csv windows.csv overlap.csv convergence.csv COLVAR u_kn.npy N_k.npy checkpoint.cardo run.json plot.gp; do
    check test -s one/$file
done
if command -v gnuplot >/dev/null; then
    check test -s one/pmf.png
fi
without_pictures
says one/COLVAR '^#! FIELDS time mobile walker potential bias'

same() { # folders that must agree in all that a study finds
    for file in pmf.csv states.csv windows.csv overlap.csv convergence.csv COLVAR u_kn.npy N_k.npy checkpoint.cardo; do
        check cmp "$1/$file" "$2/$file"
    done
}

run 0 sample lao.xml --out two --processes 2 --quiet
same one two

# A longer study goes on from a shorter one.
run 0 sample lao.xml --out longer --set sample.steps=300 --quiet
run 0 sample lao.xml --out longer --continue --set sample.steps=500 --quiet
same one longer
run 1 sample lao.xml --out longer --continue --set sample.friction=2
says err 'sample.friction'
run 1 sample lao.xml --out longer
says err 'holds a run already'

run 0 sample lao.xml --out json --json --set sample.steps=200 --processes 2
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
# What can be seen without a force is told before anything is computed, and leaves no folder.
refused() { # pattern, words that are set
    local pattern=$1
    shift
    run 1 sample lao.xml --out early "$@"
    says err "$pattern"
    check test ! -e early
}
refused 'state 0.2:0.1 is empty' --set sample.states=0.2:0.1
refused 'state 2:3 is empty or lies outside of the range' --set sample.states=2:3
refused 'one state is compared with nothing' --set sample.states=0:0.1
refused 'begins at mobile = 0, outside of the range' --set sample.from=0.3
refused 'steps="0" samples nothing' --set sample.steps=0
refused 'keeps no temperature' --set sample.integrator=verlet
refused 'friction="0" joins walkers to no bath' --set sample.friction=0
refused 'collision-rate="0" joins walkers to no bath' --set sample.integrator=andersen --set sample.collision-rate=0
refused 'relaxation of at least 0.8 ps' --set sample.integrator=nose-hoover --set sample.timestep=0.4
refused "no option 'remove-drift' any more" --set sample.remove-drift=yes
distance=(--set sample.variable=distance --set sample.a=1-89 --set sample.b=92-191 --set sample.states=)
refused 'distance is never below 0' "${distance[@]}" --set sample.from=-0.2 --set sample.to=4
refused 'angle .in rad. is never above 3.14159' --set sample.variable=angle --set sample.a=1-50 --set sample.b=60-89 \
    --set sample.c=92-191 --set sample.from=0 --set sample.to=180
refused 'begins at distance = [0-9.]*, outside of the range' "${distance[@]}" --set sample.from=0 --set sample.to=1
# The end that is proposed is one that is taken.
to=$(sed -n 's/.*--set sample.to=\([0-9.]*[0-9]\).*/\1/p' err)
run 0 sample lao.xml --out wider "${distance[@]}" --set sample.from=2.5 --set sample.to="$to" --set sample.method=scan --quiet
# States are the same whichever variable tells them apart: along a distance, too, a scan is the free energy of the model.
distance_at() { # place on the path
    run 1 sample lao.xml --out early "${distance[@]}" --set sample.from=0.1 --set sample.to=0.2 --at mobile="$1"
    sed -n 's/.*begins at distance = \([0-9.]*\),.*/\1/p' err
}
if figures; then
near=$(distance_at 1) half=$(distance_at 0.6) open=$(distance_at 0.4) far=$(distance_at -0.1)
run 0 sample lao.xml --out by-path --set sample.method=scan --set sample.states="-0.1:0.4 0.6:1" --quiet
run 0 sample lao.xml --out by-distance "${distance[@]}" --set sample.method=scan --set sample.from="$near" --set sample.to="$far" \
    --set sample.states="$open:$far $near:$half"
says out '^one coordinate q is all that varies'
check python3 - <<'PY'
import sys
path, distance = (float(open(name + "/states.csv").readlines()[2].split(",")[2]) for name in ("by-path", "by-distance"))
print("closed against open, kJ/mol: %.4f along the path, %.4f along the distance" % (path, distance))
sys.exit(not (abs(path - distance) < 0.01 and abs(path) > 1))
PY
fi
run 1 sample lao.xml --out one-window --set sample.windows=1
says err 'one window would sample about mobile = -0.2 only'

# Windows are neighbours within their temperature, not across.
run 0 sample lao.xml --out hot --set sample.temperatures=340 --set sample.to=0.4 --set sample.windows=6 --set sample.steps=200 \
    --set "sample.states=-0.2:0.1 0.1:0.4" --processes 1
says out '^12 walkers'
says out '^exchange between temperatures'
says out '^neighbouring windows overlap by at least 0'

# A state that no part of the run knows leaves a picture out, and fails nothing.
run 0 sample lao.xml --out unknown --set sample.to=0.3 --set sample.windows=3 --set sample.steps=100 --set "sample.states=0:0.1 0.299999:0.3"
check test -s unknown/pmf.csv
run 2 sample lao.xml --out bad --processes none
finish
