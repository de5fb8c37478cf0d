#include "forces/ffxml/sections/gb_neck.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"

static const double smallest_radius = 0.1, largest_radius = 0.2; /* nm */

/* The numbers in an element's text, each times unit. */
static cardo_status read_numbers(const cardo_xml *document, const char *name, double unit,
                                 double *out, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    char *text = NULL;
    int count = 0, needed = CARDO_NECK_SIZE * CARDO_NECK_SIZE;
    const cardo_xml_element *element = cardo_xml_child(cardo_xml_root(document), name);
    if (!element)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s: there is no <%s>",
                          cardo_xml_path(document), name);
    CARDO_TRY(cardo_xml_text(element, &text, error));
    for (char *next = text, *end; count < needed; ++count, next = end) {
        double value = cardo_read_double(next, &end);
        if (end == next)
            break;
        out[count] = unit * value;
    }
    if (count < needed)
        status = CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s:%d: <%s> has %d numbers and needs %d",
                            cardo_xml_path(document), cardo_xml_line(element), name, count, needed);
done:
    cardo_free(text);
    return status;
}

cardo_status cardo_neck_table_read(cardo_neck_table **out, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    char *path = NULL;
    cardo_xml *document = NULL;
    cardo_neck_table *table = NULL;
    *out = NULL;
    CARDO_TRY(cardo_find_data("implicit/neck.xml", NULL, "forcefields", &path, error));
    CARDO_TRY(cardo_xml_read(path, &document, error));
    CARDO_TRY(CARDO_ALLOCATE(&table, 1, error));
    /* The file has them as published: in angstrom and 1/angstrom. */
    CARDO_TRY(read_numbers(document, "Distance", 0.1, table->distance, error));
    CARDO_TRY(read_numbers(document, "Strength", 10.0, table->strength, error));
    *out = table;
    table = NULL;
done:
    cardo_free(table);
    cardo_xml_destroy(document);
    cardo_free(path);
    return status;
}

/* A place between two nodes of the tables: weight[0] of node and weight[1] of the next. */
typedef struct place {
    int node;
    double weight[2];
} place;

static place place_of(double radius)
{
    double x =
        (radius - smallest_radius) / (largest_radius - smallest_radius) * (CARDO_NECK_SIZE - 1);
    int node = (int)x;
    if (node > CARDO_NECK_SIZE - 2)
        node = CARDO_NECK_SIZE - 2;
    return (place){node, {1 - (x - node), x - node}};
}

static double interpolate(const double *table, place row, place column)
{
    double sum = 0;
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j)
            sum += row.weight[i] * column.weight[j] *
                   table[(row.node + i) * CARDO_NECK_SIZE + column.node + j];
    return sum;
}

/* Gives every atom its kind; radius receives the radius of each kind (room for natom). */
static cardo_status sort_into_kinds(cardo_assignment *assignment, double *radius,
                                    cardo_error *error)
{
    cardo_terms *terms = assignment->terms;
    const cardo_structure *structure = assignment->structure;
    char label[40];
    for (int i = 0; i < terms->natom; ++i) {
        int kind = 0;
        if (!(terms->number.gb_radius[i] >= smallest_radius &&
              terms->number.gb_radius[i] <= largest_radius))
            return CARDO_FAIL(
                error, CARDO_ERROR_UNSUPPORTED,
                "%s of %s has a Born radius of %g nm, and the neck tables of solvent %s go from "
                "%g to %g nm: use solvent obc2",
                structure->atom_name[i].text,
                cardo_residue_label(structure, structure->atom_residue[i], label),
                terms->number.gb_radius[i], assignment->forcefield->gb_model->name, smallest_radius,
                largest_radius);
        while (kind < terms->nneck && radius[kind] != terms->number.gb_radius[i])
            ++kind;
        if (kind == terms->nneck)
            radius[terms->nneck++] = terms->number.gb_radius[i];
        terms->neck_kind[i] = kind;
    }
    return CARDO_OK;
}

cardo_status cardo_neck_assign(cardo_assignment *assignment, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    cardo_terms *terms = assignment->terms;
    const cardo_neck_table *table = assignment->forcefield->neck;
    double *radius = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&radius, terms->natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&terms->neck_kind, terms->natom, error));
    CARDO_TRY(sort_into_kinds(assignment, radius, error));
    int n = terms->nneck;
    CARDO_TRY(CARDO_ALLOCATE(&terms->neck_distance, n * n, error));
    CARDO_TRY(CARDO_ALLOCATE(&terms->neck_strength, n * n, error));
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            place row = place_of(radius[i]), column = place_of(radius[j]);
            terms->neck_distance[i * n + j] = interpolate(table->distance, row, column);
            terms->neck_strength[i * n + j] = interpolate(table->strength, row, column);
        }
done:
    cardo_free(radius);
    return status;
}
