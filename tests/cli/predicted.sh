#!/usr/bin/env bash
# cardo domains --pae and cardo conformations: domains of one structure by a matrix of predicted errors, a model of them on a linker, and shapes
# without clashes; damaged matrices get a sentence.
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
run 0 conformations two.xml -n 60 -m 60 --seed 2 -o other -q
check test "$(cmp shapes/conformations.csv other/conformations.csv | wc -l)" -eq 1

for bad in short:'errors of 214 residues' unsquare:'not square' nan:'no whole JSON' cut:'no whole JSON' words:'no whole JSON'; do
    run 1 domains "$chain" --pae "${bad%%:*}.json"
    says err "${bad#*:}"
done
run 1 domains "$chain" --pae nowhere.json
run 2 domains "$chain" "$source_tree/pdb/2mcg_2.pdb" --pae db.json
run 2 domains "$chain" --pae db.json --joint ball -o no.xml
finish
