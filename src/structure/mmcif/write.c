#include "base/letters.h"
#include "base/number.h"
#include "structure/mmcif/mmcif.h"

#include "base/memory.h"
#include "base/units.h"
#include "structure/atoms/residue.h"

#include <errno.h>
#include <math.h>
#include <string.h>

enum { VALUE_SIZE = CARDO_NAME_SIZE + 8 };

static bool needs_quotes(const char *word)
{
    static const char *const reserved[] = {"data_", "loop_", "save_", "stop_", "global_"};
    for (size_t i = 0; i < sizeof reserved / sizeof reserved[0]; ++i)
        if (cardo_same_start(word, reserved[i], strlen(reserved[i])))
            return true;
    return !word[0] || strchr("_#$'\";[]", word[0]) || strchr(word, ' ') ||
           strcmp(word, ".") == 0 || strcmp(word, "?") == 0;
}

/* A word as a CIF value: quoted where a reader would take it for something else; a blank chain id
 * is '' and not the missing value that makes readers fall back to the label. */
static const char *value_of(const char *word, char text[VALUE_SIZE])
{
    if (!needs_quotes(word))
        return word;
    /* A quote within closes the value only before a blank. Where neither quote will do there are
     * text fields. */
    if (!strstr(word, "' "))
        snprintf(text, VALUE_SIZE, "'%.15s'", word);
    else if (!strstr(word, "\" "))
        snprintf(text, VALUE_SIZE, "\"%.15s\"", word);
    else
        snprintf(text, VALUE_SIZE, "\n;%.15s\n;", word);
    return text;
}

/* An insertion code, '?' when there is none. */
static const char *code_of(char insertion, char text[VALUE_SIZE])
{
    char word[2] = {insertion, '\0'}, quoted[VALUE_SIZE];
    snprintf(text, VALUE_SIZE, "%.15s", insertion ? value_of(word, quoted) : "?");
    return text;
}

/* label_asym_id of a chain: A..Z, AA.. in the order of chains. */
static void label_of_chain(int chain, char text[12])
{
    char reversed[12];
    int n = 0;
    for (++chain; chain > 0; chain = (chain - 1) / 26)
        reversed[n++] = (char)('A' + (chain - 1) % 26);
    for (int i = 0; i < n; ++i)
        text[i] = reversed[n - 1 - i];
    text[n] = '\0';
}

/* Three digits, as in the archive, where that is all there is; else enough for a picometre's
 * millionth. */
static void print_coordinate(FILE *stream, double nm)
{
    double angstrom = nm / CARDO_ANGSTROM;
    int digits = fabs(angstrom * 1000 - round(angstrom * 1000)) < 1e-6 ? 3 : 8;
    cardo_print(stream, " %.*f", digits, angstrom);
}

static void write_cell(FILE *stream, const double cell[6])
{
    static const char *const names[] = {"length_a",    "length_b",   "length_c",
                                        "angle_alpha", "angle_beta", "angle_gamma"};
    for (int k = 0; k < 6; ++k)
        cardo_print(stream, "_cell.%s %.9g\n", names[k],
                    k < 3 ? cell[k] / CARDO_ANGSTROM : cell[k]);
    fputs("#\n", stream);
}

/* An atom as a partner of _struct_conn. */
static void write_partner(FILE *stream, const cardo_structure *s, int residue, const char *atom)
{
    char chain[VALUE_SIZE], name[VALUE_SIZE], code[VALUE_SIZE], quoted[VALUE_SIZE];
    fprintf(stream, " %s %s %d %s %s", value_of(s->chain_id[s->residue_chain[residue]].text, chain),
            value_of(s->residue_name[residue].text, name), s->residue_number[residue],
            code_of(s->insertion[residue], code), value_of(atom, quoted));
}

static void write_connections(FILE *stream, const cardo_structure *s)
{
    fputs("loop_\n_struct_conn.id\n_struct_conn.conn_type_id\n", stream);
    for (int k = 1; k <= 2; ++k)
        fprintf(stream,
                "_struct_conn.ptnr%d_auth_asym_id\n_struct_conn.ptnr%d_auth_comp_id\n"
                "_struct_conn.ptnr%d_auth_seq_id\n_struct_conn.pdbx_ptnr%d_PDB_ins_code\n"
                "_struct_conn.ptnr%d_label_atom_id\n",
                k, k, k, k, k);
    for (int b = 0; b < s->nbridge; ++b) {
        fprintf(stream, "disulf%d disulf", b + 1);
        for (int k = 0; k < 2; ++k)
            write_partner(stream, s, s->bridge[b].residue[k], "SG");
        fputc('\n', stream);
    }
    for (int b = 0; b < s->nlink; ++b) {
        const int *atom = s->link[b].atom;
        const char *kind = cardo_element_is_metal(s->element[atom[0]]) ||
                                   cardo_element_is_metal(s->element[atom[1]])
                               ? "metalc"
                               : "covale";
        fprintf(stream, "%s%d %s", kind, b + 1, kind);
        for (int k = 0; k < 2; ++k)
            write_partner(stream, s, s->atom_residue[atom[k]], s->atom_name[atom[k]].text);
        fputc('\n', stream);
    }
    fputs("#\n", stream);
}

/* Where the residues of a structure stand in the sequences that are written. */
typedef struct layout {
    int *place;   /* of a residue in its chain's sequence, 0: none     (nresidue) */
    int *polymer; /* that is the sequence of a chain, -1: none         (nchain)   */
} layout;

/* The chain that alone holds residues of the polymer, and ends as polymers do; -1: none. */
static int chain_of_polymer(const cardo_structure *s, const cardo_polymer *polymer)
{
    int chain = -1;
    for (int i = polymer->first; i < polymer->first + polymer->count; ++i) {
        int residue = s->monomer[i].residue;
        if (residue < 0)
            continue;
        if (chain >= 0 && s->residue_chain[residue] != chain)
            return -1;
        chain = s->residue_chain[residue];
    }
    return chain >= 0 && cardo_chain_has_end(s, chain) ? chain : -1;
}

/* The reader ends chains after residues that have a place in a sequence: in a chain that ends so,
 * those that are not of the sequence get places after it. */
static cardo_status lay_out(const cardo_structure *s, layout *l, cardo_error *error)
{
    cardo_status status = CARDO_ALLOCATE(&l->place, s->nresidue, error);
    if (status == CARDO_OK)
        status = CARDO_ALLOCATE(&l->polymer, s->nchain, error);
    if (status != CARDO_OK)
        return status;
    for (int c = 0; c < s->nchain; ++c)
        l->polymer[c] = -1;
    for (int p = 0; p < s->npolymer; ++p) {
        const cardo_polymer *polymer = &s->polymer[p];
        int chain = chain_of_polymer(s, polymer);
        if (chain < 0 || l->polymer[chain] >= 0)
            continue;
        l->polymer[chain] = p;
        for (int i = 0; i < polymer->count; ++i)
            if (s->monomer[polymer->first + i].residue >= 0)
                l->place[s->monomer[polymer->first + i].residue] = i + 1;
    }
    for (int c = 0; c < s->nchain; ++c) {
        int next = l->polymer[c] >= 0 ? s->polymer[l->polymer[c]].count : 0;
        bool ends = cardo_chain_has_end(s, c);
        for (int r = s->chain_first[c]; ends && r < s->chain_first[c + 1]; ++r)
            if (l->place[r] == 0)
                l->place[r] = ++next;
    }
    return CARDO_OK;
}

static void write_entities(FILE *stream, const cardo_structure *s, const layout *l)
{
    fputs("loop_\n_entity_poly_seq.entity_id\n_entity_poly_seq.num\n_entity_poly_seq.mon_id\n",
          stream);
    for (int c = 0; c < s->nchain; ++c)
        for (int i = 0; l->polymer[c] >= 0 && i < s->polymer[l->polymer[c]].count; ++i) {
            char name[VALUE_SIZE];
            fprintf(stream, "%d %d %s\n", c + 1, i + 1,
                    value_of(s->monomer[s->polymer[l->polymer[c]].first + i].name.text, name));
        }
    fputs("#\n", stream);
}

static void write_scheme(FILE *stream, const cardo_structure *s, const layout *l)
{
    static const char *const items[] = {"asym_id",    "entity_id",     "seq_id",
                                        "mon_id",     "pdb_seq_num",   "auth_seq_num",
                                        "pdb_mon_id", "pdb_strand_id", "pdb_ins_code"};
    fputs("loop_\n", stream);
    for (size_t k = 0; k < sizeof items / sizeof *items; ++k)
        fprintf(stream, "_pdbx_poly_seq_scheme.%s\n", items[k]);
    for (int c = 0; c < s->nchain; ++c)
        for (int i = 0; l->polymer[c] >= 0 && i < s->polymer[l->polymer[c]].count; ++i) {
            const cardo_polymer *polymer = &s->polymer[l->polymer[c]];
            const cardo_monomer *m = &s->monomer[polymer->first + i];
            char label[12], name[VALUE_SIZE], there[VALUE_SIZE], chain[VALUE_SIZE];
            char code[VALUE_SIZE], number[16] = "?";
            label_of_chain(c, label);
            if (m->numbered)
                snprintf(number, sizeof number, "%d", m->number);
            fprintf(stream, "%s %d %d %s %s %s %s %s %s\n", label, c + 1, i + 1,
                    value_of(m->name.text, name), number, m->residue >= 0 ? number : "?",
                    m->residue >= 0 ? value_of(s->residue_name[m->residue].text, there) : "?",
                    value_of(polymer->chain.text, chain), code_of(m->insertion, code));
        }
    fputs("#\n", stream);
}

static void write_atom(FILE *stream, const cardo_structure *s, const double *positions, int atom,
                       int model, const layout *l)
{
    int r = s->atom_residue[atom], c = s->residue_chain[r];
    char name[VALUE_SIZE], residue[VALUE_SIZE], chain[VALUE_SIZE], code[VALUE_SIZE];
    char label[12], place[12] = ".", symbol[3] = {0};
    const char *element = cardo_element_symbol(s->element[atom]);
    for (int i = 0; element[i]; ++i)
        symbol[i] = cardo_upper(element[i]);
    label_of_chain(c, label);
    if (l->place[r] > 0)
        snprintf(place, sizeof place, "%d", l->place[r]);
    const char *atom_name = value_of(s->atom_name[atom].text, name);
    const char *residue_name = value_of(s->residue_name[r].text, residue);
    fprintf(stream, "%s %d %s %s . %s %s %d %s %s", s->hetero[r] ? "HETATM" : "ATOM", atom + 1,
            symbol[0] ? symbol : "?", atom_name, residue_name, label, c + 1, place,
            code_of(s->insertion[r], code));
    for (int k = 0; k < 3; ++k)
        print_coordinate(stream, positions[3 * (size_t)atom + (size_t)k]);
    cardo_print(stream, " %.2f %.2f %d %s %s %s %d\n", (double)s->occupancy[atom],
                (double)s->b_factor[atom], s->residue_number[r], residue_name,
                value_of(s->chain_id[c].text, chain), atom_name, model);
}

static const char atom_header[] =
    "loop_\n_atom_site.group_PDB\n_atom_site.id\n_atom_site.type_symbol\n_atom_site.label_atom_id\n"
    "_atom_site.label_alt_id\n_atom_site.label_comp_id\n_atom_site.label_asym_id\n"
    "_atom_site.label_entity_id\n_atom_site.label_seq_id\n_atom_site.pdbx_PDB_ins_code\n"
    "_atom_site.Cartn_x\n_atom_site.Cartn_y\n_atom_site.Cartn_z\n_atom_site.occupancy\n"
    "_atom_site.B_iso_or_equiv\n_atom_site.auth_seq_id\n_atom_site.auth_comp_id\n"
    "_atom_site.auth_asym_id\n_atom_site.auth_atom_id\n_atom_site.pdbx_PDB_model_num\n";

static cardo_status check_finite(const cardo_structure *s, const double *positions,
                                 cardo_error *error)
{
    char label[40];
    for (int i = 0; i < 3 * s->natom; ++i)
        if (!isfinite(positions[i]))
            return CARDO_FAIL(
                error, CARDO_ERROR_NUMERICAL, "atom %s of residue %s: its position is not finite",
                s->atom_name[i / 3].text, cardo_residue_label(s, s->atom_residue[i / 3], label));
    return CARDO_OK;
}

static void write_head(FILE *stream, const cardo_structure *s, const layout *l)
{
    fputs("data_cardo\n#\n", stream);
    if (s->has_cell)
        write_cell(stream, s->cell);
    if (s->npolymer > 0) {
        write_entities(stream, s, l);
        write_scheme(stream, s, l);
    }
    if (s->nbridge > 0 || s->nlink > 0)
        write_connections(stream, s);
    fputs(atom_header, stream);
}

static cardo_status check_stream(FILE *stream, cardo_error *error)
{
    if (!ferror(stream))
        return CARDO_OK;
    return CARDO_FAIL(error, CARDO_ERROR_FILE, "the mmCIF file cannot be written (%s)",
                      strerror(errno));
}

cardo_status cardo_mmcif_write_model(FILE *stream, const cardo_structure *structure,
                                     const double *positions, int model, cardo_error *error)
{
    const cardo_structure *s = structure;
    if (!positions)
        positions = s->position;
    cardo_status status = check_finite(s, positions, error);
    if (status != CARDO_OK)
        return status;
    layout l = {NULL, NULL};
    CARDO_TRY(lay_out(s, &l, error));
    if (model <= 1)
        write_head(stream, s, &l);
    for (int i = 0; i < s->natom; ++i)
        write_atom(stream, s, positions, i, model, &l);
    status = check_stream(stream, error);
done:
    cardo_free(l.place);
    cardo_free(l.polymer);
    return status;
}

cardo_status cardo_mmcif_write(FILE *stream, const cardo_structure *structure,
                               const double *positions, cardo_error *error)
{
    cardo_status status = cardo_mmcif_write_model(stream, structure, positions, 1, error);
    if (status != CARDO_OK)
        return status;
    fputs("#\n", stream);
    return check_stream(stream, error);
}
