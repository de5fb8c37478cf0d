#include "analysis/domains/errors/predicted_error.h"

#include "base/json/json.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "base/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Errors beyond this are none: predictors end at some 32 A. */
static const double most_error = 1000;

static const char *const remedy = "download it again, or have the predictor write it again";

/* What is read from. */
typedef struct reading {
    const char *path;
    const cardo_json *json;
    cardo_predicted_error *out;
    cardo_error *error;
} reading;

static cardo_status begin(const reading *r, int n, const char *form)
{
    if (n < 2 || n > CARDO_PREDICTED_ERROR_MOST)
        return CARDO_FAIL(r->error, CARDO_ERROR_INPUT,
                          n < 2 ? "%s: has errors of %d residues; it is damaged or of something "
                                  "else: %s"
                                : "%s: has errors of %d residues, and no more than 5000 are looked "
                                  "at (%s of a part of the molecule)",
                          r->path, n, remedy);
    r->out->n = n;
    r->out->form = form;
    return CARDO_ALLOCATE(&r->out->error, (size_t)n * (size_t)n, r->error);
}

static cardo_status take(const reading *r, const cardo_json *row, int k, int i, int j)
{
    const double value = cardo_json_element(row, k);
    char shown[40];
    if (cardo_json_is_number(row, k) && value >= 0 && value <= most_error) {
        r->out->error[(size_t)i * (size_t)r->out->n + (size_t)j] = CARDO_ANGSTROM * value;
        return CARDO_OK;
    }
    cardo_format(shown, sizeof shown, "%g A", value);
    return CARDO_FAIL(r->error, CARDO_ERROR_INPUT,
                      "%s: the error of residue %d superposed on residue %d is %s, and is to be a "
                      "number from 0 to 1000 A; the file is damaged: %s",
                      r->path, j + 1, i + 1, cardo_json_is_number(row, k) ? shown : "no number",
                      remedy);
}

static cardo_status read_rows(const reading *r, const cardo_json *rows, const char *form)
{
    const int n = cardo_json_length(rows);
    cardo_status status = begin(r, n, form);
    for (int i = 0; i < n && status == CARDO_OK; ++i) {
        const cardo_json *row = cardo_json_part(rows, i);
        if (cardo_json_length(row) != n)
            return CARDO_FAIL(r->error, CARDO_ERROR_INPUT,
                              "%s: row %d has %d values, and there are %d rows: the matrix is not "
                              "square, since the file was cut or edited: %s",
                              r->path, i + 1, cardo_json_length(row), n, remedy);
        for (int j = 0; j < n && status == CARDO_OK; ++j)
            status = take(r, row, j, i, j);
    }
    return status;
}

/* Three lists of all pairs, as AlphaFold's database had them before version 3. */
static cardo_status read_lists(const reading *r, const cardo_json *one)
{
    const cardo_json *list[3] = {cardo_json_member(one, "residue1"),
                                 cardo_json_member(one, "residue2"),
                                 cardo_json_member(one, "distance")};
    const int count = cardo_json_length(list[2]);
    cardo_status status = CARDO_OK;
    double n = sqrt((double)count);
    bool *there = NULL;
    if (cardo_json_length(list[0]) != count || cardo_json_length(list[1]) != count || n != floor(n))
        return CARDO_FAIL(r->error, CARDO_ERROR_INPUT,
                          "%s: residue1, residue2 and distance have %d, %d and %d values, and are "
                          "to have those of all pairs: the file was cut or edited: %s",
                          r->path, cardo_json_length(list[0]), cardo_json_length(list[1]), count,
                          remedy);
    CARDO_TRY(begin(r, (int)n, "AlphaFold database, lists of pairs"));
    CARDO_TRY(CARDO_ALLOCATE(&there, count, r->error));
    for (int k = 0; k < count; ++k) {
        const double i = cardo_json_element(list[0], k) - 1, j = cardo_json_element(list[1], k) - 1;
        const bool in = i >= 0 && i < n && i == floor(i) && j >= 0 && j < n && j == floor(j);
        if (!in || there[(size_t)(i * n + j)])
            CARDO_TRY(CARDO_FAIL(r->error, CARDO_ERROR_INPUT,
                                 "%s: pair %d of residue1 and residue2 is %s; the file is damaged: "
                                 "%s",
                                 r->path, k + 1, in ? "there twice" : "none of 1 to n", remedy));
        there[(size_t)(i * n + j)] = true;
        CARDO_TRY(take(r, list[2], k, (int)i, (int)j));
    }
done:
    cardo_free(there);
    return status;
}

static cardo_status read_confidence(const reading *r)
{
    const cardo_json *list = cardo_json_member(r->json, "plddt");
    cardo_predicted_error *out = r->out;
    if (!list)
        return CARDO_OK;
    if (cardo_json_length(list) != out->n)
        return CARDO_FAIL(r->error, CARDO_ERROR_INPUT,
                          "%s: has %d values of pLDDT for %d residues: the file was cut or edited: "
                          "%s",
                          r->path, cardo_json_length(list), out->n, remedy);
    cardo_status status = CARDO_ALLOCATE(&out->confidence, out->n, r->error);
    if (status != CARDO_OK)
        return status;
    out->nconfidence = out->n;
    for (int k = 0; k < out->n; ++k)
        out->confidence[k] = cardo_json_element(list, k);
    return CARDO_OK;
}

static cardo_status read_tokens(const reading *r)
{
    const cardo_json *chains = cardo_json_member(r->json, "token_chain_ids"),
                     *numbers = cardo_json_member(r->json, "token_res_ids");
    cardo_predicted_error *out = r->out;
    if (!chains || !numbers)
        return CARDO_OK;
    if (cardo_json_length(chains) != out->n || cardo_json_length(numbers) != out->n)
        return CARDO_FAIL(r->error, CARDO_ERROR_INPUT,
                          "%s: names %d chains and %d residues for %d tokens: the file was cut or "
                          "edited: %s",
                          r->path, cardo_json_length(chains), cardo_json_length(numbers), out->n,
                          remedy);
    out->form = "AlphaFold 3";
    cardo_status status = CARDO_ALLOCATE(&out->token, out->n, r->error);
    for (int k = 0; k < out->n && status == CARDO_OK; ++k) {
        const char *chain = cardo_json_text_at(chains, k);
        snprintf(out->token[k].chain.text, sizeof out->token[k].chain.text, "%s",
                 chain ? chain : "");
        const double number = cardo_json_element(numbers, k);
        out->token[k].number = fabs(number) < 1e8 ? (int)number : 0;
    }
    return status;
}

static cardo_status read_object(const reading *r, const cardo_json *object)
{
    const cardo_json *rows = cardo_json_member(object, "predicted_aligned_error");
    cardo_status status;
    if (rows)
        return read_rows(r, rows, "AlphaFold database");
    if (cardo_json_member(object, "distance"))
        return read_lists(r, object);
    rows = cardo_json_member(object, "pae");
    if (!rows)
        return CARDO_FAIL(r->error, CARDO_ERROR_INPUT,
                          "%s: has no predicted errors, which would be called "
                          "predicted_aligned_error (AlphaFold's database), pae (ColabFold, "
                          "AlphaFold 3) or residue1, residue2, distance: give the file of them, "
                          "such as AF-...-predicted_aligned_error_v4.json",
                          r->path);
    status = read_rows(r, rows, "ColabFold");
    if (status == CARDO_OK)
        status = read_confidence(r);
    return status == CARDO_OK ? read_tokens(r) : status;
}

cardo_status cardo_predicted_error_read(const char *path, cardo_predicted_error *out,
                                        cardo_error *error)
{
    char *text = NULL;
    size_t length;
    cardo_json *json = NULL;
    cardo_status status;
    /* A file that cannot be opened is no damaged one. */
    CARDO_TRY(cardo_read_file(path, 0, &text, &length, error));
    json = cardo_json_read_text(text, length, path, error);
    if (!json) {
        if (error) {
            const size_t used = strlen(error->message);
            snprintf(error->message + used, sizeof error->message - used,
                     ": this is no whole JSON file (NaN and Infinity are no numbers of it): %s",
                     remedy);
        }
        status = CARDO_ERROR_INPUT;
        goto done;
    }
    const cardo_json *first = cardo_json_length(json) > 0 ? cardo_json_part(json, 0) : json;
    status = read_object(&(reading){path, json, out, error}, first);
done:
    cardo_json_free(json);
    cardo_free(text);
    return status;
}

void cardo_predicted_error_clear(cardo_predicted_error *predicted)
{
    cardo_free(predicted->error);
    cardo_free(predicted->confidence);
    cardo_free(predicted->token);
    *predicted = (cardo_predicted_error){0};
}

/* Which row each residue has (nresidue). */
static cardo_status find_rows(const cardo_predicted_error *p, const char *path,
                              const cardo_structure *s, int *row, cardo_error *error)
{
    char label[40];
    for (int r = 0, k = 0; r < s->nresidue; ++r) {
        row[r] = r;
        if (!p->token)
            continue;
        const char *chain = s->chain_id[s->residue_chain[r]].text;
        /* Tokens come in the order of the structure's residues, with those of ligands between. */
        int tried = 0;
        while (tried < p->n && (strcmp(p->token[k].chain.text, chain) != 0 ||
                                p->token[k].number != s->residue_number[r])) {
            k = (k + 1) % p->n;
            ++tried;
        }
        if (tried == p->n)
            return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                              "%s: has no token for residue %s of %s: give the structure that was "
                              "predicted with it",
                              path, cardo_residue_label(s, r, label), s->source);
        row[r] = k;
    }
    return CARDO_OK;
}

cardo_status cardo_predicted_error_match(cardo_predicted_error *p, const char *path,
                                         const cardo_structure *s, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    int *row = NULL;
    double *kept = NULL, *confidence = NULL;
    const size_t n = (size_t)s->nresidue;
    if (!p->token && p->n != s->nresidue)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s: has errors of %d residues, and %s has %d: give the structure that "
                          "was predicted with it, whole and with all its chains",
                          path, p->n, s->source, s->nresidue);
    CARDO_TRY(CARDO_ALLOCATE(&row, n, error));
    CARDO_TRY(find_rows(p, path, s, row, error));
    if (!p->token)
        goto done;
    CARDO_TRY(CARDO_ALLOCATE(&kept, n * n, error));
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < n; ++j)
            kept[i * n + j] = p->error[(size_t)row[i] * (size_t)p->n + (size_t)row[j]];
    if (p->nconfidence > 0) {
        CARDO_TRY(CARDO_ALLOCATE(&confidence, n, error));
        for (size_t i = 0; i < n; ++i)
            confidence[i] = p->confidence[row[i]];
        cardo_free(p->confidence);
        p->confidence = confidence;
        p->nconfidence = (int)n;
    }
    cardo_free(p->error);
    cardo_free(p->token);
    p->error = kept;
    p->token = NULL;
    p->by_atom = true;
    p->n = (int)n;
done:
    cardo_free(row);
    return status;
}

/* Do all atoms of each residue have one B factor? */
static bool is_by_residue(const cardo_structure *s)
{
    for (int i = 0; i < s->natom; ++i) {
        const int first = s->residue_first[s->atom_residue[i]];
        if (fabs((double)s->b_factor[i] - (double)s->b_factor[first]) > 1e-6)
            return false;
    }
    return true;
}

void cardo_predicted_confidence(const cardo_predicted_error *p, const cardo_structure *s,
                                double *confidence, bool *known)
{
    const bool beside = p->nconfidence == s->nresidue;
    double least = HUGE_VAL, most = -HUGE_VAL;
    for (int r = 0; r < s->nresidue; ++r) {
        int atom = cardo_structure_find_atom(s, r, "CA");
        if (atom < 0)
            atom = s->residue_first[r];
        confidence[r] = beside ? p->confidence[r] : (double)s->b_factor[atom];
        least = fmin(least, confidence[r]);
        most = fmax(most, confidence[r]);
    }
    *known =
        least >= 0 && most <= 100 && most > least && (beside || p->by_atom || is_by_residue(s));
    for (int r = 0; r < s->nresidue && *known && most <= 1; ++r)
        confidence[r] *= 100;
}
