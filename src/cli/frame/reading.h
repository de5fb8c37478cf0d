/* What the verbs that read structure files have in common. */
#ifndef CARDO_CLI_FRAME_READING_H
#define CARDO_CLI_FRAME_READING_H

/* How residues of mmCIF files are called, of a model's structures or of the study's own files ("numbering"). */
#define CARDO_NUMBERING_OPTION CARDO_NUMBERING_OPTION_OF("structure.numbering")
#define CARDO_NUMBERING_OPTION_OF(sets)                                                            \
    {                                                                                              \
        "numbering", 0, "WHICH",                                                                   \
            "chains and residue numbers of mmCIF files: author (the default, as in PDB files and " \
            "papers) or label (label_asym_id, label_seq_id)",                                      \
            sets                                                                                   \
    }

/* Which structures are taken for one protein or for relatives. */
#define CARDO_IDENTITY_OPTION                                                                      \
    {                                                                                              \
        "identity", 0, "SHARE",                                                                    \
            "share of equal residues, among those that pair, from which on structures are "        \
            "compared (default: 0.3, and more for fewer than 94 residues and for nucleic acids; "  \
            "strangers are refused); a number given is enough by itself",                          \
            "identity"                                                                             \
    }

#endif
