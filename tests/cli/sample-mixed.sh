#!/usr/bin/env bash
# cardo sample with method="mixed": what it writes, that it goes on bitwise alike after a signal or a kill, what it refuses.
. "$(dirname "$0")/support.sh"

cat >ala.xml <<XML
<?xml version="1.0"?>
<cardo version="1">
  <model name="Alanine dipeptide">
    <structure id="a" file="$source_tree/pdb/alanine.pdb"/>
    <domain name="all" residues="A:1-3"/>
    <body name="peptide" domains="all" base="free"/>
    <flexible residues="A:1-3" torsions="phi psi"/>
    <forcefield files="ff14SB.xml" solvent="none" platform="Reference"/>
  </model>
  <sample method="mixed" variable="dihedral" a="A:1@C" b="A:2@N" c="A:2@CA" d="A:2@C" temperature="700" steps="99"
          cycles="400" burn-in="50" atom-flights="10" hinge-flights="4" checkpoint-interval="20" interval="2"/>
</cardo>
XML

run 0 sample ala.xml -o whole
says out 'hinges of 3 bodies \(8 degrees of freedom\)'
says out '^along dihedral \(rad\), without a bias; OpenMM, Reference platform, in vacuum; 700 K, seed 1$'
says out '^a cycle: all atoms, 1 x 10 steps; hinges, 1 x 4 steps; turns by any angle, 1$'
says out '^done after 450 cycles and [0-9]+ evaluations'
says out '^atoms: [0-9]+ of 400 moves accepted'
says out '^hinges: [0-9]+ of 400 moves accepted'
says out '^200 samples, worth [0-9]+ independent ones'
says out '^(not converged|doubtful)'
says whole/COLVAR '^#! FIELDS cycle dihedral energy'
says whole/COLVAR '^#! SET min_dihedral -3.14159'
check test "$(grep -vc '^#' whole/COLVAR)" = 200
check test "$(wc -l <whole/pmf.csv)" = 37
says whole/pmf.csv '^dihedral \(rad\),F \(kJ/mol\),sigma'
json whole/run.json "d['method'] == 'mixed' and int(d['options']['cycles']) == 400"
check test "$(grep -c '^ATOM' whole/topology.pdb)" = 22
# energies and torsions are those of a peptide, not of an explosion
check awk '!/^#/ && ($3 < -200 || $3 > 400 || $2 < -3.1416 || $2 > 3.1416) {exit 1}' whole/COLVAR

same() { # folder: the same results as the whole run
    for file in COLVAR pmf.csv trajectory.nc topology.pdb checkpoint.cardo; do
        check cmp -s whole/$file "$1/$file"
    done
}

# A kill after a checkpoint, wherever the files were then; a signal; another number of processes.
killed() { # signal folder
    rm -rf "$2"
    "$cardo" sample ala.xml -o "$2" -q --set sample.cycles=4000 2>/dev/null &
    local id=$!
    for _ in $(seq 600); do
        [ -s "$2/checkpoint.cardo" ] && break
        sleep 0.05
    done
    kill -"$1" $id
    wait $id 2>/dev/null
    echo $?
}
check test "$(killed KILL dead)" = 137
check test "$(killed INT ended)" = 130
run 0 sample ala.xml -o dead --continue -q --set sample.cycles=400
run 0 sample ala.xml -o two -q -j 2
same dead
same two
run 0 sample ala.xml -o part -q --set sample.cycles=110
run 0 sample ala.xml -o part --continue --set sample.cycles=400 --json
json out "len(d['xi']) == len(d['F_kJ_per_mol']) == 36 and d['samples'] == 200 and d['unit'] == 'rad'"
same part

# What is refused, before anything is written.
run 1 sample ala.xml -o whole
says err 'holds a run already'
run 1 sample ala.xml -o part --continue --set sample.seed=2
says err 'sample.seed="2".*sample.seed="1"'
json part/run.json "d['seed'] == 1"
run 1 sample ala.xml -o none --set sample.variable=coordinate
says err 'moves all atoms, so a joint has no coordinate of its own'
run 1 sample ala.xml -o none --set sample.a=A:1@XX
says err 'no such atom'
run 1 sample ala.xml -o none --set sample.d=A:1@C
says err 'a="A:1@C" and d="A:1@C" are the same atoms'
run 1 sample ala.xml -o none --set sample.d=
says err 'needs 4 selections, and d='
run 1 sample ala.xml -o none --set sample.reference=a
says err 'goes with variable="rmsd"'
run 1 sample ala.xml -o none --set sample.method=mixd
says err "did you mean 'mixed'"
run 1 sample ala.xml -o none --set sample.hinge-flight=2
says err "did you mean 'hinge-flights'"
# Steps that no move survives, without a burn-in that would adapt them.
run 1 sample ala.xml -o stuck -q --set sample.burn-in=0 --set sample.atom-timestep=0.05
says err 'none of 50 moves of all atoms was accepted: steps of 0.05 ps are too long'
run 1 sample ala.xml -o still -q --set sample.burn-in=0 --set sample.hinge-timestep=5
says err 'none of 50 moves of the hinges was accepted: steps of 5 ps'
sed 's/ <flexible.*//' ala.xml >rigid.xml
run 1 sample rigid.xml -o none --set model.base=welded
says err 'no joint that moves'

# Joints between domains: a screw follows the atoms of its parent; an Euler path is no group of motions.
elbow() { # joint
    cat <<XML
<cardo version="1">
  <model name="elbow">
$(elbow_domains)
    <body name="variable" domains="variable"/>
    <body name="constant" domains="constant" parent="variable">$1</body>
    <forcefield files="ff14SB.xml" solvent="none" platform="CPU"/>
  </model>
  <sample method="mixed" variable="rmsd" a="1:2-216@CA" cycles="12" burn-in="0" atom-flights="1" hinge-flights="1"
          hinge-timestep="0.001" atom-timestep="0.0002"/>
</cardo>
XML
}
elbow '<path/>' >screw.xml
run 0 sample screw.xml -o screw
says out 'hinges of 2 bodies \(7 degrees of freedom\)'
says out '^hinges: (9|10|11|12) of 12 moves accepted'
check test "$(grep -vc '^#' screw/COLVAR)" = 12
check awk '!/^#/ && ($2 < 0.05 || $2 > 2) {exit 1}' screw/COLVAR
elbow '<path interpolation="euler"/>' >euler.xml
run 1 sample euler.xml -o none
says err 'constant hangs by a path joint, whose motions are no group'
check test ! -e none
finish
