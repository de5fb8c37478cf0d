#!/usr/bin/env bash
# A free amino acid as a ligand: prepared, parametrized, moved as a body of its own.
. "$(dirname "$0")/support.sh"
need_shared
export CARDO_PDB_DIR="$shared/pdb"

run 0 prepare "$shared/pdb/1lst.pdb" --keep ligands --no-relax -o holo.pdb --quiet
# 24 atoms and the second oxygen of the carboxylate
check test "$(grep -c '^HETATM.* LYS A 240 ' holo.pdb)" = 25
check test "$(grep -c '^HETATM.* H[23]\? *LYS A 240 ' holo.pdb)" = 3
run 0 prepare holo.pdb --keep ligands --no-relax -o again.pdb --quiet
check cmp holo.pdb again.pdb
# It is no end of a chain.
run 0 prepare "$shared/pdb/1lst.pdb" --keep ligands --cap all --no-relax -o capped.pdb --quiet
check test "$(grep -c 'LYS A 240 ' capped.pdb)" = 25

cat > holo.xml <<XML
<cardo version="1">
  <model>
    <structure id="closed" file="holo.pdb" hetero="ligands"/>
    <structure id="open" file="2lao.pdb"/>
    <domain name="stationary" residues="1-89,194-238" chain="A"/>
    <domain name="mobile" residues="92-191" chain="A"/>
    <domain name="lysine" residues="A:240"/>
    <hinge residues="A:90-91,A:192-193"/>
    <body name="stationary" domains="stationary" base="free"/>
    <body name="mobile" domains="mobile" parent="stationary"><path structures="closed open"/></body>
    <body name="lysine" domains="lysine" parent="stationary"><free/></body>
    <forcefield files="ff14SB.xml free-amino-acids.xml" solvent="none" check-forces="CPU"/>
  </model>
</cardo>
XML
run 0 info holo.xml
says out "lysine       25 atoms"
says out "together     3 bodies, 13 degrees of freedom"
run 0 energy holo.xml
says out "lysine v_x"
run 1 energy holo.xml --set forcefield.files=ff14SB.xml
says err "A:LYS240"

# As a ligand, on what it touches most; without it by one option.
sed -e '/domain name="lysine"/d' -e 's|<body name="lysine".*|<ligand name="lysine" residues="A:240" joint="free"/>|' \
    -e 's/ hetero="ligands"//' holo.xml > ligand.xml
run 0 energy holo.xml --json
mv out body.json
run 0 energy ligand.xml --json
json out 'abs(d["potential_kJ_per_mol"] - json.load(open("body.json"))["potential_kJ_per_mol"]) < 1e-6'
run 0 info ligand.xml
says out "lysine +residues A:240: free on stationary, which it touches most"
says out "contacts below 4.5 A: [0-9]+ with stationary, [0-9]+ with mobile; at residues A:11,A:14"
run 0 info ligand.xml --set model.ligands=none
says out "238 residues, 3649 atoms"
says out "left out: 1 LYS \\(A:LYS240\\)"

# Its own modes move no C-alpha: their swings stay in sight.
run 0 modes ligand.xml
# In the second structure alone: it is placed in the first one, and said how.
run 0 domains "$shared/pdb/2lao.pdb" "$shared/pdb/1lst.pdb" --keep ligands --ligand-joint free -o pair.xml
says out "LYS +residues A:240: of the second structure, placed by the superposition of domain1, which it touches most there \\([1-9][0-9]+ contacts\\)"
says pair.xml '<ligand name="LYS" residues="A:240" parent="domain1" joint="free"/>'
says pair.xml 'files="ff14SB.xml free-amino-acids.xml"'
check test "$(grep -c 'LYS A 240 ' pair_start.pdb)" = 25
run 0 info pair.xml --set forcefield.solvent=none
says out "LYS +residues A:240: free on domain1, as the model says"
says out "restraint +-?0.0000 kJ/mol"
# 2LAO's domain 1 with the site as 1LST has it: its nitrogen where serine 70 holds it
says out "nearest: A:LYS240 N - :SER70 O, 2.[6-9][0-9] A"
run 0 domains "$shared/pdb/2lao.pdb" "$shared/pdb/1lst.pdb" --keep XYZ -o none.xml
says out "WARNING +no molecule of XYZ is in either structure"

# The templates are what their script makes, and have whole charges.
cp "$source_tree"/forcefields/free_amino_acids.py "$source_tree"/forcefields/ff14SB.xml .
check python3 free_amino_acids.py
check cmp free-amino-acids.xml "$source_tree/forcefields/free-amino-acids.xml"
check python3 - <<PYTHON
import xml.etree.ElementTree as tree
for residue in tree.parse('free-amino-acids.xml').iter('Residue'):
    charge = sum(float(atom.get('charge')) for atom in residue.iter('Atom'))
    whole = {'FREE-ARG': 1, 'FREE-HIP': 1, 'FREE-LYS': 1, 'FREE-ASP': -1, 'FREE-GLU': -1}.get(residue.get('name'), 0)
    assert abs(charge - whole) < 1e-9, residue.get('name')
PYTHON
finish
