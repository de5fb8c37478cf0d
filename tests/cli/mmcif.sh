#!/usr/bin/env bash
# Structures that PDB has no room for, through every verb: chain names of two characters, a hundred thousand atoms.
. "$(dirname "$0")/support.sh"

without_pictures
short_elbow
cat >copies.py <<'PY'
# copies.py FILE.pdb N OUT.cif: N copies of a chain on a grid, as chains AA, AB, ...
import string, sys
atoms = [line for line in open(sys.argv[1]) if line.startswith('ATOM')]
n, side = int(sys.argv[2]), 1
while side ** 3 < n:
    side += 1
with open(sys.argv[3], 'w') as out:
    out.write('data_copies loop_')
    for item in ('id type_symbol auth_atom_id auth_comp_id auth_asym_id auth_seq_id label_asym_id label_seq_id '
                 'Cartn_x Cartn_y Cartn_z').split():
        out.write(' _atom_site.' + item)
    out.write('\n')
    for k in range(n):
        chain = string.ascii_uppercase[k // 26] + string.ascii_uppercase[k % 26]
        shift = [120.0 * (k // side ** j % side) for j in range(3)]
        for i, line in enumerate(atoms):
            x = [float(line[30 + 8 * j:38 + 8 * j]) + shift[j] for j in range(3)]
            out.write('%d %s "%s" %s %s %d %s %d %.3f %.3f %.3f\n' % (
                i + 1, line[76:78].strip(), line[12:16].strip(), line[17:20], chain, int(line[22:26]), chain,
                int(line[22:26]), *x))
PY
python3 copies.py "${elbow_files[0]}" 1 first.cif
python3 copies.py "${elbow_files[1]}" 1 second.cif

run 0 check first.cif
run 0 prepare first.cif -o prepared.cif
run 1 prepare first.cif -o prepared.pdb
says err 'chain id does not fit the PDB format: name the file .cif'
check test ! -e prepared.pdb
run 0 domains first.cif second.cif --out elbow.xml
says elbow.domains.xml 'AA:[0-9]'
says elbow.pml 'chain AA and resi'
says elbow.cxc '/AA:'
run 0 info elbow.xml
run 0 info first.cif second.cif --stationary AA:88-108 --mobile AA:114-137
run 0 energy elbow.xml
run 0 fit elbow.xml second.cif#AA --output fitted.cif
run 1 fit elbow.xml second.cif --output fitted.pdb
says err 'fitted.pdb: a PDB file has no room.*name it .cif'
check test ! -e fitted.pdb
run 1 check <(sed 's/ALA/XYZ/' first.cif)
says out '^  cardo prepare .*_prepared.cif'

short="--set simulate.steps=8 --set simulate.report-interval=4 --set simulate.trajectory-interval=4"
run 0 minimize elbow.xml --set minimize.iterations=2
says out '^  minimized.cif'
run 0 simulate elbow.xml $short
says out 'open it with topology.cif'
run 0 simulate elbow.xml $short --set simulate.steps=12 --continue
says out 'open it with topology.cif'
run 0 fit elbow.xml elbow.run/trajectory.nc --output frames.cif
run 0 simulate elbow.xml $short --set simulate.trajectory=cif --out models --quiet
run 0 simulate elbow.xml $short --set simulate.trajectory=cif --out models --continue --quiet --set simulate.steps=12
check cmp <(sed 's/ 0*$//' models/topology.cif) <(sed 's/ 0*$//' elbow.run/topology.cif)
run 1 simulate elbow.xml $short --set simulate.trajectory=pdb --out refused --quiet
says err 'has no room.*choose netcdf, dcd or cif'
run 0 drive elbow.xml --set drive.duration=0.1 --set drive.to=0.001
says out 'open it with topology.cif'
run 0 modes elbow.xml --set modes.frames=3
says out '^  mode_[0-9]+.cif'
run 0 sample elbow.xml --set sample.method=scan --set sample.variable=coordinate --set sample.windows=3 \
    --set forcefield.files=kim-hummer.xml --quiet
# What was written reads back, here and elsewhere: every model, under the chain's own name.
for file in prepared.cif fitted.cif elbow.minimized/minimized.cif elbow.run/topology.cif elbow.driven/topology.cif; do
    run 0 check $file
    says out '50 of 50 residues'
done
run 0 fit elbow.xml models/trajectory.cif --json
json out "len(d['frames']) == 4 and all(f['rmsd_A'] < 1e-3 for f in d['frames'])"
run 0 fit elbow.xml elbow.modes/mode_*.cif --json
json out "len(d['frames']) == 3"
if /usr/bin/python3 -c 'import Bio.PDB' 2>/dev/null; then
    cat >read.py <<'PY'
import sys
from Bio.PDB.MMCIFParser import MMCIFParser
for name in sys.argv[2:]:
    models = list(MMCIFParser(QUIET=True).get_structure(name, name))
    for model in models:
        chains = list(model)
        assert [c.id for c in chains] == ['AA'] and len(list(chains[0])) == 50, (name, chains)
    assert len(models) == int(sys.argv[1]), (name, len(models))
PY
    check /usr/bin/python3 read.py 1 prepared.cif elbow.run/topology.cif elbow.minimized/minimized.cif
    check /usr/bin/python3 read.py 4 models/trajectory.cif frames.cif
fi

# More than a hundred thousand atoms.
if [ -z "${CARDO_SANITIZE:-}" ]; then
    python3 copies.py "$source_tree/pdb/2mcg_1.pdb" 33 many.cif
    {
        echo '<cardo version="1"><model name="many"><structure id="a" file="many.cif"/>'
        echo "<domain name=\"one\" residues=\"$(echo A{A..Z})\"/><domain name=\"two\" residues=\"$(echo B{A..G})\"/>"
        echo '<body name="one" domains="one" base="welded"/>'
        echo '<body name="two" domains="two" parent="one"><pin axis="0 0 1" point="0 0 0"/></body>'
        echo '<forcefield files="kim-hummer.xml"/></model></cardo>'
    } >many.xml
    run 0 simulate many.xml --set simulate.steps=1 --set simulate.trajectory=none --quiet
    check test "$(grep -c '^ATOM' many.run/topology.cif)" = 103356
fi
finish
