#!/usr/bin/env bash
# cardo minimize: to a minimum, out of overlaps, and on from there.
. "$(dirname "$0")/support.sh"

short_elbow
write_model elbow.xml 'solvent="none" platform="CPU" threads="1"' 'timestep="10 fs" steps="4"'
run 0 minimize elbow.xml --at constant=0.1 --out down
says out 'converged'
says out '^  worst contact'
for file in minimized.pdb minimization.csv coordinates.csv run.json plot.gp; do
    check test -s down/$file
done
if command -v gnuplot >/dev/null; then
    check test -s down/minimization.png
fi
without_pictures
json down/run.json "d['command'].startswith('cardo minimize elbow.xml --at constant=0.1') and len(d['model_hash']) == 16"
says down/minimization.csv '^iteration,stage,potential \(kJ/mol\),largest force,rms force,q variable w'
run 1 minimize elbow.xml --out down
says err '--force'

# From the minimum there is nothing to gain, in any precision that the start has.
run 0 minimize elbow.xml --from down/coordinates.csv --out again --json
json out "d['converged'] and not d['soft_start'] and abs(d['potential_kJ_per_mol'] - d['first_potential_kJ_per_mol']) < 0.02"
run 0 minimize elbow.xml --out down --force --quiet
check test ! -s out
run 0 simulate elbow.xml --from down/coordinates.csv --out run --quiet
q=$(sed -n 's/^constant,//p' down/coordinates.csv)
check python3 - "$q" <<'PY'
import csv, sys
row = next(csv.DictReader(open("run/trajectory.csv")))
sys.exit(abs(float(row["q constant"]) - float(sys.argv[1])) > 1e-9)
PY

# Another model's coordinates, a file that is none, a place that is none.
sed 's/<path\/>/<free\/>/' elbow.xml >loose.xml
run 1 minimize loose.xml --from down/coordinates.csv --out x
says err 'coordinates.csv.*(fewer|of another)'
printf 'coordinate,value\nnonsense\n' >bad.csv
run 1 minimize elbow.xml --from bad.csv --out x
says err 'bad.csv:2'
run 1 minimize elbow.xml --at nobody=1 --out x
run 1 minimize elbow.xml --set minimize.tolerance=-1 --out x
says err 'tolerance'
run 1 minimize elbow.xml --set minimize.tolerence=1 --out x
says err "did you mean 'tolerance'"

# Poses in which the domains overlap, turned and shifted at random: these come out of it and back to
# the elbow's own minimum. (Not every one does: a torn chain can end up on the wrong side.)
sed 's/platform="CPU" threads="1"/platform="Reference"/' loose.xml >exact.xml
run 0 minimize exact.xml --set minimize.tolerance=5 --out home --json && cp out home.json
for pose in 1 6 12; do
    # shellcheck disable=SC2046
    run 0 minimize exact.xml $(python3 -c "
import random
random.seed($pose)
for k, size in (2, 0.4), (3, 0.4), (4, 0.4), (5, 0.9), (6, 0.9), (7, 0.9):
    print('--at constant.%d=%.6f' % (k, random.uniform(-size, size)))") \
        --set minimize.tolerance=5 --set minimize.iterations=1000 --set minimize.soft-start=yes --out pose$pose --json
    json out "d['soft_start'] and d['converged']"
    cp out pose$pose.json
    run 0 energy exact.xml --from pose$pose/coordinates.csv --json
    check python3 - $pose <<'PY'
import json, re, sys
pose = json.load(open(f"pose{sys.argv[1]}.json"))
energy = lambda text: float(re.search(r"\(([^ ]*) kJ/mol\)", text).group(1))
before, after = (energy(pose["worst_contact" + s]) for s in ("_before", ""))
print(f"worst contact {before:g} to {after:g} kJ/mol")
again, home = (json.load(open(name))["potential_kJ_per_mol"] for name in ("out", "home.json"))
print(f"{again - home:g} kJ/mol above the minimum from where the elbow stands")
sys.exit(not (before > 1000 and after < 20 and abs(again - pose["potential_kJ_per_mol"]) < 0.1 and abs(again - home) < 2))
PY
done

# A signal leaves what was reached.
for signal in INT TERM; do
    "$cardo" minimize loose.xml --at constant.5=0.5 --set minimize.tolerance=1e-9 --set minimize.iterations=100000 \
        --out stopped$signal >out 2>err &
    pid=$!
    for _ in $(seq 200); do
        [ -s stopped$signal/minimization.csv ] && break
        sleep 0.05
    done
    kill -$signal $pid
    wait $pid
    got=$?
    # It may have come to its end before the signal.
    case $signal,$got in
    INT,130 | TERM,143) says err 'interrupted' ;;
    *,0) ;;
    *) check test "$signal ended with $got" = "" ;;
    esac
    check test -s stopped$signal/coordinates.csv
done
finish
