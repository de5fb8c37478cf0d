#!/usr/bin/env bash
# cardo domains --pae and cardo conformations: domains of one structure by a matrix of predicted errors, a model of them on a linker, and shapes
# without clashes; damaged matrices get a sentence. `predicted.sh PROGRAM SOURCES long [N]` draws N (2000) shapes of a linker of twelve residues and fits a curve
# to them, and tells how long both take.
. "$(dirname "$0")/support.sh"
chain="$source_tree/pdb/2mcg_1.pdb"

# Small inside of the two domains of a light chain, with noise; large between, and for the twelve residues that join them.
python3 - "$chain" <<'END'
import json, math, random, sys
random.seed(2)
place = {}
for line in open(sys.argv[1]):
    if line.startswith("ATOM") and line[12:16].strip() == "CA":
        place[int(line[22:26])] = [float(line[30 + 8 * k:38 + 8 * k]) for k in range(3)]
number = sorted(place)
part = lambda r: 0 if r < 106 else 1 if r > 117 else -r
def error(r, s):
    if r == s:
        return 0.2
    d = math.dist(place[r], place[s])
    clean = 0.8 + 0.04 * d if part(r) == part(s) else min(1.0 + abs(r - s), 7 + 0.2 * d)
    return round(max(0.2, clean * math.exp(0.3 * random.gauss(0, 1))), 2)
rows = [[error(r, s) for s in number] for r in number]
json.dump([{"predicted_aligned_error": rows, "max_predicted_aligned_error": 31.75}], open("db.json", "w"))
json.dump({"pae": rows, "plddt": [90 if part(r) >= 0 else 40 for r in number], "max_pae": 31.7, "ptm": 0.7}, open("fold.json", "w"))
json.dump({"pae": [row[:-1] for row in rows[:-1]]}, open("short.json", "w"))
json.dump({"pae": rows[:-1]}, open("unsquare.json", "w"))
rows[3][5] = float("nan")
json.dump({"pae": rows}, open("nan.json", "w"))
open("cut.json", "w").write(open("db.json").read()[:5000])
open("words.json", "w").write("pae\n")
END

for form in db fold; do
    run 0 domains "$chain" --pae $form.json --json
    json out "len(d['domains']) == 2 and d['stable']"
    json out "all(102 <= int(e) <= 121 for e in d['linkers'][0]['residues'].split(':')[1].split('-'))"
done
json out "d['domains'][0]['plddt'] > 85 and d['linkers'][0]['plddt'] < 60"
run 0 domains "$chain" --pae fold.json --no-prepare -o two.xml
says out 'stable'
says out 'linker'
run 0 conformations two.xml -n 60 -m 60 -o shapes --json
json out "d['count'] == 60 and d['gyration_least_A'] < d['gyration_mean_A'] < d['gyration_most_A']"
check test -s shapes/trajectory.nc
check test "$(wc -l <shapes/conformations.csv)" -eq 61
# The trajectory has the atoms of the topology beside it: who reads trajectories reads it.
run 0 fit two.xml shapes/topology.pdb
# The same seed makes the same ensemble, another another.
run 0 conformations two.xml -n 60 -m 60 -o again -q
check cmp shapes/conformations.csv again/conformations.csv
run 0 conformations two.xml -n 60 -m 60 --set conformations.seed=2 -o other -q
check test "$(cmp shapes/conformations.csv other/conformations.csv | wc -l)" -eq 1

for bad in short:'errors of 214 residues' unsquare:'not square' nan:'no whole JSON' cut:'no whole JSON' words:'no whole JSON'; do
    run 1 domains "$chain" --pae "${bad%%:*}.json"
    says err "${bad#*:}"
done
run 1 domains "$chain" --pae nowhere.json
run 2 domains "$chain" "$source_tree/pdb/2mcg_2.pdb" --pae db.json
run 2 domains "$chain" --pae db.json --joint ball -o no.xml

# A curve of twenty shapes that another seed drew, 14 compact and 6 long ones with 2 % of error at each point: what the data say of the radius of gyration holds
# that of these.
if [ "${3:-}" = long ]; then
    cat >chain.xml <<END
<cardo version="1"><model name="chain"><structure id="a" file="$chain"/>
<domain name="v" residues="1:2-105"/><domain name="c" residues="1:118-216"/><hinge residues="1:106-117"/>
<body name="v" domains="v" base="welded"/><body name="c" domains="c" parent="v"><strand/></body>
<flexible residues="1:106-117" torsions="phi psi"/></model></cardo>
END
    run 0 conformations chain.xml -n 100 -m 240 --seed 9 --set conformations.trajectory=pdb -o truth -q
    python3 - <<'END' >picked
import csv
shapes = sorted((float(r["Rg (A)"]), r["conformation"]) for r in csv.DictReader(open("truth/conformations.csv")))
for rg, k in shapes[:14] + shapes[-6:]:
    print(k, rg)
END
    while read -r k _; do
        run 0 saxs truth/trajectory.pdb#$k:1 --predict --set saxs.predicted-c1=1.01 --set saxs.predicted-c2=0.5 --set saxs.q-high="0.3 1/A" \
            --set saxs.predicted-points=60 -o predicted.$k -q
    done <picked
    python3 - <<'END'
import csv, random
random.seed(5)
picked = [line.split()[0] for line in open("picked")]
curves = [[(float(r[0]), float(r[1])) for r in list(csv.reader(open(f"predicted.{k}/predicted.csv")))[1:]] for k in picked]
with open("mixed.dat", "w") as out:
    for points in zip(*curves):
        q, I = points[0][0], sum(p[1] for p in points) / len(points)
        if q > 0.01:
            out.write("%.6f %.8g %.8g\n" % (q, I * (1 + 0.02 * random.gauss(0, 1)), 0.02 * I))
END
    begun=$SECONDS
    run 0 conformations chain.xml -n "${4:-2000}" -m 240 -o drawn -q
    drawn=$SECONDS
    run 0 saxs chain.xml drawn mixed.dat -o fitted --json
    echo "drawn in $((drawn - begun)) s, fitted in $((SECONDS - drawn)) s; processor time of this shell's children:"
    times
    check python3 -c "
import json
found = json.load(open('out'))['ensemble']
rg = [float(line.split()[1]) for line in open('picked')]
mean = sum(rg) / len(rg)
print('mean Rg: made of %.2f A, told %.2f to %.2f; drawn %.2f' % (mean, found['mean_q_low'], found['mean_q_high'], found['mean_q']))
assert found['mean_q_low'] - 0.3 < mean < found['mean_q_high'] + 0.3"
fi
finish
