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
says out '^done after 60 steps \(1.2 ps, unphysical\)'
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

# what other masses would falsify
run 1 simulate ala.xml -o no --set simulate.ensemble=rigid
says err 'masses=equalized leaves the density'
run 1 simulate ala.xml -o no --set simulate.integrator=verlet
says err 'motion in time, which other masses change'
run 1 simulate ala.xml -o no --set model.base=free
says err 'base=welded.*turns about no fixed axes'
sed 's|<forcefield|<constraints><rod name="tie" point1="A:1@CH3" point2="A:3@C"/></constraints>&|' ala.xml >tied.xml
run 1 simulate tied.xml -o no --set simulate.ensemble=fixman
says err 'models without constraints.*closure="bonded"'
run 0 simulate ala.xml -o bodies -q --set simulate.masses=bodies --set simulate.timestep=2fs --set simulate.steps=10
says bodies/trajectory.csv '^step,time \(ps\),potential'
check test ! -e bodies/masses.cardo

finish
