/* Triangles of STL and OBJ files. */
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "multibody/contact/shape.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { STL_HEADER = 84, STL_FACET = 50, MOST_CORNERS = 64 };

/* Vertices and faces as they come. */
typedef struct growing {
    const char *name;
    double scale;
    int nvertex, nface, vertex_capacity, face_capacity;
    double *vertices;
    int *faces;
} growing;

static void give_up(growing *g)
{
    cardo_free(g->vertices);
    cardo_free(g->faces);
}

static cardo_status add_vertex(growing *g, const double x[3], cardo_error *error)
{
    cardo_status status;
    if (g->nvertex >= 100000000)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s: more than %d vertices", g->name,
                          g->nvertex);
    CARDO_TRY(CARDO_RESERVE(&g->vertices, &g->vertex_capacity, 3 * (g->nvertex + 1), error));
    for (int i = 0; i < 3; ++i)
        g->vertices[3 * (size_t)g->nvertex + (size_t)i] = g->scale * x[i];
    ++g->nvertex;
done:
    return status;
}

static cardo_status add_face(growing *g, int a, int b, int c, cardo_error *error)
{
    cardo_status status;
    CARDO_TRY(CARDO_RESERVE(&g->faces, &g->face_capacity, 3 * (g->nface + 1), error));
    int *face = g->faces + 3 * (size_t)g->nface++;
    face[0] = a;
    face[1] = b;
    face[2] = c;
done:
    return status;
}

/* ------------ STL ------------ */

static uint32_t little_endian(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
           (uint32_t)bytes[3] << 24;
}

static bool is_binary_stl(const unsigned char *bytes, size_t length)
{
    return length >= STL_HEADER && (length - STL_HEADER) / STL_FACET == little_endian(bytes + 80) &&
           (length - STL_HEADER) % STL_FACET == 0;
}

static cardo_status read_binary(growing *g, const unsigned char *bytes, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const uint32_t n = little_endian(bytes + 80);
    for (uint32_t f = 0; f < n; ++f) {
        const unsigned char *corner = bytes + STL_HEADER + (size_t)f * STL_FACET + 12;
        for (int k = 0; k < 3; ++k) {
            double x[3];
            for (int i = 0; i < 3; ++i, corner += 4) {
                const uint32_t bits = little_endian(corner);
                float value;
                memcpy(&value, &bits, sizeof value);
                x[i] = (double)value;
                if (!isfinite(x[i]))
                    return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s: triangle %u is not finite",
                                      g->name, (unsigned)f + 1);
            }
            CARDO_TRY(add_vertex(g, x, error));
        }
        CARDO_TRY(add_face(g, g->nvertex - 3, g->nvertex - 2, g->nvertex - 1, error));
    }
done:
    return status;
}

/* The next word of a line; false at its end. */
static bool next_word(const char **at, const char *end, const char **word, int *length)
{
    while (*at < end && (**at == ' ' || **at == '\t'))
        ++*at;
    *word = *at;
    while (*at < end && **at != ' ' && **at != '\t')
        ++*at;
    *length = (int)(*at - *word);
    return *length > 0;
}

static bool is_word(const char *word, int length, const char *wanted)
{
    return length == (int)strlen(wanted) && strncmp(word, wanted, (size_t)length) == 0;
}

static cardo_status read_three(const growing *g, const cardo_line *line, const char *at,
                               double x[3], cardo_error *error)
{
    const char *word, *end = line->text + line->length;
    int length;
    for (int i = 0; i < 3; ++i) {
        char copy[64], *stop = copy;
        const bool there = next_word(&at, end, &word, &length) && length < (int)sizeof copy;
        if (there) {
            memcpy(copy, word, (size_t)length);
            copy[length] = 0;
            x[i] = cardo_read_double(copy, &stop);
        }
        if (!there || *stop || stop == copy || !isfinite(x[i]))
            return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s, line %d: a vertex is three numbers",
                              g->name, line->number);
    }
    return CARDO_OK;
}

static cardo_status read_ascii(growing *g, const char *text, size_t text_length, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    cardo_line line = {0};
    const char *next = text;
    int corners = 0;
    while (cardo_next_line(&next, text + text_length, &line)) {
        const char *at = line.text, *end = line.text + line.length, *word;
        int length;
        if (!next_word(&at, end, &word, &length))
            continue;
        if (is_word(word, length, "vertex")) {
            double x[3];
            CARDO_TRY(read_three(g, &line, at, x, error));
            CARDO_TRY(add_vertex(g, x, error));
            ++corners;
        } else if (is_word(word, length, "endloop")) {
            if (corners != 3)
                return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                                  "%s, line %d: a facet with %d vertices, not 3", g->name,
                                  line.number, corners);
            corners = 0;
            CARDO_TRY(add_face(g, g->nvertex - 3, g->nvertex - 2, g->nvertex - 1, error));
        }
    }
    if (corners != 0)
        status = CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s ends within a facet", g->name);
done:
    return status;
}

/* A vertex with its number, to be put in order. */
typedef struct numbered {
    double x[3];
    int number;
} numbered;

static int compare_places(const void *a, const void *b)
{
    const numbered *p = a, *q = b;
    for (int i = 0; i < 3; ++i)
        if (p->x[i] != q->x[i])
            return p->x[i] < q->x[i] ? -1 : 1;
    return p->number < q->number ? -1 : p->number > q->number;
}

/* Vertices that are the same numbers become one, the first of them, and faces that this makes a line or a point go. */
static cardo_status merge(growing *g, cardo_error *error)
{
    cardo_status status;
    numbered *sorted = NULL;
    int *to = NULL, kept = 0, faces = 0;
    CARDO_TRY(CARDO_ALLOCATE(&sorted, g->nvertex, error));
    CARDO_TRY(CARDO_ALLOCATE(&to, g->nvertex, error));
    for (int v = 0; v < g->nvertex; ++v) {
        memcpy(sorted[v].x, g->vertices + 3 * (size_t)v, sizeof sorted[v].x);
        sorted[v].number = v;
    }
    if (g->nvertex > 0)
        qsort(sorted, (size_t)g->nvertex, sizeof *sorted, compare_places);
    for (int i = 0, first = 0; i < g->nvertex; ++i) {
        const double *a = sorted[first].x, *b = sorted[i].x;
        if (a[0] != b[0] || a[1] != b[1] || a[2] != b[2])
            first = i;
        to[sorted[i].number] = sorted[first].number;
    }
    for (int v = 0; v < g->nvertex; ++v) {
        if (to[v] == v) {
            memmove(g->vertices + 3 * (size_t)kept, g->vertices + 3 * (size_t)v,
                    3 * sizeof(double));
            to[v] = kept++;
        } else {
            to[v] = to[to[v]];
        }
    }
    g->nvertex = kept;
    for (int f = 0; f < g->nface; ++f) {
        const int *from = g->faces + 3 * (size_t)f;
        const int a = to[from[0]], b = to[from[1]], c = to[from[2]];
        if (a == b || b == c || c == a)
            continue;
        int *face = g->faces + 3 * (size_t)faces++;
        face[0] = a;
        face[1] = b;
        face[2] = c;
    }
    g->nface = faces;
done:
    cardo_free(sorted);
    cardo_free(to);
    return status;
}

/* ------------ OBJ ------------ */

/* The number before the first '/' of a corner; from 1, or from the end where it is negative. */
static bool read_corner(const growing *g, const char *word, int length, int *out)
{
    long long value = 0;
    int i = 0;
    const bool negative = length > 0 && word[0] == '-';
    if (negative)
        ++i;
    const int first = i;
    for (; i < length && word[i] >= '0' && word[i] <= '9' && value < 1000000000; ++i)
        value = 10 * value + (word[i] - '0');
    if (i == first || (i < length && word[i] != '/'))
        return false;
    value = negative ? g->nvertex - value : value - 1;
    *out = (int)value;
    return value >= 0 && value < g->nvertex;
}

static cardo_status read_polygon(growing *g, const cardo_line *line, const char *at,
                                 cardo_error *error)
{
    int corners[MOST_CORNERS], n = 0, length;
    const char *word, *end = line->text + line->length;
    cardo_status status = CARDO_OK;
    while (next_word(&at, end, &word, &length)) {
        if (n == MOST_CORNERS || !read_corner(g, word, length, &corners[n]))
            return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                              "%s, line %d: '%.*s' is no vertex of a face (there are %d so far; a "
                              "face has %d at most)",
                              g->name, line->number, length > 20 ? 20 : length, word, g->nvertex,
                              MOST_CORNERS);
        ++n;
    }
    if (n < 3)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s, line %d: a face with %d vertices", g->name,
                          line->number, n);
    for (int k = 2; k < n; ++k)
        CARDO_TRY(add_face(g, corners[0], corners[k - 1], corners[k], error));
done:
    return status;
}

static cardo_status read_obj(growing *g, const char *text, size_t text_length, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    cardo_line line = {0};
    const char *next = text;
    while (cardo_next_line(&next, text + text_length, &line)) {
        const char *at = line.text, *end = line.text + line.length, *word;
        int length;
        if (!next_word(&at, end, &word, &length))
            continue;
        if (is_word(word, length, "v")) {
            double x[3];
            CARDO_TRY(read_three(g, &line, at, x, error));
            CARDO_TRY(add_vertex(g, x, error));
        } else if (is_word(word, length, "f")) {
            CARDO_TRY(read_polygon(g, &line, at, error));
        }
    }
done:
    return status;
}

/* ------------ either ------------ */

cardo_status cardo_mesh_parse(const char *name, const void *bytes, size_t length, double scale,
                              cardo_contact_mesh *mesh, cardo_error *error)
{
    growing g = {.name = name, .scale = scale};
    const char *text = bytes;
    cardo_status status;
    *mesh = (cardo_contact_mesh){0};
    if (!(scale > 0) || !isfinite(scale))
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "%s: a scale of %g", name, scale);
    size_t at = 0;
    while (at < length &&
           (text[at] == ' ' || text[at] == '\t' || text[at] == '\n' || text[at] == '\r'))
        ++at;
    if (is_binary_stl(bytes, length)) {
        CARDO_TRY(read_binary(&g, bytes, error));
        CARDO_TRY(merge(&g, error));
    } else if (length - at >= 5 && strncmp(text + at, "solid", 5) == 0) {
        CARDO_TRY(read_ascii(&g, text, length, error));
        CARDO_TRY(merge(&g, error));
    } else {
        CARDO_TRY(read_obj(&g, text, length, error));
    }
    if (g.nface == 0) {
        status = CARDO_FAIL(error, CARDO_ERROR_INPUT,
                            "%s has no triangles: it is neither STL (whole: as long as it says) "
                            "nor OBJ",
                            name);
        goto done;
    }
    *mesh = (cardo_contact_mesh){g.nvertex, g.nface, g.vertices, g.faces};
    g.vertices = NULL;
    g.faces = NULL;
done:
    give_up(&g);
    return status;
}

cardo_status cardo_mesh_read(const char *path, double scale, cardo_contact_mesh *mesh,
                             cardo_error *error)
{
    char *text;
    size_t length;
    *mesh = (cardo_contact_mesh){0};
    const long long outer = cardo_file_limit_begin(path);
    cardo_status status = cardo_read_file(path, 0, &text, &length, error);
    if (status == CARDO_OK) {
        status = cardo_mesh_parse(path, text, length, scale, mesh, error);
        cardo_free(text);
    }
    return cardo_file_limit_end(outer, path, status, error);
}

void cardo_mesh_free(cardo_contact_mesh *mesh)
{
    if (!mesh)
        return;
    cardo_free((void *)(uintptr_t)mesh->vertices);
    cardo_free((void *)(uintptr_t)mesh->faces);
    *mesh = (cardo_contact_mesh){0};
}
