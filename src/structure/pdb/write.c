#include "base/letters.h"
#include "base/number.h"
#include "structure/pdb/pdb.h"

#include "base/units.h"
#include "base/vec.h"
#include "structure/atoms/residue.h"
#include "structure/pdb/hybrid36.h"

#include <errno.h>
#include <math.h>
#include <string.h>

typedef struct pdb_writer {
    FILE *stream;
    const cardo_structure *structure;
    const double *positions;
    cardo_error *error;
    int serial; /* next one */
} pdb_writer;

/* The residue name in columns 18-21, chain, number and insertion code: 10 characters. */
static cardo_status format_residue(const pdb_writer *writer, int residue, char text[11])
{
    const cardo_structure *s = writer->structure;
    const char *name = s->residue_name[residue].text;
    const char *chain = s->chain_id[s->residue_chain[residue]].text;
    char label[40], number[5];
    if (strlen(chain) > 1 || strlen(name) > 4)
        return CARDO_FAIL(
            writer->error, CARDO_ERROR_UNSUPPORTED,
            "residue %s: its %s does not fit the PDB format: name the file .cif, which is mmCIF",
            cardo_residue_label(s, residue, label),
            strlen(chain) > 1 ? "chain id" : "residue name");
    if (!cardo_hybrid36_encode(s->residue_number[residue], 4, number))
        return CARDO_FAIL(writer->error, CARDO_ERROR_UNSUPPORTED,
                          "residue %s: its number does not fit the PDB format: name the file .cif, "
                          "which is mmCIF",
                          cardo_residue_label(s, residue, label));
    char insertion = s->insertion[residue] ? s->insertion[residue] : ' ';
    snprintf(text, 11, "%3.4s%s%c%s%c", name, strlen(name) < 4 ? " " : "",
             chain[0] ? chain[0] : ' ', number, insertion);
    return CARDO_OK;
}

/* A one-letter element starts in column 14 unless the name needs all four. */
static void format_atom_name(const char *name, const char *symbol, char text[5])
{
    bool indented = strlen(name) < 4 && !(strlen(symbol) == 2 && cardo_same_start(name, symbol, 2));
    snprintf(text, 5, "%s%-4.4s", indented ? " " : "", name);
}

static cardo_status format_position(const pdb_writer *writer, int atom, char text[25])
{
    const double *p = writer->positions + 3 * (size_t)atom;
    double x = p[0] / CARDO_ANGSTROM, y = p[1] / CARDO_ANGSTROM, z = p[2] / CARDO_ANGSTROM;
    double low = fmin(x, fmin(y, z)), high = fmax(x, fmax(y, z));
    char label[40];
    /* Written so that NaN fails. */
    bool fits = isfinite(x) && isfinite(y) && isfinite(z) && low > -999.9995 && high < 9999.9995;
    if (!fits)
        return CARDO_FAIL(
            writer->error, CARDO_ERROR_NUMERICAL,
            "atom %s of residue %s: position (%g, %g, %g) angstrom does not fit the PDB format",
            writer->structure->atom_name[atom].text,
            cardo_residue_label(writer->structure, writer->structure->atom_residue[atom], label), x,
            y, z);
    cardo_format(text, 25, "%8.3f%8.3f%8.3f", x, y, z);
    return CARDO_OK;
}

static void format_serial(pdb_writer *writer, char text[6])
{
    if (!cardo_hybrid36_encode(writer->serial++, 5, text))
        strcpy(text, "*****");
}

static double clamp(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

static cardo_status write_atom(pdb_writer *writer, int atom, const char *residue_text)
{
    const cardo_structure *s = writer->structure;
    const char *symbol = cardo_element_symbol(s->element[atom]);
    char serial[6], name[5], position[25], upper[3] = {0};
    if (strlen(s->atom_name[atom].text) > 4)
        return CARDO_FAIL(
            writer->error, CARDO_ERROR_UNSUPPORTED,
            "atom name %s does not fit the PDB format: name the file .cif, which is mmCIF",
            s->atom_name[atom].text);
    cardo_status status = format_position(writer, atom, position);
    if (status != CARDO_OK)
        return status;
    format_serial(writer, serial);
    format_atom_name(s->atom_name[atom].text, symbol, name);
    for (int i = 0; symbol[i] && i < 2; ++i)
        upper[i] = cardo_upper(symbol[i]);
    cardo_print(writer->stream, "%s%s %s %s   %s%6.2f%6.2f          %2s  \n",
                s->hetero[s->atom_residue[atom]] ? "HETATM" : "ATOM  ", serial, name, residue_text,
                position, clamp((double)s->occupancy[atom], -99.99, 999.99),
                clamp((double)s->b_factor[atom], -99.99, 999.99), upper);
    return CARDO_OK;
}

static cardo_status write_chain(pdb_writer *writer, int chain)
{
    const cardo_structure *s = writer->structure;
    cardo_status status = CARDO_OK;
    char text[11] = "";
    for (int r = s->chain_first[chain]; r < s->chain_first[chain + 1]; ++r) {
        CARDO_TRY(format_residue(writer, r, text));
        for (int i = s->residue_first[r]; i < s->residue_first[r + 1]; ++i)
            CARDO_TRY(write_atom(writer, i, text));
    }
    if (cardo_chain_has_end(s, chain)) {
        char serial[6];
        format_serial(writer, serial);
        fprintf(writer->stream, "TER   %s      %s\n", serial, text);
    }
done:
    return status;
}

static cardo_status write_bridges(pdb_writer *writer)
{
    const cardo_structure *s = writer->structure;
    cardo_status status = CARDO_OK;
    for (int b = 0; b < s->nbridge; ++b) {
        char one[11], other[11];
        CARDO_TRY(format_residue(writer, s->bridge[b].residue[0], one));
        CARDO_TRY(format_residue(writer, s->bridge[b].residue[1], other));
        fprintf(writer->stream, "SSBOND %3d %.5s %.5s   %.5s %.5s\n", (b + 1) % 1000, one, one + 5,
                other, other + 5);
    }
done:
    return status;
}

static cardo_status write_links(pdb_writer *writer)
{
    const cardo_structure *s = writer->structure;
    cardo_status status = CARDO_OK;
    for (int k = 0; k < s->nlink; ++k) {
        char residue[2][11], name[2][5];
        double position[2][3];
        for (int end = 0; end < 2; ++end) {
            int i = s->link[k].atom[end];
            CARDO_TRY(format_residue(writer, s->atom_residue[i], residue[end]));
            format_atom_name(s->atom_name[i].text, cardo_element_symbol(s->element[i]), name[end]);
            memcpy(position[end], writer->positions + 3 * (size_t)i, sizeof position[end]);
        }
        double length = v3_norm(v3_sub(v3_load(position[0]), v3_load(position[1])));
        cardo_print(writer->stream, "LINK        %s %s               %s %s     1555   1555 %5.2f\n",
                    name[0], residue[0], name[1], residue[1],
                    clamp(length / CARDO_ANGSTROM, 0, 99.99));
    }
done:
    return status;
}

/* Has PDB's SEQRES room for all names of the polymer? */
static bool fits_sequence(const cardo_structure *s, const cardo_polymer *polymer)
{
    for (int i = 0; i < polymer->count; ++i)
        if (strlen(s->monomer[polymer->first + i].name.text) > 3)
            return false;
    return strlen(polymer->chain.text) <= 1;
}

static void write_sequence(const pdb_writer *writer, const cardo_polymer *polymer)
{
    enum { NAMES_A_LINE = 13 };
    const cardo_structure *s = writer->structure;
    char chain = polymer->chain.text[0] ? polymer->chain.text[0] : ' ';
    int count = polymer->count < 9999 ? polymer->count : 9999;
    for (int i = 0; i < polymer->count; ++i) {
        int line = i / NAMES_A_LINE + 1;
        if (i % NAMES_A_LINE == 0)
            fprintf(writer->stream, "%sSEQRES %3d %c %4d ", i ? "\n" : "", line < 999 ? line : 999,
                    chain, count);
        fprintf(writer->stream, " %3s", s->monomer[polymer->first + i].name.text);
    }
    fputc('\n', writer->stream);
}

/* REMARK 465: the numbers of residues without coordinates, where they are known. */
static void write_missing(const pdb_writer *writer, const cardo_polymer *polymer)
{
    const cardo_structure *s = writer->structure;
    char chain = polymer->chain.text[0] ? polymer->chain.text[0] : ' ';
    for (int i = 0; i < polymer->count; ++i) {
        const cardo_monomer *m = &s->monomer[polymer->first + i];
        if (m->residue < 0 && m->numbered && m->number > -10000 && m->number < 100000)
            fprintf(writer->stream, "REMARK 465     %3s %c %5d%c\n", m->name.text, chain, m->number,
                    m->insertion ? m->insertion : ' ');
    }
}

static void write_sequences(const pdb_writer *writer)
{
    const cardo_structure *s = writer->structure;
    for (int p = 0; p < s->npolymer; ++p)
        if (fits_sequence(s, &s->polymer[p]))
            write_missing(writer, &s->polymer[p]);
    for (int p = 0; p < s->npolymer; ++p)
        if (fits_sequence(s, &s->polymer[p]))
            write_sequence(writer, &s->polymer[p]);
}

static void write_cell(const pdb_writer *writer)
{
    const double *cell = writer->structure->cell;
    cardo_print(writer->stream, "CRYST1%9.3f%9.3f%9.3f%7.2f%7.2f%7.2f P 1           1\n",
                cell[0] / CARDO_ANGSTROM, cell[1] / CARDO_ANGSTROM, cell[2] / CARDO_ANGSTROM,
                cell[3], cell[4], cell[5]);
}

cardo_status cardo_pdb_write(FILE *stream, const cardo_structure *structure,
                             const double *positions, int model, cardo_error *error)
{
    pdb_writer writer = {.stream = stream,
                         .structure = structure,
                         .positions = positions ? positions : structure->position,
                         .error = error,
                         .serial = 1};
    cardo_status status = CARDO_OK;
    if (model <= 1) {
        write_sequences(&writer);
        CARDO_TRY(write_bridges(&writer));
        CARDO_TRY(write_links(&writer));
        if (structure->has_cell)
            write_cell(&writer);
    }
    if (model > 0)
        fprintf(stream, "MODEL     %4d\n", model);
    for (int c = 0; c < structure->nchain; ++c)
        CARDO_TRY(write_chain(&writer, c));
    if (model > 0)
        fputs("ENDMDL\n", stream);
    if (ferror(stream))
        status = CARDO_FAIL(error, CARDO_ERROR_FILE, "the PDB file cannot be written (%s)",
                            strerror(errno));
done:
    return status;
}
