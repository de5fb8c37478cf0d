#!/usr/bin/env bash
# cardo handoff: frames of all atoms along q in which only what may move has moved, and inputs of other programs that have the same q and
# the same energy. `handoff.sh PROGRAM SOURCES long` runs 1,000 steps from each frame besides.
. "$(dirname "$0")/support.sh"
here=$source_tree/tests/cli

write_model elbow.xml 'solvent="none"' ''
cat >alanine.xml <<XML
<cardo version="1">
  <model name="alanine">
    <structure id="start" file="$source_tree/pdb/alanine.pdb"/>
    <domain name="all" residues="A"/>
    <body name="all" domains="all"/>
    <forcefield files="ff14SB.xml" solvent="obc2" ionic-strength="0.15"/>
  </model>
</cardo>
XML
run 0 handoff elbow.xml -o to --set handoff.places=3 --set handoff.iterations=4
says out 'hinge of constant'
says out 'python3 run_openmm.py'
json to/result.json "[r['q'] for r in d['frames']] == [0, 0.5, 1] and all(abs(r['q'] - r['q_constant']) < 1e-9 for r in d['frames'])"
json to/result.json "all(r['iterations'] == 4 and 0 < r['moved_A'] < 1 for r in d['frames'])"
json to/result.json "d['frames'][0]['strained'] == 0 and 'worst' in d['frames'][0]"
check test "$(grep -c '^ATOM' to/frame-01.pdb)" = "$(grep -c '^ATOM' to/frame-03.pdb)"
# C-alphas of domains are where the model has them, hydrogens are not
run 0 fit elbow.xml to/frame-01.pdb to/frame-02.pdb to/frame-03.pdb --set fit.atoms=1:2-108@CA,1:114-216@CA --json
cp out fit.json
check python3 - <<'PY'
import json
def numbers(value, name):
    if isinstance(value, dict):
        return [v for k, v in value.items() if k == name and isinstance(v, (int, float))] + [n for v in value.values() for n in numbers(v, name)]
    return [n for v in value for n in numbers(v, name)] if isinstance(value, list) else []
fit = json.load(open("fit.json"))
rmsd = [frame["rmsd_A"] for frame in fit["frames"]]
assert len(rmsd) == 3 and max(rmsd) < 2e-3, rmsd
PY
run 1 handoff elbow.xml -o to
says err 'holds'
# what AMBER is handed has the model's energies
json to/result.json "any(p['program'] == 'AMBER' and 'sander' in p['command'] for p in d['programs'])"
sed "s|files=\"ff14SB.xml\" solvent=\"none\"|system=\"to/topology.prmtop\"|" elbow.xml >back.xml
for model in elbow back; do
    run 0 energy $model.xml --json
    cp out $model.json
done
check python3 - <<'PY'
import json
def terms(value):
    if isinstance(value, dict):
        if {"name", "rigid"} <= set(value):
            yield value["name"], value["rigid"]
        value = list(value.values())
    for part in value if isinstance(value, list) else []:
        yield from terms(part)
first, back = (dict(terms(json.load(open(f"{name}.json")))) for name in ("elbow", "back"))
assert len(first) > 3 and set(first) == set(back), (first, back)
assert all(abs(first[k] - back[k]) <= 1e-6 * max(1, abs(first[k])) for k in first), (first, back)
PY
# twice the same, to the bit; who says stop has what was reached
if [ -z "${CARDO_SANITIZE:-}" ]; then
    run 0 handoff elbow.xml -o again --set handoff.places=3 --set handoff.iterations=4
    check test "$(diff -rq to again | grep -v run.json)" = ''
fi
"$cardo" handoff elbow.xml -o stopped --set handoff.places=1000 --set handoff.iterations=4 --quiet 2>err &
id=$!
for _ in $(seq 2000); do [ -e stopped/frame-01.pdb ] && break || sleep 0.01; done
kill -INT $id
wait $id
check test $? = 130
check test -s stopped/frames.csv -a ! -e stopped/system.xml
says err 'interrupted; what was reached is in stopped'
run 1 handoff elbow.xml -o coarse --set forcefield.files=kim-hummer.xml
says err 'terms for all atoms'
check test ! -e coarse
# What other programs make of the files is the same from a sanitized build.
[ -z "${CARDO_SANITIZE:-}" ] || finish
if /usr/bin/python3 -c 'import openmm' 2>/dev/null; then
    check /usr/bin/python3 "$here/handoff_openmm.py" to
    for solvent in obc2 hct obc1 gbn gbn2; do
        for salt in 0 0.15; do
            run 0 handoff alanine.xml -o $solvent-$salt --set forcefield.solvent=$solvent --set forcefield.ionic-strength=$salt \
                --set handoff.places=2 --set handoff.iterations=0 --quiet
        done
    done
    check /usr/bin/python3 "$here/handoff_amber.py" to *-0 *-0.15
    if [ "${3:-}" = long ]; then
        run 0 handoff elbow.xml -o long --set handoff.places=3 --quiet
        for k in 1 2 3; do check /usr/bin/python3 long/run_openmm.py long/frame-0$k.pdb --hold 5000; done
    fi
else
    echo "note: OpenMM's Python layer is missing: its script was not run"
fi
if command -v gmx >/dev/null; then
    (cd to && gmx grompp -f minimize.mdp -c conf.gro -p topol.top -maxwarn 0 >../gmx.out 2>&1)
    check test $? = 0
else
    echo "note: gmx is missing: the topology was not looked at"
fi
if command -v plumed >/dev/null; then
    (cd to && plumed driver --plumed plumed.dat --mf_pdb frame-02.pdb >../plumed.out 2>&1)
    check test $? = 0
else
    echo "note: plumed is missing: plumed.dat was not looked at"
fi
finish
