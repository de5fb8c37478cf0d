#!/usr/bin/env bash
# cardo saxs: a curve that was made of one conformation of a hinge leads back to it, a curve of another protein to nothing, and bad
# files to a sentence.
. "$(dirname "$0")/support.sh"
model="$source_tree/examples/mcg/mcg.xml"

# Any curve will do to have a profile written: fit.csv's column "fit" is that of q = 0.6.
python3 -c "
for k in range(1, 26):
    print(k / 100, 1000 / (1 + (k / 8) ** 4), 1)" >any.dat
run 0 saxs "$model" any.dat --set saxs.from=0.6 --set saxs.to=0.6 -n 3 -o made.saxs --json
check test -s made.saxs/fit.csv
check test -s made.saxs/hinge.csv
python3 - <<'END'
import csv, random
random.seed(4)
rows = list(csv.reader(open("made.saxs/fit.csv")))[1:]
open("true.dat", "w").writelines(
    "%s %.6g %.6g\n" % (r[0], float(r[3]) * (1 + 0.02 * random.gauss(0, 1)), 0.02 * abs(float(r[3]))) for r in rows)
END
run 0 saxs "$model" true.dat -n 6 -o back.saxs --json
json out "abs(d['best_q'] - 0.6) < 0.1 and d['best_q_low'] < d['best_q'] < d['best_q_high']"
json out "d['best_fit']['reduced_chi_square'] < 1.7"
run 0 saxs "$model" true.dat -n 3 -o short.saxs --qmax 0.1
says out 'reduced chi\^2'

# Rigid bodies' tables against Debye's sum: layers whose points turn with their bodies, or do not, differ by less than a hundredth of I(q).
short_elbow
write_model short.xml "" ""
run 0 saxs short.xml true.dat -n 3 -o tables.saxs
run 0 saxs short.xml true.dat -n 3 -o debye.saxs --set saxs.tolerance=0
check python3 -c "
import csv
one, two = ([float(r['fit']) for r in csv.DictReader(open(d + '.saxs/fit.csv'))] for d in ('tables', 'debye'))
assert max(abs(a / b - 1) for a, b in zip(one, two)) < 0.01"

# Shares: of two structures that a curve was made of, and along the model's coordinate with a free energy expected.
python3 - <<'END'
import csv, json, random
random.seed(11)
# The curve of q = 0.6 again, at which one conformation is enough.
rows = list(csv.reader(open("made.saxs/fit.csv")))[1:]
open("one.true.dat", "w").writelines(
    "%s %.6g %.6g\n" % (r[0], float(r[3]) * (1 + 0.02 * random.gauss(0, 1)), 0.02 * abs(float(r[3]))) for r in rows)
open("well.csv", "w").writelines("q,F\n" if k < 0 else "%g,%g\n" % (k / 10, 40 * (k / 10 - 0.6) ** 2) for k in range(-1, 11))
open("short.csv", "w").write("0,1\n0.5,2\n")
END
run 0 saxs "$model" one.true.dat -n 11 -o shared.saxs --prior well.csv --json
check test -s shared.saxs/shares.csv
check test -s shared.saxs/confidences.csv
json out "not d['ensemble']['mixture_asked_for'] and d['ensemble']['beyond_low'] <= d['ensemble']['beyond_high']"
json out "d['ensemble']['cost_kJ_per_mol'] >= 0 and d['ensemble']['theta'] > 0"
check python3 -c "
import csv
shares = [float(row[-1]) for row in list(csv.reader(open('shared.saxs/shares.csv')))[1:]]
assert len(shares) == 11 and abs(sum(shares) - 1) < 1e-6"
run 1 saxs "$model" one.true.dat -n 11 -o x.saxs --prior short.csv
says err 'goes from 0 to 0.5'
run 1 saxs "$model" one.true.dat -n 11 -o x.saxs --prior any.missing
run 0 saxs "$source_tree/pdb/2mcg_1.pdb" "$source_tree/pdb/2mcg_2.pdb" one.true.dat -o two.saxs
says out 'ensemble of 2'

# Distances that were measured beside the curve, of the same ensemble: what is told agrees with them, or nothing is told.
cat >labels <<'END'
label w 1:26 CB 15 3 4
label d 1:156 CA 15 3 4
pair wd w d fret 55 0.32 0.03
END
run 0 saxs "$model" one.true.dat -n 11 --distances labels -o joined.saxs --json
json out "abs(d['ensemble']['measured'][0]['ensemble'] - 0.32) < 0.04 and d['ensemble']['measured_chi_square'] < 1"
cp out joined
check python3 -c "
import json
wide, joined = (json.load(open(f))['ensemble'] for f in ('shared.saxs/result.json', 'joined'))
assert joined['mean_q_high'] - joined['mean_q_low'] < wide['mean_q_high'] - wide['mean_q_low']"
sed 's/0.32 0.03/0.9 0.03/' labels >wrong
run 0 saxs "$model" one.true.dat -n 11 --distances wrong -o x.saxs
says out 'no shares are concluded'
sed 's/0.32 0.03//' labels >bare
run 1 saxs "$model" one.true.dat -n 11 --distances bare -o y.saxs
says err 'no pair has a measured value'
run 1 saxs "$source_tree/pdb/2mcg_1.pdb" one.true.dat --distances labels -o y.saxs
says err 'of two structures and more'

# The curve as a force, with c1 and c2 as they were fitted: minimizing ends at the best place, within half of its error, and runs that are continued are those that were not cut.
pull=(--set path.start=0.7 --set forcefield.files=elastic-network.xml --set forcefield.parameters=stiffness=1e-9 --set forcefield.saxs=one.true.dat)
pull+=($(python3 -c "
import json
fit = json.load(open('shared.saxs/result.json'))['best_fit']
print('--set forcefield.saxs-c1=%.15g --set forcefield.saxs-c2=%.15g' % (fit['c1'], fit['c2']))"))
run 0 minimize "$model" "${pull[@]}" -o least --json
check python3 -c "
import json
best = json.load(open('shared.saxs/result.json'))
assert abs(json.load(open('out'))['coordinates']['constant'] - best['best_q']) < 0.25 * (best['best_q_high'] - best['best_q_low'])"
hills=(--set sample.method=metadynamics --set sample.coordinate=constant --set sample.from=0.3 --set sample.to=0.9 --set sample.timestep=0.1
       --set sample.friction=1 --set sample.replicas=1 --set sample.round=5 --set sample.interval=5 --set sample.equilibration=20)
run 0 sample "$model" "${pull[@]}" "${hills[@]}" --set sample.steps=80 -o uncut -q
run 0 sample "$model" "${pull[@]}" "${hills[@]}" --set sample.steps=40 -o cut -q
run 0 sample "$model" "${pull[@]}" "${hills[@]}" --set sample.steps=80 -o cut --continue -q
check test "$(grep -vc '^#' uncut/HILLS)" -ge 3
for file in pmf.csv COLVAR HILLS checkpoint.cardo; do
    check cmp uncut/$file cut/$file
done

# Frames of a run, by tables of its model's bodies and by their atoms: the same groups to what layers differ by; and more structures than are named.
run 0 simulate "$model" --set path.start=0.5 --set forcefield.files=elastic-network.xml --set forcefield.parameters=stiffness=0.0001 \
    --set simulate.steps=30 --set simulate.trajectory-interval=3 --set simulate.report-interval=3 -o frames --quiet
run 0 saxs "$model" frames one.true.dat -o by-tables.saxs --json
json out "d['frames'] == 11 and d['rigid_bodies'] and d['ensemble']['conformations'] <= 11"
cp out by-tables.json
run 0 saxs frames one.true.dat -o by-atoms.saxs --json
json out "d['frames'] == 11 and not d['rigid_bodies']"
check python3 -c "
import csv, json
one, two = (json.load(open(f)) for f in ('by-tables.json', 'out'))
assert abs(one['best_fit']['chi_square'] / two['best_fit']['chi_square'] - 1) < 0.1
assert sum(int(g['conformations']) for g in csv.DictReader(open('by-tables.saxs/groups.csv'))) == 11"
# Distances of the same frames: as the study of distances has them, and the same on any number of threads.
run 0 distances "$model" frames labels -o labelled --json
cp out labelled.json
OMP_NUM_THREADS=3 run 0 saxs "$model" frames one.true.dat --distances labels -o joined-frames.saxs --json
cp out joined-frames.json
OMP_NUM_THREADS=1 run 0 saxs "$model" frames one.true.dat --distances labels -o one-thread.saxs --json
check cmp joined-frames.saxs/groups.csv one-thread.saxs/groups.csv
check python3 -c "
import csv, json
joined = json.load(open('joined-frames.json'))
assert sum(int(g['conformations']) for g in csv.DictReader(open('joined-frames.saxs/groups.csv'))) == 11
assert joined['frames_without_room'] == 0
E = [float(row['<E>']) for row in csv.DictReader(open('labelled/distances.csv'))]
had = joined['ensemble']['measured'][0]['ensemble']
assert len(E) == 11 and min(E) - 1e-6 <= had <= max(E) + 1e-6, (had, E)"
pair=("${elbow_files[@]}")
run 0 saxs "${pair[@]}" "${pair[@]}" "${pair[@]}" "${pair[@]}" "${pair[@]}" one.true.dat -o ten.saxs --json
json out "len(d['structures']) == 10 and d['ensemble']['conformations'] == 2"
check python3 -c "
import csv
assert [g['conformations'] for g in csv.DictReader(open('ten.saxs/groups.csv'))] == ['5', '5']"

# A compact body is no antibody light chain.
python3 -c "
import math
for k in range(1, 26):
    x = k / 100 * 60
    print(k / 100, 1e4 * (3 * (math.sin(x) - x * math.cos(x)) / x ** 3) ** 2 + 0.01, 0.02)" >sphere.dat
run 0 saxs "$model" sphere.dat -n 3 -o sphere.saxs
says out 'no place of .* is concluded'
says out 'does NOT explain'

# A curve without data comes back as what it was made of; its distances' sum is I(0), but for scatterers with themselves.
run 0 saxs "$source_tree/pdb/2mcg_1.pdb" --predict --set saxs.predicted-c1=1.01 --set saxs.predicted-c2=0.5 --set saxs.predicted-error=0.01 -o told.saxs
says out 'largest distance'
run 0 saxs "$source_tree/pdb/2mcg_1.pdb" told.saxs/predicted.csv -o read-back.saxs --json
json out "abs(d['structures'][0]['c1'] - 1.01) < 1e-4 and abs(d['structures'][0]['c2'] - 0.5) < 0.01 and d['structures'][0]['chi_square'] < 1e-4"
run 0 saxs "$source_tree/pdb/2mcg_1.pdb" --predict -o bare.saxs --json
check python3 -c "
import csv, json
d = json.load(open('out'))
rows = list(csv.reader(open('bare.saxs/distances.csv')))[1:]
assert 0.9 < sum(float(r[1]) for r in rows) / d['forward'] < 1
assert len(list(csv.reader(open('bare.saxs/predicted.csv')))[1]) == 2"
run 2 saxs "$source_tree/pdb/2mcg_1.pdb" told.saxs/predicted.csv --predict -o x.saxs
says err 'without data'

# Files as they come, and those that do not.
run 0 saxs "$source_tree/pdb/alanine.pdb" any.dat -o alanine.saxs
says out 'by their range'
echo "1 2" >one.dat
run 1 saxs "$source_tree/pdb/alanine.pdb" one.dat -o x.saxs
says err 'three columns'
sed '3s/.*/0.03 nan 1/' any.dat >nan.dat
run 1 saxs "$source_tree/pdb/alanine.pdb" nan.dat -o x.saxs
says err 'nan.dat:3'
run 1 saxs "$source_tree/pdb/alanine.pdb" -o x.saxs
says err 'no curve'
run 2 saxs
finish
