#!/usr/bin/env bash
# cardo simulate with masses="equalized": what it says and writes, that it goes on bitwise alike, what it refuses.
. "$(dirname "$0")/support.sh"

cat >ala.xml <<XML
<?xml version="1.0"?>
<cardo version="1">
  <model name="Alanine dipeptide">
    <structure id="a" file="$source_tree/pdb/alanine.pdb"/>
    <domain name="all" residues="A:1-3"/>
    <body name="peptide" domains="all" base="welded"/>
    <flexible residues="A:1-3" torsions="phi psi"/>
    <forcefield files="ff14SB.xml" solvent="obc2"/>
  </model>
  <simulate integrator="baoab" friction="4" timestep="20 fs" steps="60" ensemble="fixman" masses="equalized"
            masses-places="2" masses-steps="20" report-interval="5" checkpoint-interval="30" trajectory="dcd"/>
</cardo>
XML

run 0 simulate ala.xml -o whole
says out '^equalizing masses: stiffness at place 2 of 2$'
says out '^masses are equalized: averages of positions are those of ensemble=fixman, times and velocities mean nothing$'
says out '= [0-9.e-]+ ns \(unphysical\)'
says out '^done after 60 steps \(1.2 ps, unphysical\)'
check test "$(grep -c 'ns/day' out err | paste -sd' ')" = 'out:0 err:0'
says whole/trajectory.csv '^step,unphysical time \(ps\),potential'
says whole/plot.gp "'unphysical time \(ps\)'"
run 0 simulate ala.xml -o json --json
json out "d['time_is'] == 'unphysical' and d['masses']['fastest_per_ps'] > 5"

# half of it, and on
run 0 simulate ala.xml -o half -q --steps 30
run 0 simulate ala.xml -o half -q --continue --steps 60
for file in trajectory.csv trajectory.dcd masses.cardo; do
    check cmp -s whole/$file half/$file
done

# the same masses on any number of the linear algebra's threads
cat >elbow.xml <<XML
<?xml version="1.0"?>
<cardo version="1">
  <model name="elbow of a light chain">
    <structure id="one" file="$source_tree/pdb/2mcg_1.pdb"/>
    <domain name="variable" residues="1:2-107"/>
    <domain name="constant" residues="1:115-216"/>
    <body name="variable" domains="variable" base="welded"/>
    <body name="constant" domains="constant" parent="variable"><strand/></body>
    <flexible residues="1:108-114" torsions="phi psi"/>
    <forcefield files="ff14SB.xml" solvent="none"/>
  </model>
  <simulate integrator="ghmc" friction="4" timestep="20 fs" steps="3" ensemble="fixman" masses="equalized" masses-places="2"
            masses-steps="3" trajectory="none" strain="warn"/>
</cardo>
XML
for threads in 1 2; do
    export OPENBLAS_NUM_THREADS=$threads
    run 0 simulate elbow.xml -o threads$threads -q
done
export OPENBLAS_NUM_THREADS=1
for file in masses.cardo checkpoint.cardo; do
    check cmp -s threads1/$file threads2/$file
done

# what other masses would falsify
run 1 simulate ala.xml -o no --set simulate.ensemble=rigid
says err 'masses=equalized leaves the density'
run 1 simulate ala.xml -o no --set simulate.integrator=verlet
says err 'motion in time, which other masses change'
run 1 simulate ala.xml -o no --set model.base=free
says err 'free or ball joints.*--set model.base=welded'
sed 's|<forcefield|<constraints><rod name="tie" point1="A:1@CH3" point2="A:3@C"/></constraints>&|' ala.xml >tied.xml
run 1 simulate tied.xml -o no --set simulate.ensemble=fixman
says err 'models without constraints.*--set model.closure=bonded.*--set model.constraints=none'
run 0 simulate ala.xml -o bodies -q --set simulate.masses=bodies --set simulate.timestep=2fs --set simulate.steps=10
says bodies/trajectory.csv '^step,time \(ps\),potential'
check test ! -e bodies/masses.cardo

# free energies by walkers with such masses: the same bits from two processes, from a run that goes on, and F as without sampling
sed -e '/<simulate/,/>/d' -e 's/phi psi/phi/' ala.xml >part.xml
sed -i 's|</cardo>|<sample method="umbrella" coordinate="A:ALA2.phi" from="-0.9" to="0.3" windows="8" equilibration="200" bins="6" \
    integrator="baoab" friction="4" timestep="20 fs" steps="4000" ensemble="fixman" masses="equalized" masses-places="3"/>&|' part.xml
run 0 sample part.xml -o one -j 1
says out '^equalizing masses: stiffness at place 1 of 3, A:ALA2.phi = 0$'
says out '^equalizing masses: stiffness at place 3 of 3, A:ALA2.phi = -(0[.][89]|1[.]?0)'

check test "$(sed -n 2p one/COLVAR)" = '#! SET time unphysical'
run 0 sample part.xml -o two -q -j 2
run 0 sample part.xml -o again -q -j 1 --steps 2000
run 0 sample part.xml -o again -q -j 2 --continue --steps 4000
for file in COLVAR COLVAR.2 pmf.csv masses.cardo; do
    check cmp -s one/$file two/$file
    check cmp -s one/$file again/$file
done
run 0 sample part.xml -o exact -q --set sample.method=scan --set sample.masses=bodies
cat >compare.py <<'PY'
import csv
read = lambda name: [list(map(float, row)) for row in list(csv.reader(open(name)))[1:]]
# F is up to a constant: the mean of six bins; 6.5 standard errors are 1e-9 of bad luck
one, exact = read('one/pmf.csv'), read('exact/pmf.csv')
off = [a[1] - b[1] for a, b in zip(one, exact)]
mean = sum(off) / len(off)
worst = max(abs(o - mean) / a[2] for o, a in zip(off, one))
assert len(off) == 6 and max(b[1] for b in exact) > 4 and worst < 6.5, (worst, off)
PY
check python3 compare.py
run 1 sample part.xml -o no --set sample.ensemble=rigid
says err 'masses=equalized leaves the density'

# models whose strands are closed, by one setting each
sed 's|torsions="phi psi"|& closure="rigid"|' tied.xml >closed.xml
run 1 simulate closed.xml -o no
says err 'models without constraints'
run 0 simulate closed.xml -o open -q --steps 10 --set model.closure=bonded --set model.constraints=none
run 2 info closed.xml --set model.closure=none
says err "model.closure is rigid or bonded, not 'none'"

finish
