#include "base/memory.h"
#include "model/internal.h"
#include "structure/atoms/selection.h"

#include <math.h>
#include <string.h>

/* Points of the paths at which a bond's length is looked at when a strand is cut. */
enum { CUT_SAMPLES = 9 };

static cardo_status check_hinge_names(const cardo_model *model, const cardo_hinge_definition *hinge,
                                      cardo_error *error)
{
    char here[CARDO_PLACE_SIZE];
    cardo_place_text(hinge->place, here);
    if (hinge->with && strcmp(hinge->with, "nearest-cut") != 0 &&
        cardo_model_find_body(model, hinge->with) < 0)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s: with=\"%s\" is neither \"nearest-cut\" nor a body of this model",
                          here, hinge->with);
    if (hinge->of && cardo_model_find_body(model, hinge->of) < 0)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s: of=\"%s\" is no body of this model", here,
                          hinge->of);
    return CARDO_OK;
}

/* The nearest residue with a body on one side of the strand, over other hinges of the chain. */
static int flank_body(const cardo_structure *structure, const int *body, int from, int step)
{
    for (int r = from; r >= 0 && r < structure->nresidue &&
                       structure->residue_chain[r] == structure->residue_chain[from];
         r += step)
        if (body[r] >= 0)
            return body[r];
    return -1;
}

/* The largest change of the bond between residues r and r + 1 when r rides with body `left` and r +
 * 1 with `right`. A gap in the chain costs nothing. */
static double strain(const cardo_structure *structure, int r, int left, int right,
                     const cardo_transform *poses, int nbody)
{
    int atom[2];
    if (!cardo_model_link(structure, r, atom) || cardo_model_link_broken(structure, atom))
        return -1.0;
    cardo_vec3 a = v3_load(structure->position + 3 * atom[0]);
    cardo_vec3 b = v3_load(structure->position + 3 * atom[1]);
    double rest = v3_norm(v3_sub(b, a)), worst = 0.0;
    for (int k = 0; k < CUT_SAMPLES; ++k) {
        const cardo_transform *X = poses + k * nbody;
        double length = v3_norm(v3_sub(xform_point(X[right], b), xform_point(X[left], a)));
        worst = fmax(worst, fabs(length - rest));
    }
    return worst;
}

/* The last residue of the strand that rides with the left body: first - 1 when none does. */
static int best_cut(const cardo_structure *structure, const cardo_strand *strand, int left,
                    int right, const cardo_transform *poses, int nbody)
{
    int best = strand->first - 1;
    double least = INFINITY;
    for (int r = strand->first - 1; r <= strand->last; ++r) {
        double cost = strain(structure, r, left, right, poses, nbody);
        if (cost < least) {
            least = cost;
            best = r;
        }
    }
    return best;
}

/* Gives the residues of one strand to bodies. */
static cardo_status assign_strand(const cardo_model *model, const cardo_hinge_definition *hinge,
                                  const cardo_strand *strand, const cardo_transform *poses,
                                  int *body, cardo_error *error)
{
    const cardo_structure *structure = model->structure[0].structure;
    bool cut = !hinge->with || strcmp(hinge->with, "nearest-cut") == 0;
    int left = -1, right = -1;
    if (strand->left >= 0)
        left = flank_body(structure, body, strand->left, -1);
    if (strand->right >= 0)
        right = flank_body(structure, body, strand->right, +1);
    int last_left = strand->last;
    if (!cut)
        left = cardo_model_find_body(model, hinge->with);
    else if (left < 0 && right < 0) {
        char here[CARDO_PLACE_SIZE], label[40];
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s: the hinge strand at %s has no domain on either side; set which body "
                          "it moves with (with=\"name\")",
                          cardo_place_text(hinge->place, here),
                          cardo_residue_label(structure, strand->first, label));
    } else if (left < 0)
        left = right;
    else if (right >= 0 && left != right)
        last_left = best_cut(structure, strand, left, right, poses, model->nbody);
    for (int r = strand->first; r <= strand->last; ++r)
        body[r] = r <= last_left ? left : right;
    return CARDO_OK;
}

cardo_status cardo_model_assign_hinges(cardo_model *model, const cardo_model_definition *definition,
                                       cardo_model_owners *owners, cardo_error *error)
{
    cardo_status status;
    const cardo_structure *reference = model->structure[0].structure;
    cardo_transform *poses = NULL;
    cardo_strand strand;
    for (int h = 0; h < definition->nhinge; ++h)
        CARDO_TRY(check_hinge_names(model, &definition->hinge[h], error));
    CARDO_TRY(CARDO_ALLOCATE(&poses, CUT_SAMPLES * model->nbody, error));
    for (int k = 0; k < CUT_SAMPLES; ++k)
        CARDO_TRY(cardo_model_poses(model, (double)k / (CUT_SAMPLES - 1), false,
                                    poses + k * model->nbody, error));
    for (int r = 0; cardo_strand_next(reference, owners->hinge, r, &strand); r = strand.last + 1)
        CARDO_TRY(assign_strand(model, &definition->hinge[strand.hinge], &strand, poses,
                                owners->body, error));
    for (int r = 0; r < reference->nresidue; ++r)
        if (owners->body[r] >= 0)
            model->body[owners->body[r]].residue[r] = true;
done:
    cardo_free(poses);
    return status;
}

int cardo_model_adopt_rest(cardo_model *model, int *body)
{
    const cardo_structure *structure = model->structure[0].structure;
    int adopted = 0;
    for (int r = 0, end; r < structure->nresidue; r = end) {
        end = r + 1;
        if (body[r] >= 0)
            continue;
        int left = cardo_residues_adjacent(structure, r - 1) ? body[r - 1] : -1;
        while (cardo_residues_adjacent(structure, end - 1) && body[end] < 0)
            ++end;
        int right = cardo_residues_adjacent(structure, end - 1) ? body[end] : -1;
        int keeper = left == right || right < 0 ? left : left < 0 ? right : 0;
        for (int k = r; k < end; ++k, ++adopted) {
            body[k] = keeper < 0 ? 0 : keeper;
            model->body[body[k]].residue[k] = true;
        }
    }
    return adopted;
}

/* A cut already, or a bond that turns and holds its bodies together. */
static bool is_listed(const cardo_model *model, const int atom[2])
{
    for (int b = 0; b < model->nbody; ++b) {
        const int *bond = model->body[b].bond;
        if (model->body[b].torsion && ((bond[0] == atom[0] && bond[1] == atom[1]) ||
                                       (bond[0] == atom[1] && bond[1] == atom[0])))
            return true;
    }
    for (int c = 0; c < model->ncut; ++c)
        if (model->cut[c].atom[0] == atom[0] && model->cut[c].atom[1] == atom[1])
            return true;
    return false;
}

cardo_status cardo_model_list_cuts(cardo_model *model, cardo_error *error)
{
    const cardo_structure *reference = model->structure[0].structure;
    const int *body = model->atom_body;
    int capacity = model->ncut;
    for (int r = 0; r + 1 < reference->nresidue; ++r) {
        int atom[2];
        if (!cardo_residues_adjacent(reference, r) || !cardo_model_link(reference, r, atom) ||
            body[atom[0]] == body[atom[1]] || is_listed(model, atom))
            continue;
        cardo_status status = CARDO_RESERVE(&model->cut, &capacity, model->ncut + 1, error);
        if (status != CARDO_OK)
            return status;
        model->cut[model->ncut++] =
            (cardo_model_cut){.residue = {r, r + 1},
                              .atom = {atom[0], atom[1]},
                              .body = {body[atom[0]], body[atom[1]]},
                              .broken = cardo_model_link_broken(reference, atom)};
    }
    return CARDO_OK;
}
