#!/usr/bin/env bash
# cardo modes: torsions of a protein's end under its force field; LAO's network.
. "$(dirname "$0")/support.sh"
need_shared
cat >lao.xml <<EOF
<cardo version="1"><model name="LAO">
<structure id="open" file="$shared/pdb/2lao.pdb"/><structure id="closed" file="$shared/pdb/1lst.pdb"/>
<domain name="stationary" residues="1-89,194-238"/><domain name="mobile" residues="92-191"/>
<hinge residues="90-91,192-193"/><body name="stationary" domains="stationary"/>
<body name="mobile" domains="mobile" parent="stationary"><path/></body></model></cardo>
EOF
# Torsions of a protein's end under its force field: K is as symmetric as rounding and the step allow.
cat >tail.xml <<EOF
<cardo version="1"><model name="ubiquitin"><structure id="a" file="$shared/reference/openmm/1ubi/1ubi.pdb"/>
<domain name="all" residues="A:1-76"/><body name="all" domains="all"/><flexible residues="A:60-76" torsions="phi psi"/>
<forcefield files="ff14SB.xml" solvent="obc2" provider="rigid" precision="double"/></model></cardo>
EOF
run 0 modes tail.xml --json --set modes.stiffness=forces --set modes.animate=0 --processes 2
json out "d['largest_generalized_force'] < 0.01 and d['rigid_motions'] == 6 and not d['modes'][0]['imaginary']"
json out "d['asymmetry'] < 3 * (d['asymmetry_of_rounding'] + d['asymmetry_of_step']) and d['asymmetry'] < 1e-6"

run 0 modes lao.xml
says out 'elastic network of C-alpha atoms: springs up to 15 A'
says out '4.[67][0-9] A that 238 C-alpha'
run 0 modes lao.xml --force --json
# The best mode of ProDy's anisotropic network overlaps by 0.762.
json out "d['modes'][0]['overlap'] > 0.9 and 0.3 < d['b_factor_correlation'] < 1"
finish
