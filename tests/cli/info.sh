#!/usr/bin/env bash
# cardo info: the committed example.
. "$(dirname "$0")/support.sh"

run 0 info "$source_tree/examples/mcg/mcg.xml" --platform CPU
says out 'rotation +135\.[0-9]+ degrees'
says out '7 degrees of freedom'
says out 'potential .* kJ/mol'
run 0 info "$source_tree/examples/mcg/mcg.xml" --platform CPU --json
json out "abs(d['bodies'][1]['path']['angle_deg'] - 135.5) < 0.5"
json out "abs(sum(d['energies_kJ_per_mol'].values()) - d['potential_kJ_per_mol']) < 1e-6 * abs(d['potential_kJ_per_mol'])"

# Torsions are counted, and what comes near what is told for both structures' side chains and the best.
sed -e '/<forcefield/i <flexible residues="109-113" torsions="phi psi chi"/>' -e "s|\.\./\.\./pdb|$source_tree/pdb|" \
    -e 's/obc2/none/' "$source_tree/examples/mcg/mcg.xml" >flexible.xml
run 0 info flexible.xml --clashes
says out 'torsions +[0-9]+ of the backbone, [0-9]+ of side chains'
says out 'closes a loop'
says out 'as built +[0-9.]+'
says out 'best +[0-9.]+'
run 0 info flexible.xml --clashes --json
json out "d['backbone_torsions'] >= 8 and len(d['clashes']) == 4"
json out "len(d['clashes'][0]['least_distance_A']) == 11"
finish
