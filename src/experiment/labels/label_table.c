#include "experiment/labels/label_table.h"

#include "base/json/json.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "base/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_WORDS = 10, WORD = 256 };

/* Of a rotamer's spin against atoms of other bodies, and how far it may be from its residue, nm. */
static const double spin_radius = 0.07, farthest_spin = 2;

typedef struct reading {
    const char *path;
    cardo_label_table *out;
    int labels, pairs; /* room */
    cardo_error *error;
} reading;

void cardo_label_table_clear(cardo_label_table *table)
{
    for (int k = 0; k < table->nlabel; ++k)
        cardo_free(table->label[k].rotamers);
    cardo_free(table->label);
    cardo_free(table->pair);
    *table = (cardo_label_table){0};
}

static int find_label(const cardo_label_table *table, const char *name)
{
    for (int k = 0; k < table->nlabel; ++k)
        if (strcmp(table->label[k].name, name) == 0)
            return k;
    return -1;
}

/* A length in angstrom within bounds, as nm. */
static cardo_status take_length(const reading *r, int line, const char *what, double value,
                                double least, double most, double *out)
{
    char shown[32];
    if (value >= least && value <= most) {
        *out = CARDO_ANGSTROM * value;
        return CARDO_OK;
    }
    cardo_format(shown, sizeof shown, "%g", value);
    return CARDO_FAIL(r->error, CARDO_ERROR_INPUT,
                      "%s:%d: %s is %s, and is to be a length from %d to %d A", r->path, line, what,
                      shown, (int)least, (int)most);
}

static cardo_status add_label(reading *r, const cardo_label *label)
{
    if (find_label(r->out, label->name) >= 0)
        return CARDO_FAIL(r->error, CARDO_ERROR_INPUT, "%s:%d: there are two labels %s", r->path,
                          label->line, label->name);
    cardo_status status = CARDO_RESERVE(&r->out->label, &r->labels, r->out->nlabel + 1, r->error);
    if (status == CARDO_OK)
        r->out->label[r->out->nlabel++] = *label;
    return status;
}

static cardo_status add_pair(reading *r, cardo_label_pair *pair, const char *const names[2])
{
    for (int k = 0; k < 2; ++k) {
        pair->label[k] = find_label(r->out, names[k]);
        if (pair->label[k] < 0)
            return CARDO_FAIL(r->error, CARDO_ERROR_INPUT,
                              "%s:%d: pair %s names label %s, which there is not before it",
                              r->path, pair->line, pair->name, names[k]);
    }
    cardo_status status = CARDO_RESERVE(&r->out->pair, &r->pairs, r->out->npair + 1, r->error);
    if (status == CARDO_OK)
        r->out->pair[r->out->npair++] = *pair;
    return status;
}

/* --- Text ------------------------------------------------------------------------------------- */

static int split(const cardo_line *line, char word[MOST_WORDS][WORD])
{
    int n = 0;
    for (int k = 0; k < line->length && line->text[k] != '#';) {
        int length = 0;
        while (k + length < line->length && !strchr(" \t,#", line->text[k + length]))
            ++length;
        if (length > 0 && n < MOST_WORDS)
            snprintf(word[n++], WORD, "%.*s", length, line->text + k);
        k += length > 0 ? length : 1;
        if (length == 0 && line->text[k - 1] == '#')
            break;
    }
    return n;
}

static cardo_status number(const reading *r, int line, const char *word, double *out)
{
    char *end;
    *out = cardo_read_double(word, &end);
    if (end != word && !*end && isfinite(*out))
        return CARDO_OK;
    return CARDO_FAIL(r->error, CARDO_ERROR_INPUT, "%s:%d: %s is no number", r->path, line, word);
}

static cardo_status read_label(reading *r, int line, int n, char word[MOST_WORDS][WORD])
{
    cardo_label label = {.line = line};
    double value[5];
    cardo_status status = CARDO_OK;
    const bool rotamers = n == 6 && strcmp(word[3], "rotamers") == 0;
    if (n != 7 && n != 9 && !rotamers)
        return CARDO_FAIL(r->error, CARDO_ERROR_INPUT,
                          "%s:%d: a label is: label NAME RESIDUE ATOM LENGTH WIDTH RADIUS [RADIUS "
                          "RADIUS], lengths in A, or label NAME RESIDUE rotamers FILE ATOM",
                          r->path, line);
    snprintf(label.name, sizeof label.name, "%s", word[1]);
    snprintf(label.residue, sizeof label.residue, "%s", word[2]);
    snprintf(label.atom, sizeof label.atom, "%.7s", word[3]);
    if (rotamers) {
        snprintf(label.atom, sizeof label.atom, "CA");
        snprintf(label.spin, sizeof label.spin, "%.7s", word[5]);
        label.shape =
            (cardo_label_shape){.length = farthest_spin, .nradius = 1, .radius = {spin_radius}};
        status = cardo_path_beside(r->path, word[4], &label.rotamers, r->error);
        if (status == CARDO_OK)
            status = add_label(r, &label);
        if (status != CARDO_OK)
            cardo_free(label.rotamers);
        return status;
    }
    label.shape.nradius = n - 6;
    for (int k = 0; k < n - 4 && status == CARDO_OK; ++k)
        status = number(r, line, word[4 + k], &value[k]);
    if (status == CARDO_OK)
        status = take_length(r, line, "the linker's length", value[0], 1, 100, &label.shape.length);
    if (status == CARDO_OK)
        status = take_length(r, line, "the linker's width", value[1], 0, 20, &label.shape.width);
    for (int k = 0; k < label.shape.nradius && status == CARDO_OK; ++k)
        status = take_length(r, line, "a radius", value[2 + k], 0, 30, &label.shape.radius[k]);
    return status == CARDO_OK ? add_label(r, &label) : status;
}

static cardo_status read_pair(reading *r, int line, int n, char word[MOST_WORDS][WORD])
{
    cardo_label_pair pair = {.line = line};
    const bool fret = n >= 5 && strcmp(word[4], "fret") == 0,
               deer = n >= 5 && strcmp(word[4], "deer") == 0;
    const int values = n - 5;
    double value[3] = {0};
    cardo_status status = CARDO_OK;
    if (!(fret && (values == 1 || values == 3)) && !(deer && (values == 0 || values == 2)))
        return CARDO_FAIL(r->error, CARDO_ERROR_INPUT,
                          "%s:%d: a pair is: pair NAME LABEL LABEL fret R0 [E SIGMA], or pair NAME "
                          "LABEL LABEL deer [DISTANCE SIGMA], lengths in A",
                          r->path, line);
    snprintf(pair.name, sizeof pair.name, "%s", word[1]);
    pair.kind = fret ? CARDO_PAIR_FRET : CARDO_PAIR_DEER;
    for (int k = 0; k < values && status == CARDO_OK; ++k)
        status = number(r, line, word[5 + k], &value[k]);
    if (status == CARDO_OK && fret)
        status = take_length(r, line, "R0", value[0], 1, 200, &pair.R0);
    pair.measured = values > 1;
    if (status == CARDO_OK && pair.measured) {
        pair.value = value[values - 2] * (deer ? CARDO_ANGSTROM : 1);
        pair.sigma = value[values - 1] * (deer ? CARDO_ANGSTROM : 1);
        if (pair.sigma <= 0 || (fret && (pair.value < -0.2 || pair.value > 1.2)))
            return CARDO_FAIL(r->error, CARDO_ERROR_INPUT,
                              "%s:%d: %s of pair %s cannot be: an error is above zero, and an "
                              "efficiency from 0 to 1",
                              r->path, line, pair.sigma <= 0 ? "the error" : "the efficiency",
                              pair.name);
    }
    return status == CARDO_OK ? add_pair(r, &pair, (const char *const[2]){word[2], word[3]})
                              : status;
}

static cardo_status read_text(reading *r, const char *text, size_t length)
{
    const char *next = text;
    cardo_line line = {0};
    cardo_status status = CARDO_OK;
    while (status == CARDO_OK && cardo_next_line(&next, text + length, &line)) {
        char word[MOST_WORDS][WORD];
        const int n = split(&line, word);
        if (n == 0)
            continue;
        if (strcmp(word[0], "label") == 0)
            status = read_label(r, line.number, n, word);
        else if (strcmp(word[0], "pair") == 0)
            status = read_pair(r, line.number, n, word);
        else
            status = CARDO_FAIL(r->error, CARDO_ERROR_INPUT,
                                "%s:%d: a line begins with label or pair, and this one with '%s'",
                                r->path, line.number, word[0]);
    }
    return status;
}

/* --- FPS -------------------------------------------------------------------------------------- */

static double number_in(const cardo_json *object, const char *key, double otherwise)
{
    double value;
    return cardo_json_number_at(object, key, &value) ? value : otherwise;
}

static cardo_status read_position(reading *r, const char *name, const cardo_json *one)
{
    cardo_label label = {0};
    const char *chain = cardo_json_text(one, "chain_identifier"),
               *atom = cardo_json_text(one, "attachment_atom_name"),
               *type = cardo_json_text(one, "simulation_type");
    cardo_label_shape *shape = &label.shape;
    static const char *const radii[] = {"radius1", "radius2", "radius3"};
    cardo_status status;
    double residue;
    if (type && strcmp(type, "AV1") != 0 && strcmp(type, "AV3") != 0)
        return CARDO_FAIL(r->error, CARDO_ERROR_INPUT,
                          "%s: position %s has simulation_type %s, and AV1 and AV3 are known",
                          r->path, name, type);
    if (!cardo_json_number_at(one, "residue_seq_number", &residue))
        return CARDO_FAIL(r->error, CARDO_ERROR_INPUT, "%s: position %s has no residue_seq_number",
                          r->path, name);
    snprintf(label.name, sizeof label.name, "%s", name);
    snprintf(label.residue, sizeof label.residue, "%.16s:%d", chain ? chain : "", (int)residue);
    snprintf(label.atom, sizeof label.atom, "%.7s", atom ? atom : "CB");
    shape->nradius = type && strcmp(type, "AV1") == 0 ? 1 : 3;
    shape->allowed = CARDO_ANGSTROM * number_in(one, "allowed_sphere_radius", 0);
    CARDO_TRY(take_length(r, 0, "linker_length", number_in(one, "linker_length", (double)NAN), 1,
                          100, &shape->length));
    CARDO_TRY(take_length(r, 0, "linker_width", number_in(one, "linker_width", (double)NAN), 0, 20,
                          &shape->width));
    for (int k = 0; k < shape->nradius; ++k)
        CARDO_TRY(take_length(r, 0, radii[k], number_in(one, radii[k], (double)NAN), 0, 30,
                              &shape->radius[k]));
    status = add_label(r, &label);
done:
    return status;
}

static cardo_status read_distance(reading *r, const char *name, const cardo_json *one)
{
    cardo_label_pair pair = {.kind = CARDO_PAIR_FRET};
    const char *names[2] = {cardo_json_text(one, "position1_name"),
                            cardo_json_text(one, "position2_name")};
    const char *type = cardo_json_text(one, "distance_type");
    if (!names[0] || !names[1])
        return CARDO_FAIL(r->error, CARDO_ERROR_INPUT,
                          "%s: distance %s has no position1_name or position2_name", r->path, name);
    snprintf(pair.name, sizeof pair.name, "%s", name);
    cardo_status status = take_length(
        r, 0, "Forster_radius", number_in(one, "Forster_radius", (double)NAN), 1, 200, &pair.R0);
    const double distance = CARDO_ANGSTROM * number_in(one, "distance", 0),
                 low = CARDO_ANGSTROM * number_in(one, "error_neg", 0),
                 high = CARDO_ANGSTROM * number_in(one, "error_pos", 0);
    if (distance > 0 && low + high > 0 && type && strcmp(type, "RDAMeanE") == 0) {
        const double sixth = pow(distance / pair.R0, 6), E = 1 / (1 + sixth);
        pair.measured = true;
        pair.value = E;
        pair.sigma = 6 * E * (1 - E) * 0.5 * (low + high) / distance;
    }
    return status == CARDO_OK ? add_pair(r, &pair, names) : status;
}

static cardo_status read_fps(reading *r, const char *text, size_t length)
{
    cardo_json *json = cardo_json_read_text(text, length, r->path, r->error);
    cardo_status status = json ? CARDO_OK : CARDO_ERROR_INPUT;
    const char *key = NULL;
    const cardo_json *one;
    while (status == CARDO_OK && cardo_json_next(cardo_json_member(json, "Positions"), &key, &one))
        status = read_position(r, key, one);
    key = NULL;
    while (status == CARDO_OK && cardo_json_next(cardo_json_member(json, "Distances"), &key, &one))
        status = read_distance(r, key, one);
    cardo_json_free(json);
    return status;
}

cardo_status cardo_label_table_read(const char *path, cardo_label_table *out, cardo_error *error)
{
    reading r = {.path = path, .out = out, .error = error};
    char *text = NULL;
    size_t length;
    cardo_status status;
    CARDO_TRY(cardo_read_file(path, 1 << 24, &text, &length, error));
    const size_t blank = strspn(text, " \t\r\n");
    CARDO_TRY(text[blank] == '{' ? read_fps(&r, text, length) : read_text(&r, text, length));
    if (out->npair == 0)
        status = CARDO_FAIL(error, CARDO_ERROR_INPUT,
                            "%s: has %d labels and no pair of them to look at: a line is pair NAME "
                            "LABEL LABEL fret R0, or deer (FPS: \"Distances\")",
                            path, out->nlabel);
done:
    cardo_free(text);
    return status;
}
