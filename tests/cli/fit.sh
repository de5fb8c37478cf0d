#!/usr/bin/env bash
# cardo fit: the closed elbow is q = 1; a structure that the model wrote is met exactly.
. "$(dirname "$0")/support.sh"

run 0 fit "$source_tree/examples/mcg/mcg.xml" "$source_tree/pdb/2mcg_2.pdb" --json
json out "abs(d['frames'][0]['q']['constant'] - 1) < 1e-3"
json out "abs(d['frames'][0]['rmsd_A'] - 0.6) < 0.6"

# The model's own output is met to the digits of a PDB file, from a base that is welded elsewhere.
run 0 fit "$source_tree/examples/mcg/mcg.xml" "$source_tree/pdb/2mcg_2.pdb" --output fitted.pdb --table fitted.csv
says out 'RMSD'
run 0 fit "$source_tree/examples/mcg/mcg.xml" fitted.pdb fitted.pdb --set model.base=welded --json
json out "len(d['frames']) == 2 and d['frames'][0]['rmsd_A'] < 1e-3 and d['frames'][0]['fitted'] == 'atoms'"
json out "abs(d['frames'][1]['q']['constant'] - 1) < 1e-3"
run 0 fit "$source_tree/examples/mcg/mcg.xml" fitted.pdb --atoms 1:10-100@CA --json
json out "d['frames'][0]['atoms'] == 91"
check [ "$(head -1 fitted.csv | cut -c1-5)" = frame ]

cat "$source_tree/pdb/2mcg_1.pdb" <(sed 's/^\(ATOM.\{17\}\)./\1Z/' "$source_tree/pdb/2mcg_2.pdb") | grep '^ATOM' >both.pdb
run 0 fit "$source_tree/examples/mcg/mcg.xml" "both.pdb#Z" --json
json out "abs(d['frames'][0]['q']['constant'] - 1) < 1e-3"
run 1 fit "$source_tree/examples/mcg/mcg.xml" "both.pdb#Y"
says err 'no atoms in chains Y'

# Frames of a trajectory are points in q: those that the run wrote down.
run 0 simulate "$source_tree/examples/mcg/mcg.xml" --platform CPU --out run --quiet --set simulate.steps=20 \
    --set simulate.report-interval=10 --set simulate.trajectory-interval=10 --set forcefield.solvent=none
run 0 fit "$source_tree/examples/mcg/mcg.xml" run/trajectory.nc --json
json out "len(d['frames']) == 3 and max(f['rmsd_A'] for f in d['frames']) < 1e-4"
json out "max(abs(f['q']['constant'] - float(r['q constant'])) for f, r in zip(d['frames'], __import__('csv').DictReader(open('run/trajectory.csv')))) < 1e-6"
run 1 fit "$source_tree/examples/mcg/mcg.xml" out --json

# Under constraints: a strand that is closed rigidly is closed where the fit ends; what holds to ground is no fit.
constrained() {
    cat >constrained.xml <<XML
<cardo version="1"><model name="elbow">
<structure id="a" file="$source_tree/pdb/2mcg_1.pdb"/><structure id="b" file="$source_tree/pdb/2mcg_2.pdb"/>
<domain name="V" residues="2-108"/><domain name="C" residues="114-216"/><hinge residues="109-113"/>
<body name="V" domains="V"/><body name="C" domains="C" parent="V"><path/></body>
$1
</model></cardo>
XML
}
constrained '<flexible residues="109-113" torsions="phi psi" closure="rigid"/>'
run 0 fit constrained.xml "$source_tree/pdb/2mcg_2.pdb" --json
json out "d['frames'][0]['constraint_violation'] <= 1e-12 and d['frames'][0]['rmsd_A'] < 1.9 and abs(d['frames'][0]['q']['C'] - 1) < 0.02"
constrained '<constraints><rod name="tie" point1="1:20@CA" body2="ground" point2="0 0 0"/></constraints>'
run 1 fit constrained.xml "$source_tree/pdb/2mcg_2.pdb"
says err 'tie .rod. holds the molecule to ground'

run 2 fit "$source_tree/examples/mcg/mcg.xml"
says err 'STRUCTURE'
run 1 fit "$source_tree/examples/mcg/mcg.xml" nothing.pdb
run 1 fit "$source_tree/examples/mcg/mcg.xml" "$source_tree/pdb/2mcg_2.pdb" --chains Q
says err 'chains Q'
finish

# The same digits however many threads linear algebra may take, with matrices that are large enough for it to take them.
cat >elbow.xml <<XML
<?xml version="1.0"?>
<cardo version="1">
  <model name="elbow of a light chain">
    <structure id="one" file="$source_tree/pdb/2mcg_1.pdb"/>
    <domain name="variable" residues="1:2-81"/>
    <domain name="constant" residues="1:115-216"/>
    <body name="variable" domains="variable" base="welded"/>
    <body name="constant" domains="constant" parent="variable"><strand/></body>
    <flexible residues="1:82-114" torsions="phi psi chi"/>
  </model>
</cardo>
XML
for threads in 1 2; do
    OPENBLAS_NUM_THREADS=$threads run 0 fit elbow.xml "$source_tree/pdb/2mcg_2.pdb" --table threads$threads.csv
done
check cmp -s threads1.csv threads2.csv
