#include "structure/amber/netcdf.h"

#include "base/units.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* The classic format (unidata.ucar.edu, NetCDF Classic Format Specification): big-endian numbers;
 * lists of dimensions, attributes and variables, each with a tag and a count. */
enum { TAG_DIMENSION = 10, TAG_VARIABLE = 11, TAG_ATTRIBUTE = 12 };
enum { TYPE_FLOAT = 5, TYPE_DOUBLE = 6 };
enum { MOST_DIMENSIONS = 3, NAMES_KEPT = 64 };

/* A walk through the header; bad once it has met its end or nonsense. */
typedef struct walk {
    const unsigned char *next, *end;
    int version; /* 1, 2 (64-bit offsets), 5 (64-bit counts) */
    bool bad;
} walk;

static uint64_t read_bytes(walk *w, size_t count)
{
    uint64_t x = 0;
    if ((size_t)(w->end - w->next) < count) {
        w->bad = true;
        return 0;
    }
    for (size_t k = 0; k < count; ++k)
        x = x << 8 | *w->next++;
    return x;
}

static uint64_t read_count(walk *w)
{
    return read_bytes(w, w->version == 5 ? 8 : 4);
}

static void skip(walk *w, uint64_t count)
{
    if (count > (uint64_t)(w->end - w->next))
        w->bad = true;
    else
        w->next += count;
}

/* Is the name that comes next this word? */
static bool read_name(walk *w, const char *word)
{
    uint64_t length = read_count(w);
    const unsigned char *text = w->next;
    skip(w, length > UINT64_MAX - 3 ? length : (length + 3) / 4 * 4);
    return !w->bad && length == strlen(word) && memcmp(text, word, length) == 0;
}

/* The number of entries of the list that comes next. */
static uint64_t read_list(walk *w, unsigned tag)
{
    uint64_t found = read_bytes(w, 4), count = read_count(w);
    if ((found != tag || count == 0) && (found != 0 || count != 0))
        w->bad = true;
    return w->bad ? 0 : count;
}

static void skip_attributes(walk *w)
{
    static const unsigned char sizes[] = {0, 1, 1, 2, 4, 4, 8, 1, 2, 4, 8, 8};
    for (uint64_t n = read_list(w, TAG_ATTRIBUTE); n > 0 && !w->bad; --n) {
        read_name(w, "");
        uint64_t type = read_bytes(w, 4), count = read_count(w);
        if (type == 0 || type >= sizeof sizes || count > (uint64_t)(w->end - w->next))
            w->bad = true;
        else
            skip(w, (count * sizes[type] + 3) / 4 * 4);
    }
}

/* What the header says of the coordinates. */
typedef struct header {
    uint64_t records, dimension[NAMES_KEPT]; /* lengths; 0: the one of records */
    uint64_t ndimension;
    bool found;
    uint64_t atoms, spatial, type, begin;
} header;

static void read_dimensions(walk *w, header *h)
{
    h->ndimension = read_list(w, TAG_DIMENSION);
    for (uint64_t k = 0; k < h->ndimension && !w->bad; ++k) {
        read_name(w, "");
        uint64_t length = read_count(w);
        if (k < NAMES_KEPT)
            h->dimension[k] = length;
    }
}

static void read_variable(walk *w, header *h)
{
    uint64_t shape[MOST_DIMENSIONS] = {0};
    bool wanted = read_name(w, "coordinates");
    uint64_t n = read_count(w);
    if (n > (uint64_t)(w->end - w->next))
        w->bad = true;
    for (uint64_t k = 0; k < n && !w->bad; ++k) {
        uint64_t id = read_count(w);
        if (k < MOST_DIMENSIONS)
            shape[k] = id < h->ndimension && id < NAMES_KEPT ? h->dimension[id] : 1;
    }
    skip_attributes(w);
    uint64_t type = read_bytes(w, 4);
    read_count(w);
    uint64_t begin = read_bytes(w, w->version == 1 ? 4 : 8);
    bool frames = n == 3 && (shape[0] > 0 || h->records > 0);
    if (w->bad || !wanted || (n != 2 && !frames))
        return;
    h->found = true;
    h->atoms = shape[n - 2];
    h->spatial = shape[n - 1];
    h->type = type;
    h->begin = begin;
}

static bool read_header(walk *w, header *h)
{
    w->version = w->next[3];
    w->next += 4;
    h->records = read_count(w);
    read_dimensions(w, h);
    skip_attributes(w);
    for (uint64_t n = read_list(w, TAG_VARIABLE); n > 0 && !w->bad; --n)
        read_variable(w, h);
    return !w->bad;
}

/* A number in IEEE 754, most significant byte first. */
static double read_value(walk *w, uint64_t type)
{
    if (type == TYPE_FLOAT) {
        uint32_t bits = (uint32_t)read_bytes(w, 4);
        float x;
        memcpy(&x, &bits, sizeof x);
        return (double)x;
    }
    uint64_t bits = read_bytes(w, 8);
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

bool cardo_is_netcdf(const char *bytes, size_t length)
{
    return length >= 4 && (memcmp(bytes, "CDF", 3) == 0 || memcmp(bytes, "\211HDF", 4) == 0);
}

cardo_status cardo_amber_netcdf_read(const char *path, const char *bytes, size_t length, int natom,
                                     double *position, cardo_error *error)
{
    walk w = {.next = (const unsigned char *)bytes, .end = (const unsigned char *)bytes + length};
    header h = {.found = false};
    if (bytes[0] != 'C' || (bytes[3] != 1 && bytes[3] != 2 && bytes[3] != 5))
        return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                          "%s: NetCDF of this kind (HDF5) is not read: write a classic restart "
                          "(cpptraj: trajout x.ncrst) or an ASCII one (trajout x.rst7 restart)",
                          path);
    if (!read_header(&w, &h))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s: the NetCDF header is damaged", path);
    if (!h.found || h.spatial != 3 || (h.type != TYPE_FLOAT && h.type != TYPE_DOUBLE))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s: has no AMBER coordinates (a variable \"coordinates\" of atom x 3 "
                          "numbers)",
                          path);
    if (h.atoms != (uint64_t)natom)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s: has the coordinates of %llu atoms, the topology %d", path,
                          (unsigned long long)h.atoms, natom);
    w.next = (const unsigned char *)bytes;
    skip(&w, h.begin);
    for (int k = 0; k < 3 * natom && !w.bad; ++k) {
        position[k] = CARDO_ANGSTROM * read_value(&w, h.type);
        if (!isfinite(position[k]))
            return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s: a coordinate of atom %d is no number",
                              path, k / 3 + 1);
    }
    if (w.bad)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s: ends before its coordinates do", path);
    return CARDO_OK;
}
