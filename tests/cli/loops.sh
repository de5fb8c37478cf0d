#!/usr/bin/env bash
# cardo minimize, modes and drive of models with constraints: a strand that is closed rigidly, and courses that constraints end.
. "$(dirname "$0")/support.sh"

# write FILE forcefield inner: the elbow with a strand that turns, or what is given in its place
write() {
    cat >"$1" <<XML
<cardo version="1">
  <model name="elbow">
$(elbow_domains)
    <body name="variable" domains="variable"/>
    <body name="constant" domains="constant" parent="variable"><path/></body>
    $3
    <forcefield $2/>
  </model>
  <drive motion="smooth" from="0" to="0.05" duration="4 ps" timestep="20 fs" integrator="verlet" velocities="zero"
         report-interval="1"/>
</cardo>
XML
}

# Eight torsions and a hinge, of which the closure leaves four: minimized and told with what is left.
write closed.xml 'files="ff14SB.xml" solvent="none"' '<flexible residues="1:109-113" torsions="phi psi" closure="rigid"/>'
run 0 minimize closed.xml --out closed.minimized --json --set forcefield.precision=double
json out "d['converged'] and d['degrees_of_freedom'] == 10 and d['largest_violation'] <= 1e-12"
run 0 minimize closed.xml --out again --set minimize.iterations=0 --set minimize.soft-start=no
says out '^  constraints +met to .*, 10 degrees of freedom are left'

# Modes of the closed loop: four of them, and the bond that was cut stays as it is in every swing.
run 0 modes closed.xml --out closed.modes --json --set modes.count=20
json out "d['degrees_of_freedom'] == 10 and d['rigid_motions'] == 6 and len(d['modes']) == 4"
json out "all(m['wavenumber_per_cm'] > 0 for m in d['modes']) and d['animated_cut_bonds_change_A'] < 1e-9"
json out "0 < d['modes'][0]['overlap'] <= 1"
for file in modes.csv speeds.csv residues.csv modes.nmd mode_7.pdb; do
    check test -s closed.modes/$file
done

# q + t^2 - 0.3 t = 0 has no solution beyond q = 0.0225: the course ends there, whatever moves the rest.
write fold.xml 'files="elastic-network.xml"' '<flexible residues="1:109-113" torsions="phi psi"/>
    <constraints>
      <coordinate-coupler name="fold" coordinates="constant,1:VAL109.phi" function="terms" coefficients="1 1 -0.3"
                          exponents="1 0 0 2 0 1"/>
    </constraints>'
for mode in dynamic quasi-static; do
    run 3 drive fold.xml --out $mode --set drive.mode=$mode
    says err 'constant go no farther than 0\.0225 .*fold \(coordinate-coupler\)'
    says out 'not to its end'
    check test -s $mode/trajectory.csv
done

# What a constraint holds cannot be driven, and the file is at fault.
write held.xml 'files="elastic-network.xml"' \
    '<constraints><rod name="tie" point1="1:20@CA" point2="1:150@CA"/></constraints>'
run 1 drive held.xml --out held
says err 'constant cannot be driven: .*tie \(rod\)'
check test ! -e held/trajectory.csv

finish
