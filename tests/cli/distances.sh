#!/usr/bin/env bash
# cardo distances: labels on structures, on a model along its coordinate, and in a trajectory of it; wrong tables get a sentence.
. "$(dirname "$0")/support.sh"
model="$source_tree/examples/mcg/mcg.xml"
one="$source_tree/pdb/2mcg_1.pdb"
cat >labels <<'END'
# lengths in angstrom
label v 1:42 CB 15 3 4
label c 1:202 CB 15 3 4
pair across v c fret 55 0.4 0.05
pair spins v c deer
END
run 0 distances "$one" labels -o one.d --set distances.points=300 --json
json out "20 < d['pairs'][0]['mean_A'] < 70 and abs(d['distances'][0]['mean_A'] - d['pairs'][0]['mean_A']) < 1e-9"
json out "abs(d['pairs'][0]['efficiency'] - 1 / (1 + (d['pairs'][0]['apparent_A'] / 55) ** 6)) < 1e-6"
check python3 -c "
import csv, sys
rows = list(csv.reader(open('one.d/distributions.csv')))[1:]
sys.exit(abs(0.5 * sum(float(r[1]) for r in rows) - 1) > 1e-4)"
check test -s one.d/distances.csv
check test -s one.d/signals.csv
# A model's start is the structure, but that its two bodies carry the clouds; along its coordinate distances change.
run 0 distances "$model" labels -n 3 -o along.d --set distances.points=300 --json
json out "d['conformations'] == 3 and d['distances'][0]['mean_A'] != d['distances'][4]['mean_A']"
# Frames: those of a run, by its model's bodies and by the topology that it left, which is no conformation itself.
run 0 simulate "$model" --set path.start=0.5 --set forcefield.files=elastic-network.xml --set forcefield.parameters=stiffness=0.0001 \
    --set simulate.steps=8 --set simulate.trajectory-interval=4 --set simulate.report-interval=4 -o frames --quiet
for atoms in "$model frames" "frames" "frames/topology.pdb frames/trajectory.nc"; do
    run 0 distances $atoms labels --set distances.points=300 -o frames.d -f --json
    json out "d['conformations'] == 3 and d['distances'][0]['conformation'] == 'trajectory.nc#1'"
done
cp frames/trajectory.nc alone.nc
run 1 distances alone.nc labels -o x.d
says err 'does not say what its atoms are'
run 0 distances "$one" labels --set distances.points=300 -o said.d
says out 'across .*FRET'
says out 'off by'

# A signal that the program made of a distribution leads back to it.
python3 - <<'END'
import csv, random
random.seed(3)
rows = list(csv.reader(open("one.d/signals.csv")))[1:]
open("measured.dat", "w").write("# t V\n" + "".join("%s %.6f\n" % (t, 3 * (float(v) + 0.003 * random.gauss(0, 1))) for t, v in rows))
open("few.dat", "w").write("0 1\n1 0.9\n")
END
run 0 distances "$one" labels --set distances.points=300 --set distances.replicates=10 --signal measured.dat -o back.d --json
json out "d['from_signal']['overlap'] > 0.8 and abs(d['from_signal']['mean_A'] - d['pairs'][1]['mean_A']) < 2"
check test -s back.d/inverse.csv
run 1 distances "$one" labels --signal few.dat -o x.d
says err 'has 2 rows'

# A user's rotamers: one of each label, 6 A from its CA, so that the distance is that of two points, in a model too.
python3 - <<'END'
with open("rotamers.pdb", "w") as out:
    out.write("MODEL        1\n")
    for k, (name, x) in enumerate([("N", (-0.5, 1.36, 0)), ("CA", (0, 0, 0)), ("C", (1.525, 0, 0)), ("N1", (-2, -2, 5.3))]):
        out.write("ATOM  %5d  %-3s R1A A   1    %8.3f%8.3f%8.3f  1.00  0.00           %s\n" % (k + 1, name, *x, name[0]))
    out.write("ENDMDL\n")
END
printf 'label a 1:42 rotamers rotamers.pdb N1\nlabel b 1:202 rotamers rotamers.pdb N1\npair ab a b deer\n' >turned
run 0 distances "$one" turned -o turned.d --json
json out "0 <= d['distances'][0]['spread_A'] < 1e-3 and 10 < d['pairs'][0]['mean_A'] < 70"
cp out turned.json
run 0 distances "$model" turned -n 2 -o turned.d -f --json
json out "abs(d['distances'][0]['mean_A'] - json.load(open('turned.json'))['pairs'][0]['mean_A']) < 1e-6 and d['distances'][1]['mean_A'] != d['distances'][0]['mean_A']"
sed 's/N1/O1/' turned >bad
run 1 distances "$one" bad -o x.d
says err 'has no atom O1'
sed 's/rotamers.pdb/nowhere.pdb/' turned >bad
run 1 distances "$one" bad -o x.d
says err 'nowhere.pdb'

printf 'label v 1:42 CB 15 3 4\npair x v c fret 55\n' >bad
run 1 distances "$one" bad -o x.d
says err 'bad:2: pair x names label c'
printf 'label v 1:900 CB 15 3 4\npair x v v fret 55\n' >bad
run 1 distances "$one" bad -o x.d
says err 'label v'
printf 'label v 1:42 CX 15 3 4\npair x v v fret 55\n' >bad
run 1 distances "$one" bad -o x.d
says err 'has no atom CX'
run 1 distances "$one" -o x.d
says err 'no table of labels'
run 1 distances labels -o x.d
says err 'no structure'
run 1 distances "$model" "$one" labels -o x.d
run 2 distances
finish
