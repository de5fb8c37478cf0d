#!/usr/bin/env bash
# cardo domains: two structures to a model that runs; ensembles; predictions; what it refuses.
. "$(dirname "$0")/support.sh"

elbow=("$source_tree/pdb/2mcg_1.pdb" "$source_tree/pdb/2mcg_2.pdb")
# The half of it that is next to the hinge, and what is nearest, for what takes long.
for i in 1 2; do
    excerpt "${elbow[i - 1]}" 66 155 >half$i.pdb
    excerpt "${elbow[i - 1]}" 88 137 >near$i.pdb
done
run 0 domains "${elbow[@]}"
says out 'two domains, one hinge of 135\.[0-9] degrees, explains 91 % of 12\.9. A'
says out 'rotation windows: 2 domains'
says out 'strands +1:[0-9]+-[0-9]+ \([0-9.]+ A from the axis\)'
run 0 domains "${elbow[@]}" --json
json out "d['rigid_hinge'] and d['kind'] == 'hinged' and abs(d['hinges'][0]['angle_deg'] - 135.5) < 0.5"
json out "len(d['domains']) == 2 and d['domains'][1]['parent'] == 'domain1' and not d['prediction']"
json out "abs(d['explained'] - (1 - d['rmsd_left_A'] / d['rmsd_before_A'])) < 1e-12"

# Two files, a model, and its simulation, with nothing edited.
run 0 domains "${elbow[@]}" --out elbow.xml
for file in elbow.xml elbow.domains.xml elbow.pml elbow.cxc; do check test -s $file; done
check test ! -e elbow_start.pdb
run 0 info elbow.xml --platform CPU
says out 'rotation +135\.[0-9]+ degrees'
run 0 simulate elbow.xml --platform CPU --out run --set simulate.steps=2
check test -s run/trajectory.csv
run 1 domains "${elbow[@]}" --out elbow.xml
says err 'there already'
run 0 domains "${elbow[@]}" --out elbow.xml --force --quiet
check test ! -s out

# Rigid domains are good as far as their strands hold; the range is told and stands in the model.
run 0 domains "${elbow[@]}" --out rigid.xml --rigid
says out 'good from q = 0 to 0\.[0-9]+, all else standing still; at q = 0\.[0-9]+ bond 1:'
check grep -q 'note="the motion to it was tried: good from q = 0 to 0' rigid.xml
run 0 info rigid.xml --platform CPU
run 0 domains "${elbow[@]}" --out rigid.xml --force --json
json out "d['trial']['good_from_q'] == 0 and 0 < d['trial']['good_to_q'] < 1 and not d['trial']['whole']"
json out "all(p['broken_there'] == 0 for p in d['trial']['places'] if p['q'] <= d['trial']['good_to_q'])"

# An elbow that folds by 135 degrees comes to its end with four iterations a place (with one it hangs on last bits), though not to minima, which is told; its
# domains get a geometry for both ends, which takes the first structure's place.
run 0 domains near1.pdb near2.pdb --out giving.xml --flexible --set domains.iterations=4 --set domains.cycle-iterations=1 --set domains.heat=2 --set domains.rounds=1 --set domains.reference=1 --json
check grep -q '<flexible residues="1:10[0-9]' giving.xml
check grep -q 'file="giving_settled.pdb" note="atoms moved by ' giving.xml
json out "d['trial']['strain_unknown'] == (d['trial']['reference_hysteresis_kJ_per_mol'] > 60)"
json out "sum('strain_kJ_per_mol' in p for p in d['trial']['places']) == (0 if d['trial']['strain_unknown'] else 6)"
json out "0 <= d['trial']['regained_A'] < 100"
json out "d['settled_file'] == 'giving_settled.pdb' and 0 < d['settled_moved_A'] < 2 and d['settled_fall_kJ_per_mol'] > 0"
check grep -q 'extra="twist bend stretch shear slide"' giving.xml
json out "d['trial']['whole'] and d['trial']['torsions'] > 10 and len(d['trial']['places']) == 11"
json out "('; a cycle takes' in d['trial']['verdict']) == (d['trial']['cycle_work_kJ_per_mol'] > 10)"
json out "('minima were not reached' in d['trial']['verdict']) == ('stops_not_at_rest' in d['trial'] and d['trial']['cycle_work_kJ_per_mol'] <= 10)"
check test "$(tail -1 giving.places.csv | cut -d, -f2)" = 0
check grep -q 'start="giving.places.csv"' giving.xml
run 0 energy giving.xml --from giving.places.csv --json
cp out given
run 0 energy giving.xml --json
json out "d['potential_kJ_per_mol'] == json.load(open('given'))['potential_kJ_per_mol']"

# A ligand goes with its domain through all of that: a glycine, which lies on the side of the first domain.
if figures; then
    {
        cat near1.pdb
        echo TER
        cat <<'PDB'
HETATM 9000  N   GLY 1 900      33.161 -16.327  99.541  1.00  0.00           N
HETATM 9000  CA  GLY 1 900      32.628 -16.847  98.274  1.00  0.00           C
HETATM 9000  C   GLY 1 900      33.436 -16.298  97.127  1.00  0.00           C
HETATM 9000  O   GLY 1 900      34.361 -15.551  97.342  1.00  0.00           O
HETATM 9000  OXT GLY 1 900      33.127 -16.640  95.866  1.00  0.00           O
PDB
    } >bound1.pdb
    run 0 domains bound1.pdb near2.pdb --out bound.xml --flexible --keep ligands --set domains.hold=0 --set domains.iterations=4 --set domains.cycle-iterations=1 --set domains.heat=2 --set domains.rounds=1 --set domains.reference=1 --json
    check grep -q '<ligand name="GLY" residues="1:900" parent="domain2" joint="weld"/>' bound.xml
    check grep -q 'file="bound_settled.pdb"' bound.xml
    check test "$(grep -c 'GLY 1 900 ' bound_settled.pdb)" = 10
    json out "d['trial']['whole']"
    run 0 info bound.xml --platform CPU
    says out 'residues 1:900: welded on domain2'
fi
sed '1s/q domain2 twist/q domain2 whirl/' giving.places.csv >odd.csv
run 1 energy giving.xml --set model.start=odd.csv
says err "odd.csv: has no coordinate 'domain2 twist'"
run 0 energy giving.xml --set model.start=none --json
json out "d['potential_kJ_per_mol'] > json.load(open('given'))['potential_kJ_per_mol']"
check grep -q "giving.places.csv" giving.places.gp
run 0 info giving.xml --platform CPU

# One domain pushed into the other, four fifths of the way to its middle, is a motion that no model makes: after two attempts told with its range, and exit 3.
if figures; then
    awk 'NR == FNR { side = substr($0, 23, 4) + 0 > 110; ++n[side]; for (k = 0; k < 3; ++k) c[side, k] += substr($0, 31 + 8 * k, 8); next }
         { for (k = 0; k < 3; ++k) x[k] = substr($0, 31 + 8 * k, 8) + (substr($0, 23, 4) + 0 > 110) * 0.8 * (c[0, k] / n[0] - c[1, k] / n[1])
           printf "%s%8.3f%8.3f%8.3f%s\n", substr($0, 1, 30), x[0], x[1], x[2], substr($0, 55) }' near2.pdb near2.pdb >into.pdb
    run 3 domains near1.pdb into.pdb --out jam.xml --flexible --set domains.iterations=1 --set domains.cycle-iterations=1 --set domains.heat=2 --set domains.rounds=1 --set domains.reference=0
    says err 'does not make its motion: good (nowhere|at q|from q)'
    says out '^its ends were (annealed; heated once|heated once; annealed), the model would be good (nowhere|at|from)'
    check grep -q 'note="the motion to it was tried: ' jam.xml
fi

for joint in hinge pin ball free; do
    run 0 domains "${elbow[@]}" --out $joint.xml --joint $joint --base welded --quiet
    run 0 info $joint.xml --platform CPU
    says out 'joined to ground by weld'
done
says out 'joined to domain1 by free'
run 2 domains "${elbow[@]}" --joint knee
run 2 domains "${elbow[0]}" --joint path

# A file without hydrogens is prepared, from another folder too.
grep -v ' H[A-Z0-9]* *[A-Z][A-Z][A-Z] 1' half1.pdb >bare.pdb
mkdir made
run 0 domains bare.pdb half2.pdb --out made/bare.xml
says out '^Prepared bare.pdb -> made/bare_start.pdb'
says out '^to look at: '
check test -s made/bare_start.pdb
run 0 info made/bare.xml --platform CPU
says out 'potential .* kJ/mol'
run 0 domains bare.pdb half2.pdb --out raw.xml --no-prepare
check test ! -e raw_start.pdb

# Waters and ligands that are left out are told by name, number and place, of both structures.
{ grep '^ATOM' "${elbow[1]}"
  printf 'HETATM 9001  O   HOH 1 301      10.000  10.000  10.000  1.00  0.00           O\n'
  printf 'HETATM 9002  O   HOH 1 302      20.000  10.000  10.000  1.00  0.00           O\n'
  printf 'HETATM 9003 ZN    ZN 1 303      10.000  30.000  10.000  1.00  0.00          ZN\n'; } >wet.pdb
run 0 domains "${elbow[0]}" wet.pdb --out wet.xml
says out '^  end +wet: '
says out 'left out: 2 waters; 1 ZN \(1:ZN303\)$'
says out 'hetero="ligands"'
says out '^one protein: 100 % of 215 residues that pair alike, 100 % of the first structure covered, RMSD 12\.9. A as one body'
run 0 info wet.xml --platform CPU --set forcefield.solvent=none
says out 'left out: 2 waters; 1 ZN \(1:ZN303\)$'
run 0 domains wet.pdb "${elbow[0]}" --json
json out "d['left_out']['start'] == '2 waters; 1 ZN (1:ZN303)' and d['identity'] == 1 and d['coverage'] == 1"

# Of a structure that is covered, and stays as it is, what cardo prepare has to say is said: here a twisted peptide, the last
# residue turned about its bond to the one before.
python3 - "${elbow[0]}" <<'PYTHON'
import math, sys
lines = [line for line in open(sys.argv[1]) if line.startswith("ATOM")]
place = lambda line: [float(line[30 + 8 * k:38 + 8 * k]) for k in range(3)]
last = lines[-1][22:26]
start = place([line for line in lines if line[22:26] != last and line[12:16].strip() == "C"][-1])
end = place([line for line in lines if line[22:26] == last and line[12:16].strip() == "N"][0])
axis = [b - a for a, b in zip(start, end)]
size = math.sqrt(sum(x * x for x in axis))
u = [x / size for x in axis]
c, s = math.cos(0.9), math.sin(0.9)
with open("bent.pdb", "w") as out:
    for line in lines:
        if line[22:26] == last and line[12:16].strip() not in ("N", "H"):
            v = [x - a for x, a in zip(place(line), start)]
            cross = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
            along = sum(a * b for a, b in zip(u, v)) * (1 - c)
            line = line[:30] + "".join("%8.3f" % (start[k] + c * v[k] + s * cross[k] + along * u[k]) for k in range(3)) + line[54:]
        out.write(line)
PYTHON
run 0 domains bent.pdb "${elbow[1]}" --out bent.xml
check test ! -e bent_start.pdb
says out '^bent.pdb: as it is'
says out 'twisted peptide with CYS215 \(omega '

# A backbone makes no all-atom model unless one is told to; then the model, and all that is made with it, says so.
awk '/^ATOM/ { n = substr($0, 13, 4); gsub(/ /, "", n); if (n == "N" || n == "CA" || n == "C" || n == "O") print }' near1.pdb >backbone.pdb
run 1 domains backbone.pdb near2.pdb --out backbone.xml
says err '^cardo domains: backbone.pdb: [0-9]+ of [0-9]+ heavy atoms \([45][0-9] %\) are guesses'
says err 'allow-guesses'
check test ! -e backbone.xml
check test ! -e backbone_start.pdb
run 0 domains backbone.pdb near2.pdb --out backbone.xml --allow-guesses
says out '% OF ALL HEAVY ATOMS ARE GUESSES'
says out '^[0-9]+ of [0-9]+ heavy atoms \([45][0-9] %\) are guesses'
says backbone.xml 'note="[0-9]+ of [0-9]+ heavy atoms'
run 0 info backbone.xml --platform CPU --set forcefield.solvent=none
says out 'NOTE: [0-9]+ of [0-9]+ heavy atoms'
grep ' CA ' backbone.pdb >trace.pdb
run 1 domains trace.pdb near2.pdb --out trace.xml
says err 'needs C-alpha atoms alone'
run 0 domains trace.pdb near2.pdb --out trace.xml --forcefield elastic-network.xml
run 0 simulate trace.xml --out trace --set simulate.steps=3
says out 'coarse-grained'

# Strangers are refused; who says that less is enough gets them, called so; and the model says it again.
python3 - "${elbow[1]}" <<'PYTHON'
import random, sys
random.seed(5)
names = "ALA ARG ASN ASP CYS GLN GLU GLY HIS ILE LEU LYS MET PHE PRO SER THR TRP TYR VAL".split()
trace = [line for line in open(sys.argv[1]) if line.startswith("ATOM") and line[12:16].strip() == "CA"]
def write(name, lines, share):
    with open(name, "w") as out:
        for line in lines:
            out.write(line if random.random() < share else line[:17] + random.choice(names) + line[20:])
write("stranger.pdb", trace, 0)
write("short.pdb", trace[:43], 0.28)
write("distant.pdb", trace, 0.2)
write("relative.pdb", trace, 0.4)
write("part.pdb", trace[:120], 1)
PYTHON
for file in stranger short distant; do
    run 1 domains "${elbow[0]}" $file.pdb
    says err 'the sequences of .* differ: .* enough would be'
    run 1 fit "$source_tree/examples/mcg/mcg.xml" $file.pdb
    says err 'the sequences of .* differ: .* enough would be'
done
run 0 domains "${elbow[0]}" relative.pdb --json
json out "d['likeness'].startswith('relatives: ') and 0.3 < d['identity'] < 0.55 and d['coverage'] > 0.9"
run 0 domains "${elbow[0]}" distant.pdb --identity 0.1 --out distant.xml
says out '^STRANGERS: [ 0-9]+ % of '
says distant.xml 'identity="0.1"'
run 1 fit distant.xml distant.pdb
run 0 fit distant.xml distant.pdb --identity 0.1
says out '^  a stranger: '
run 2 domains "${elbow[0]}" distant.pdb --identity 2
says err 'identity.* is outside 0 .. 1'
run 0 fit "$source_tree/examples/mcg/mcg.xml" part.pdb relative.pdb --json
json out "d['frames'][0]['identity'] == 1 and 0.4 < d['frames'][0]['coverage'] < 0.6 and d['frames'][0]['rmsd_A'] < 1.5"
json out "0.3 < d['frames'][1]['identity'] < 0.55 and d['frames'][1]['verdict'].startswith('a relative')"
json out "all(f['tm_score'] > 0.8 for f in d['frames'])"

# One structure is a prediction, and says so.
run 0 domains "${elbow[0]}" --out guess.xml
says out 'PREDICTION'
says out 'predicted: two domains, one hinge, explains'
run 0 info guess.xml --platform CPU
says out 'joined to domain1 by pin'
run 0 domains "${elbow[0]}" --json
json out "d['prediction'] and d['mode'] >= 1 and 'angle_deg' not in d['hinges'][0]"

# Three structures: the extremes are compared, all are placed.
run 0 domains "${elbow[@]}" "${elbow[0]}" --json
json out "len(d['structures']) == 3 and abs(d['structures'][1]['hinges'][0]['share'] - 1) < 1e-9"
json out "abs(d['structures'][0]['hinges'][0]['share']) < 1e-9"

# A trajectory: one half of a chain turned by 0, 10, 20, 30, 40 degrees; with a cell, of the other byte order, and with a
# frame that is not whole at its end.
python3 - "${elbow[0]}" <<'PYTHON'
import math, struct, sys
atoms = [line for line in open(sys.argv[1]) if line.startswith("ATOM")]
with open("topology.pdb", "w") as out:
    out.writelines(atoms)
place = [[float(line[30 + 8 * k:38 + 8 * k]) for k in range(3)] for line in atoms]
turns = [int(line[22:26]) > 110 for line in atoms]
pivot = next(p for p, t in zip(place, turns) if t)
record = lambda data: struct.pack(">i", len(data)) + data + struct.pack(">i", len(data))
numbers = [6, 0, 1] + [0] * 7 + [1] + [0] * 8 + [24]
with open("turning.dcd", "wb") as out:
    out.write(record(b"CORD" + struct.pack(">20i", *numbers)) + record(struct.pack(">i", 1) + b" " * 80))
    out.write(record(struct.pack(">i", len(atoms))))
    for frame in range(5):
        c, s = math.cos(math.radians(10 * frame)), math.sin(math.radians(10 * frame))
        moved = [[c * (x - pivot[0]) - s * (y - pivot[1]) + pivot[0], s * (x - pivot[0]) + c * (y - pivot[1]) + pivot[1], z]
                 if t else [x, y, z] for (x, y, z), t in zip(place, turns)]
        out.write(record(struct.pack(">6d", 90, 0, 90, 90, 0, 90)))
        for axis in range(3):
            out.write(record(struct.pack(f">{len(moved)}f", *[p[axis] for p in moved])))
    out.write(b"cut short")
PYTHON
run 0 domains topology.pdb turning.dcd --json
json out "abs(d['hinges'][0]['angle_deg'] - 40) < 0.01 and len(d['structures']) == 5 and len(d['domains']) == 2"
json out "all(abs(s['hinges'][0]['share'] - k / 4) < 1e-3 for k, s in enumerate(d['structures']))"
run 0 domains topology.pdb turning.dcd --stride 2 --out turning.xml
says out 'start +turning#1:'
says out 'of 3 structures, these two differ most'
says out '1 frame in 2 was looked at, of 5'
check test -s turning_frame2.pdb
run 0 info turning.xml --platform CPU
says out 'rotation +40\.0.* degrees about \((-?0\.000[0-9], ){2}'
run 0 domains topology.pdb turning.dcd#2: turning.dcd#4: --json
json out "abs(d['hinges'][0]['angle_deg'] - 20) < 0.01 and d['start'] == 'turning#2'"
run 1 domains topology.pdb turning.dcd --out turning.xml
run 2 domains turning.dcd
says err 'put the structure that does before it'
{ sed -n '2,$p' topology.pdb; sed -n 1p topology.pdb; } >pieces.pdb
run 1 domains pieces.pdb turning.dcd
says err "pieces.pdb:[0-9]+: residues that stand in pieces.*trajectory's atoms would be mistaken"
head -n 900 topology.pdb >fewer.pdb
run 1 domains fewer.pdb turning.dcd
says err 'turning.dcd: has [0-9]+ atoms, and the structure that names them'
run 1 domains topology.pdb turning.dcd#6:
says err 'has 5 frames'
run 2 domains topology.pdb turning.dcd --stride -1
head -c 150 turning.dcd >header.dcd
run 1 domains topology.pdb header.dcd
says err 'header.dcd: is no whole DCD file'
run 0 domains run/topology.pdb run/trajectory.nc --json

run 0 domains "${elbow[0]}" "${elbow[0]}"
says out 'one rigid domain: no hinge'
run 1 domains "${elbow[0]}" "${elbow[0]}" --out none.xml
says err 'no hinge to make a model of'
check test ! -e none.xml

run 2 domains
run 2 domains "${elbow[@]}" --set domains.smalest=9
says err 'smallest'
run 2 domains "${elbow[@]}" --set nonsense
run 2 domains "${elbow[@]}" --out model.txt
run 2 domains "${elbow[0]}" --cutoff -3
run 1 domains "${elbow[0]}" nowhere.pdb
says err 'nowhere.pdb'
printf 'ATOM      1  CA  ALA A   1       0.000   0.000   0.000  1.00  0.00           C\n' >one.pdb
run 1 domains one.pdb
run 1 domains one.pdb one.pdb
finish
