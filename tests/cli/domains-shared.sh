#!/usr/bin/env bash
# cardo domains: LAO, calmodulin, adenylate kinase and an ensemble of it; other proteins are refused.
. "$(dirname "$0")/support.sh"
need_shared
run 0 domains "$shared/pdb/2lao.pdb" "$shared/pdb/1lst.pdb" --json
for other in 1ake_A 2dri 1dpe_A_bb; do
    run 1 domains "$shared/pdb/2lao.pdb" "$shared/pdb/$other.pdb"
    says err 'the sequences of .* differ: '
done
run 0 domains "$shared/pdb/2lao.pdb" "$shared/pdb/1lst.pdb" --json
json out "abs(d['hinges'][0]['angle_deg'] - 51.67) < 0.5 and d['methods']['agreement'] > 0.95"
run 0 domains "$shared/pdb/1cll_A_bb.pdb" "$shared/pdb/5ggm_A_bb.pdb" --json
json out "not d['rigid_hinge'] and d['kind'] == 'tether'"
run 0 domains "$shared/pdb/4ake_A_fixedH.pdb" "$shared/pdb/1ake_A.pdb" --json
json out "len(d['domains']) == 3 and [h['parent'] for h in d['hinges']] == ['domain1', 'domain1']"
run 0 domains "$shared/pdb/adk_xray_ensemble_ca.pdb" --json
json out "len(d['structures']) == 16 and len(d['domains']) == 3"
json out "d['structures'][13]['hinges'][0]['share'] > 0.9 or d['structures'][13]['hinges'][0]['share'] < 0.1"
finish
