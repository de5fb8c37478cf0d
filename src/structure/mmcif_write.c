#include "structure/mmcif.h"

#include "base/units.h"
#include "structure/residue.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <string.h>
#include <strings.h>

enum { VALUE_SIZE = CARDO_NAME_SIZE + 8 };

static bool needs_quotes(const char *word)
{
    static const char *const reserved[] = {"data_", "loop_", "save_", "stop_", "global_"};
    for (size_t i = 0; i < sizeof reserved / sizeof reserved[0]; ++i)
        if (strncasecmp(word, reserved[i], strlen(reserved[i])) == 0)
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
    fprintf(stream, " %.*f", digits, angstrom);
}

static void write_cell(FILE *stream, const double cell[6])
{
    static const char *const names[] = {"length_a",    "length_b",   "length_c",
                                        "angle_alpha", "angle_beta", "angle_gamma"};
    for (int k = 0; k < 6; ++k)
        fprintf(stream, "_cell.%s %.9g\n", names[k], k < 3 ? cell[k] / CARDO_ANGSTROM : cell[k]);
    fputs("#\n", stream);
}

static void write_bridges(FILE *stream, const cardo_structure *s)
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
        for (int k = 0; k < 2; ++k) {
            int r = s->bridge[b].residue[k];
            char chain[VALUE_SIZE], name[VALUE_SIZE], code[VALUE_SIZE];
            fprintf(stream, " %s %s %d %s SG",
                    value_of(s->chain_id[s->residue_chain[r]].text, chain),
                    value_of(s->residue_name[r].text, name), s->residue_number[r],
                    code_of(s->insertion[r], code));
        }
        fputc('\n', stream);
    }
    fputs("#\n", stream);
}

static void write_atom(FILE *stream, const cardo_structure *s, const double *positions, int atom,
                       bool sequence)
{
    int r = s->atom_residue[atom], c = s->residue_chain[r];
    char name[VALUE_SIZE], residue[VALUE_SIZE], chain[VALUE_SIZE], code[VALUE_SIZE];
    char label[12], place[12] = ".", symbol[3] = {0};
    const char *element = cardo_element_symbol(s->element[atom]);
    for (int i = 0; element[i]; ++i)
        symbol[i] = (char)toupper((unsigned char)element[i]);
    label_of_chain(c, label);
    if (sequence)
        snprintf(place, sizeof place, "%d", r - s->chain_first[c] + 1);
    const char *atom_name = value_of(s->atom_name[atom].text, name);
    const char *residue_name = value_of(s->residue_name[r].text, residue);
    fprintf(stream, "%s %d %s %s . %s %s %d %s %s", s->hetero[r] ? "HETATM" : "ATOM", atom + 1,
            symbol[0] ? symbol : "?", atom_name, residue_name, label, c + 1, place,
            code_of(s->insertion[r], code));
    for (int k = 0; k < 3; ++k)
        print_coordinate(stream, positions[3 * (size_t)atom + (size_t)k]);
    fprintf(stream, " %.2f %.2f %d %s %s %s 1\n", (double)s->occupancy[atom],
            (double)s->b_factor[atom], s->residue_number[r], residue_name,
            value_of(s->chain_id[c].text, chain), atom_name);
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

cardo_status cardo_mmcif_write(FILE *stream, const cardo_structure *structure,
                               const double *positions, cardo_error *error)
{
    const cardo_structure *s = structure;
    if (!positions)
        positions = s->position;
    cardo_status status = check_finite(s, positions, error);
    if (status != CARDO_OK)
        return status;
    fputs("data_cardo\n#\n", stream);
    if (s->has_cell)
        write_cell(stream, s->cell);
    if (s->nbridge > 0)
        write_bridges(stream, s);
    fputs(atom_header, stream);
    for (int c = 0; c < s->nchain; ++c) {
        /* The reader ends chains behind residues that have a place in a sequence. */
        bool sequence = cardo_chain_has_end(s, c);
        int last = s->residue_first[s->chain_first[c + 1]];
        for (int i = s->residue_first[s->chain_first[c]]; i < last; ++i)
            write_atom(stream, s, positions, i, sequence);
    }
    fputs("#\n", stream);
    if (ferror(stream))
        return CARDO_FAIL(error, CARDO_ERROR_FILE, "the mmCIF file cannot be written (%s)",
                          strerror(errno));
    return CARDO_OK;
}
