#!/usr/bin/env bash
# Ways in: AMBER topologies with coordinates, the two numberings of mmCIF, what is said of odd files.
. "$(dirname "$0")/support.sh"

cp "$source_tree/tests/fuzz/corpus/prmtop/five.prmtop" x.prmtop
cat >named.rst7 <<'END'
made by hand
    5
   0.0000000   0.0000000   0.0000000   1.4500000   0.0000000   0.0000000
   2.0000000   1.3000000   0.0000000   3.3000000   1.5000000   0.5000000
   3.9000000   0.8000000   0.9000000
END
model() {
    echo "<cardo version=\"1\"><model><structure id=\"a\" file=\"x.prmtop\" $1/>
<domain name=\"all\" residues=\"A:1-2\"/><body name=\"all\" domains=\"all\"/>
<forcefield system=\"x.prmtop\"/></model></cardo>" >m.xml
}
model ''
run 1 info m.xml
says err 'x.prmtop: is an AMBER topology, without coordinates.*rst7'
model 'coordinates="named.rst7"'
run 0 energy m.xml --platform Reference --json
json out "abs(d['energies_kJ_per_mol']['nonbonded']) > 1e-3"
cp out first
cp named.rst7 x.inpcrd
model ''
run 0 energy m.xml --platform Reference --json
check cmp out first
# A NetCDF restart of the same coordinates: two lists and ten numbers of header, then doubles.
python3 - <<'END'
import struct
def name(s): return struct.pack('>i', len(s)) + s.encode() + b'\0' * (-len(s) % 4)
x = [float(w) for line in open('named.rst7').read().split('\n')[2:] for w in line.split()]
head = b'CDF\x02' + struct.pack('>iii', 0, 10, 2) + name('spatial') + struct.pack('>i', 3) + name('atom') + struct.pack('>i', 5)
head += struct.pack('>iiii', 0, 0, 11, 1) + name('coordinates') + struct.pack('>iiiiiii', 2, 1, 0, 0, 0, 6, 120)
head += struct.pack('>q', len(head) + 8)
open('x.ncrst', 'wb').write(head + struct.pack('>15d', *x))
END
model 'coordinates="x.ncrst"'
run 0 energy m.xml --platform Reference --json
check cmp out first
head -4 named.rst7 >x.inpcrd
model ''
run 1 energy m.xml
says err 'x.inpcrd: it has 12 of 15 coordinates'

# Two polymers that share an author's chain, numbered on from 101; the second with an alternate.
{
    echo 'data_x loop_ _atom_site.group_PDB _atom_site.label_atom_id _atom_site.type_symbol _atom_site.label_comp_id'
    echo '_atom_site.label_asym_id _atom_site.auth_asym_id _atom_site.label_seq_id _atom_site.auth_seq_id'
    echo '_atom_site.Cartn_x _atom_site.Cartn_y _atom_site.Cartn_z _atom_site.label_alt_id _atom_site.id'
    for i in 1 2 3 4 5 6 7 8; do
        echo "ATOM CA C ALA P X $i $((100 + i)) $((i * 3)).$((i * i % 7)) $((i % 2 * 2)) $((i * i % 5)) . $i"
    done
    for i in 1 2 3 4 5 6 7 8; do
        echo "ATOM CA C GLY Q X $i $((200 + i)) $((i * 3)).$((i * i % 7)) $((9 + i % 2 * 2)) $((i * i % 5)) $([ $i = 3 ] && echo B || echo .) 9"
    done
} >two.cif
selections() {
    echo "<cardo version=\"1\"><model><structure id=\"a\" file=\"two.cif\" $3/>
<domain name=\"p\" residues=\"$1\"/><domain name=\"q\" residues=\"$2\"/><body name=\"p\" domains=\"p\"/>
<body name=\"q\" domains=\"q\" parent=\"p\"><free/></body></model></cardo>" >two.xml
}
selections X:101-108 X:201-208 ''
run 0 info two.xml
says err 'two.cif: 1 residue with alternate locations, of which one is taken: X:GLY203 \(B\)'
says err 'two.cif: [0-9]+ atoms repeat the serial number of another one \(such as 9\)'
run 1 info two.xml --numbering label
says err "no chain 'X'"
run 1 info two.xml --numbering labels
says err "author or label, not 'labels'"
selections P:1-8 Q:1-8 ''
run 0 info two.xml --numbering label
says out 'Q:1-8'
run 0 info two.xml --set structure.numbering=label
selections P:1-8 Q:1-8 'numbering="label"'
run 0 info two.xml --json
json out "d['bodies'][1]['residues'] == 'Q:1-8'"
run 1 info two.xml --numbering author
sed 's/^\(.* Q X [0-9]* [0-9]* \)\([0-9]*\)\./\11\2./' two.cif >moved.cif
run 0 info two.cif moved.cif --stationary P:1-8 --mobile Q:1-8 --numbering label
says out 'mobile .*Q:1-8'
run 1 info two.cif moved.cif --stationary P:1-8 --mobile Q:1-8 --numbering author
says err "no chain 'P'"
run 0 info two.cif moved.cif --stationary X:101-108 --mobile X:201-208 --numbering author
run 2 info two.cif moved.cif --stationary P:1-8 --mobile Q:1-8 --numbering labels
selections A:1 A:2 'numbering="label"'
sed -i 's/two.cif/x.pdb/' two.xml
echo 'ATOM      1  CA  ALA A   1       1.000   2.000   3.000' >x.pdb
run 1 info two.xml
says err 'x.pdb: a PDB file has only'

# Text that unpacks to a thousand times its size.
head -c 200000000 /dev/zero | tr '\0' '\n' | gzip >bomb.pdb.gz
run 1 check bomb.pdb.gz
says err 'bomb.pdb.gz: .*takes more memory'
# A hundred thousand waters, a thousand ions of three kinds between them: not gone through for each of them.
python3 - "${CARDO_SANITIZE:+1}" <<'PY'
import sys
n = 20000 if sys.argv[1:] == ['1'] else 100000
with open('waters.cif', 'w') as out:
    out.write('data_waters loop_')
    for item in 'id type_symbol auth_atom_id auth_comp_id auth_asym_id auth_seq_id Cartn_x Cartn_y Cartn_z'.split():
        out.write(' _atom_site.' + item)
    out.write('\n')
    for k in range(n):
        x, y, z = 3.1 * (k % 50), 3.1 * (k // 50 % 50), 3.1 * (k // 2500)
        if k % 100 == 0:
            out.write('%d NA %s XX%d ION %d %.3f %.3f %.3f\n' % (k, 'NA', k // 100 % 3, k + 1, x, y, z))
        else:
            for name, dx, dy in ('O', 0, 0), ('H1', 0.957, 0), ('H2', -0.24, 0.927):
                out.write('%d %s %s HOH WA %d %.3f %.3f %.3f\n' % (k, name[0], name, k + 1, x + dx, y + dy, z))
with open('waters.n', 'w') as out:
    out.write(str(n))
PY
n=$(cat waters.n)
run 1 check waters.cif
says out "^$((n - n / 100)) residues of water"
says out "^  $((n - n / 100)) residues \(WA:HOH2, ...\)"
says out "^$((n / 100)) residues of ions"
check test "$(grep -c 'XX[012]' out)" = 3
run 1 check waters.cif --json
json out "d['problems'] == $n and d['coverage'][1]['kind'] == 'water' and d['coverage'][100]['kind'] == 'ion'"
finish
