#include "experiment/labels/accessible_volume.h"

#include "base/memory.h"
#include "base/random.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

double cardo_bondi_radius(int element)
{
    switch (element) {
    case 1:
        return 0.12;
    case 7:
        return 0.155;
    case 8:
        return 0.152;
    case 9:
        return 0.147;
    case 15:
    case 16:
        return 0.18;
    case 17:
        return 0.175;
    default:
        return 0.17;
    }
}

enum { REACH = 2, MOST_STEPS = 98, STREAM = 0x41560000 };

/* Steps to grid points around, whose coordinates have no common divisor: ways along them are up to 3 % longer than straight ones. */
typedef struct steps {
    int n;
    int d[MOST_STEPS][3];
    double length[MOST_STEPS]; /* in grid spacings */
} steps;

static int divisor(int a, int b)
{
    while (b) {
        const int rest = a % b;
        a = b;
        b = rest;
    }
    return a < 0 ? -a : a;
}

static void list_steps(steps *s)
{
    s->n = 0;
    for (int x = -REACH; x <= REACH; ++x)
        for (int y = -REACH; y <= REACH; ++y)
            for (int z = -REACH; z <= REACH; ++z)
                if (divisor(divisor(x, y), z) == 1) {
                    s->d[s->n][0] = x;
                    s->d[s->n][1] = y;
                    s->d[s->n][2] = z;
                    s->length[s->n++] = sqrt(x * x + y * y + z * z);
                }
}

/* The grid: a cube about the attachment. */
typedef struct grid {
    int half, side; /* 2 half + 1 */
    double spacing;
    cardo_vec3 centre;
    double *way;            /* from the attachment, in spacings             (side^3) */
    unsigned char *blocked; /* bit k: for radius k; bit 7: for the linker   (side^3) */
    int *heap, *place; /* of Dijkstra's queue, and where a point is in it, -1: it is not (side^3) */
    int nheap;
} grid;

enum { LINKER = 1 << 7 };

static size_t at(const grid *g, int x, int y, int z)
{
    return ((size_t)x * (size_t)g->side + (size_t)y) * (size_t)g->side + (size_t)z;
}

static cardo_vec3 point_of(const grid *g, int x, int y, int z)
{
    return v3_add_scaled(g->centre, g->spacing, v3(x - g->half, y - g->half, z - g->half));
}

static int low_end(const grid *g, double x, double reach)
{
    const double k = ceil((x - reach) / g->spacing) + g->half;
    return k < 0 ? 0 : k > g->side ? g->side : (int)k;
}

static int high_end(const grid *g, double x, double reach)
{
    const double k = floor((x + reach) / g->spacing) + g->half;
    return k < 0 ? -1 : k >= g->side ? g->side - 1 : (int)k;
}

/* Blocks all points within reach of one obstacle. */
static void block(grid *g, cardo_vec3 p, double reach, unsigned char bit)
{
    const cardo_vec3 c = v3_sub(p, g->centre);
    const int x0 = low_end(g, c.x, reach), x1 = high_end(g, c.x, reach),
              y0 = low_end(g, c.y, reach), y1 = high_end(g, c.y, reach),
              z0 = low_end(g, c.z, reach), z1 = high_end(g, c.z, reach);
    for (int x = x0; x <= x1; ++x)
        for (int y = y0; y <= y1; ++y)
            for (int z = z0; z <= z1; ++z) {
                const cardo_vec3 d = v3_sub(point_of(g, x, y, z), p);
                if (v3_dot(d, d) < reach * reach)
                    g->blocked[at(g, x, y, z)] |= bit;
            }
}

static void block_all(grid *g, const cardo_label_shape *shape, const cardo_obstacles *obstacles)
{
    const double allowed = shape->allowed > 0 ? shape->allowed : 0.5 * shape->width + 0.1;
    for (int i = 0; i < obstacles->n; ++i) {
        const cardo_vec3 p = v3_load(obstacles->position + 3 * (size_t)i);
        block(g, p, obstacles->radius[i] + 0.5 * shape->width, LINKER);
        for (int k = 0; k < shape->nradius; ++k)
            block(g, p, obstacles->radius[i] + shape->radius[k], (unsigned char)(1 << k));
    }
    for (int x = 0; x < g->side; ++x)
        for (int y = 0; y < g->side; ++y)
            for (int z = 0; z < g->side; ++z) {
                const cardo_vec3 d = v3_sub(point_of(g, x, y, z), g->centre);
                if (v3_dot(d, d) < allowed * allowed)
                    g->blocked[at(g, x, y, z)] &= (unsigned char)~LINKER;
            }
}

static void sift_up(grid *g, int k)
{
    const int one = g->heap[k];
    while (k > 0 && g->way[g->heap[(k - 1) / 2]] > g->way[one]) {
        g->heap[k] = g->heap[(k - 1) / 2];
        g->place[g->heap[k]] = k;
        k = (k - 1) / 2;
    }
    g->heap[k] = one;
    g->place[one] = k;
}

static int pop(grid *g)
{
    const int first = g->heap[0], last = g->heap[--g->nheap];
    int k = 0;
    g->place[first] = -1;
    if (g->nheap == 0)
        return first;
    for (int child; (child = 2 * k + 1) < g->nheap; k = child) {
        if (child + 1 < g->nheap && g->way[g->heap[child + 1]] < g->way[g->heap[child]])
            ++child;
        if (g->way[g->heap[child]] >= g->way[last])
            break;
        g->heap[k] = g->heap[child];
        g->place[g->heap[k]] = k;
    }
    g->heap[k] = last;
    g->place[last] = k;
    return first;
}

/* The shortest ways of the linker (Dijkstra 1959), up to its length. */
static void find_ways(grid *g, double length)
{
    steps s;
    const int side = g->side;
    list_steps(&s);
    for (size_t k = 0; k < (size_t)side * (size_t)side * (size_t)side; ++k) {
        g->way[k] = HUGE_VAL;
        g->place[k] = -1;
    }
    const int start = (int)at(g, g->half, g->half, g->half);
    g->way[start] = 0;
    g->heap[0] = start;
    g->place[start] = 0;
    g->nheap = 1;
    while (g->nheap > 0) {
        const int here = pop(g), x = here / (side * side), y = here / side % side, z = here % side;
        for (int k = 0; k < s.n; ++k) {
            const int nx = x + s.d[k][0], ny = y + s.d[k][1], nz = z + s.d[k][2];
            if (nx < 0 || ny < 0 || nz < 0 || nx >= side || ny >= side || nz >= side)
                continue;
            const int next = (int)at(g, nx, ny, nz);
            const double way = g->way[here] + s.length[k];
            if (way >= g->way[next] || way * g->spacing > length || g->blocked[next] & LINKER)
                continue;
            g->way[next] = way;
            if (g->place[next] < 0) {
                g->heap[g->nheap] = next;
                g->place[next] = g->nheap++;
            }
            sift_up(g, g->place[next]);
        }
    }
}

static void shuffle(cardo_label_cloud *cloud)
{
    cardo_random random = cardo_random_start(1, STREAM);
    for (int k = cloud->n - 1; k > 0; --k) {
        double u[2], held[3];
        cardo_random_uniform(&random, 2, u);
        const int j = (int)(u[0] * (k + 1));
        double *a = cloud->position + 3 * (size_t)k, *b = cloud->position + 3 * (size_t)j;
        memcpy(held, a, sizeof held);
        memcpy(a, b, sizeof held);
        memcpy(b, held, sizeof held);
        const unsigned char room = cloud->room[k];
        cloud->room[k] = cloud->room[j];
        cloud->room[j] = room;
    }
}

static cardo_status collect(const grid *g, const cardo_label_shape *shape, cardo_label_cloud *cloud,
                            cardo_error *error)
{
    const unsigned char all = (unsigned char)((1 << shape->nradius) - 1);
    const size_t n = (size_t)g->side * (size_t)g->side * (size_t)g->side;
    int count = 0;
    for (size_t k = 0; k < n; ++k)
        count += isfinite(g->way[k]) && (g->blocked[k] & all) != all;
    cardo_status status = CARDO_ALLOCATE(&cloud->position, 3 * (size_t)count, error);
    if (status == CARDO_OK)
        status = CARDO_ALLOCATE(&cloud->room, count, error);
    if (status != CARDO_OK)
        return status;
    for (int x = 0; x < g->side; ++x)
        for (int y = 0; y < g->side; ++y)
            for (int z = 0; z < g->side; ++z) {
                const size_t k = at(g, x, y, z);
                if (!isfinite(g->way[k]) || (g->blocked[k] & all) == all)
                    continue;
                v3_store(cloud->position + 3 * (size_t)cloud->n, point_of(g, x, y, z));
                cloud->room[cloud->n++] = (unsigned char)(~g->blocked[k] & all);
            }
    cloud->volume = cloud->n * pow(g->spacing, 3);
    shuffle(cloud);
    return CARDO_OK;
}

cardo_status cardo_label_cloud_make(const cardo_label_shape *shape, cardo_vec3 attachment,
                                    const cardo_obstacles *obstacles, double spacing,
                                    cardo_label_cloud *cloud, cardo_error *error)
{
    cardo_status status;
    grid g = {.half = (int)ceil(shape->length / spacing), .spacing = spacing, .centre = attachment};
    if (!(shape->length / spacing <= 150))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "a grid of %g nm is too fine for a linker of %g nm: 150 spacings are the "
                          "most",
                          spacing, shape->length);
    g.side = 2 * g.half + 1;
    const size_t n = (size_t)g.side * (size_t)g.side * (size_t)g.side;
    CARDO_TRY(CARDO_ALLOCATE(&g.way, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&g.blocked, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&g.heap, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&g.place, n, error));
    block_all(&g, shape, obstacles);
    find_ways(&g, shape->length);
    status = collect(&g, shape, cloud, error);
done:
    cardo_free(g.way);
    cardo_free(g.blocked);
    cardo_free(g.heap);
    cardo_free(g.place);
    return status;
}

void cardo_label_cloud_clear(cardo_label_cloud *cloud)
{
    cardo_free(cloud->position);
    cardo_free(cloud->room);
    cardo_free(cloud->share);
    *cloud = (cardo_label_cloud){0};
}

/* Takes the radii from a place's room that others leave none. */
static unsigned char room_beside(const cardo_label_shape *shape, const cardo_obstacles *others,
                                 cardo_vec3 p, unsigned char room)
{
    for (int i = 0; i < others->n && room; ++i) {
        const cardo_vec3 d = v3_sub(v3_load(others->position + 3 * (size_t)i), p);
        const double squared = v3_dot(d, d);
        for (int k = 0; k < shape->nradius; ++k) {
            const double reach = others->radius[i] + shape->radius[k];
            if (squared < reach * reach)
                room &= (unsigned char)~(1 << k);
        }
    }
    return room;
}

int cardo_label_cloud_place(const cardo_label_cloud *cloud, const cardo_label_shape *shape,
                            cardo_transform X, const cardo_obstacles *others, int most,
                            double *position, double *weight)
{
    int count = 0;
    for (int k = 0; k < cloud->n && count < most; ++k) {
        const cardo_vec3 p = xform_point(X, v3_load(cloud->position + 3 * (size_t)k));
        const unsigned char room = room_beside(shape, others, p, cloud->room[k]);
        if (!room)
            continue;
        v3_store(position + 3 * (size_t)count, p);
        weight[count++] =
            ((room & 1) + (room >> 1 & 1) + (room >> 2 & 1)) * (cloud->share ? cloud->share[k] : 1);
    }
    return count;
}
