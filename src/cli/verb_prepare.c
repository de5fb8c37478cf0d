/* cardo prepare: a structure as deposited becomes one that runs. */
#include "cli/frame/reading.h"
#include "cli/frame/study_verb.h"

static const cardo_option options[] = {
    {"out", 'o', "FILE", "where the result goes: .pdb or .cif", "output"},
    {"force", 'f', NULL, "overwrite it"},
    {"ph", 0, "PH",
     "pH for protonation states, with pKa values shifted by what is around (default: 7 with model "
     "pKa values); hydrogens in the file come first",
     "ph"},
    {"pka", 0, "KIND", "pKa values at that pH: place (default), or model (of the group alone)",
     "pka"},
    {"protonate", 0, "LIST",
     "states of residues, before what the file and the pH tell: A:48=HIP,A:26=ASH (HID, HIE, HIP, "
     "ASP, ASH, GLU, GLH, LYS, LYN, CYS, CYM); may be repeated",
     "protonate+"},
    {"chains", 'c', "A,B", "chains to keep (default: all)", "chains"},
    {"assembly", 0, "ID",
     "build this biological assembly of the file (REMARK 350, _pdbx_struct_assembly_gen), all its "
     "chains from those that the file has, before chains are chosen (default: the atoms of the "
     "file)",
     "assembly"},
    {"model", 'm', "N", "model of the file (default: the first)", "model"},
    CARDO_NUMBERING_OPTION_OF("numbering"),
    {"altloc", 'a', "A",
     "alternate location to take where it is there (default: highest "
     "occupancy)",
     "altloc"},
    {"keep", 'k', "WHAT", "keep water, ions, ligands, modified (residues); separated by commas",
     "keep+"},
    {"drop", 'd', "WHAT",
     "leave out nucleic (acids), or the file's hydrogens, which are then placed anew; separated by "
     "commas",
     "drop+"},
    {"cap", 0, "WHERE", "ACE and NME at protein chain ends, breaks or all (default: charged ends)",
     "cap+"},
    {"breaks", 0, "WHAT",
     "breaks inside protein chains: report (default: open, with charged ends), cap (ACE and NME), "
     "close (build up to 8 residues that the file's sequence names; refused where they do not "
     "fit), "
     "or close,cap",
     "breaks+"},
    {"no-hydrogens", 0, NULL, "build heavy atoms only", "hydrogens=no"},
    {"forcefield", 0, "FILE",
     "force field to relax what was built with (default ff14SB.xml, with nucleic acids "
     "ff99SB.xml); may be repeated",
     "forcefield+"},
    {"no-relax", 0, NULL, "leave what was built at ideal geometry", "relax=no"},
    {"full", 0, NULL, "list hydrogens, waters and protonation states one by one too", "full"},
    {"json", 0, NULL, "print the report as JSON: every atom"},
    {"quiet", 'q', NULL, "print no report"},
    {0},
};

static const cardo_study_verb of_study = {
    .study = "prepare",
    .wants = "one structure file and a place for the result are needed",
    .named = {.structures = "out", .needed = true},
};

const cardo_verb cardo_verb_prepare = {
    .name = "prepare",
    .synopsis = "FILE -o PREPARED.pdb [options]",
    .summary = "make a crystal structure ready for simulation, and say what was done",
    .description =
        "Reads a structure as deposited (PDB or mmCIF) and writes one that a force field covers: "
        "chooses model, alternates and chains, leaves out water, ions and ligands unless told to "
        "keep them, gives modified residues the name and atoms of their standard parent, rebuilds "
        "missing heavy atoms without clashes, finds disulfides, ends chains, and adds hydrogens "
        "for the pH. Atoms of the file stay where they are; what was built is relaxed with the "
        "force field while all else is held. Chain breaks are reported, with the residues that the "
        "file's sequence names, and capped or closed on request, never bridged silently: each side "
        "becomes a chain of its own. The report ends with what to look at: amides that fit better "
        "turned, links and metals that were left out, odd peptides and chirality. Preparing a "
        "prepared file changes nothing.",
    .options = options,
    .study = &of_study,
    .run = cardo_study_verb_run,
};
