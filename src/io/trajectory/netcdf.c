/* AMBER NetCDF trajectories, convention 1.0 (64-bit offset format), through libnetcdf. */
#include "io/trajectory/frames.h"
#include "io/trajectory/trajectory.h"

#include "base/memory.h"
#include "base/units.h"

#include <errno.h>
#include <netcdf.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* libnetcdf keeps one list of open files, without a lock. The host's own calls of it are the host's concern. */
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

enum { PIECE = 4096 /* atoms that are written at once */ };

typedef struct netcdf_file {
    int id; /* -1: not open */
    char *path;
    int natom;
    size_t nframe, flushed;
    bool velocities, failed;
    int time_variable, coordinates_variable, velocities_variable;
    float buffer[3 * PIECE];
} netcdf_file;

static cardo_status check(netcdf_file *self, int code, cardo_error *error)
{
    if (code == NC_NOERR)
        return CARDO_OK;
    self->failed = true;
    return CARDO_FAIL(error, CARDO_ERROR_FILE, "%s: cannot be written (%s)", self->path,
                      nc_strerror(code));
}

/* The library cannot shorten a record dimension, but the classic format keeps the number of records
 * in bytes 4 to 7, most significant first; what lies after is overwritten by later frames. */
static cardo_status set_record_count(const char *path, size_t count, cardo_error *error)
{
    unsigned char magic[4] = {0};
    unsigned char bytes[4] = {(unsigned char)(count >> 24), (unsigned char)(count >> 16),
                              (unsigned char)(count >> 8), (unsigned char)count};
    FILE *stream = fopen(path, "r+b");
    if (!stream)
        return CARDO_FAIL(error, CARDO_ERROR_FILE, "%s: cannot be opened (%s)", path,
                          strerror(errno));
    if (fread(magic, 1, 4, stream) != 4 || memcmp(magic, "CDF\002", 4) != 0) {
        fclose(stream);
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s: is not a NetCDF file with 64-bit offsets, as Cardo writes them",
                          path);
    }
    /* Between reading and writing a stream has to be positioned. */
    bool bad = fseek(stream, 4, SEEK_SET) != 0 || fwrite(bytes, 1, 4, stream) != 4;
    bad = fclose(stream) != 0 || bad;
    return bad ? CARDO_FAIL(error, CARDO_ERROR_FILE, "%s: cannot be written (%s)", path,
                            strerror(errno))
               : CARDO_OK;
}

static int put_text(int id, int variable, const char *name, const char *text)
{
    return nc_put_att_text(id, variable, name, strlen(text), text);
}

static int define_variables(netcdf_file *self, const cardo_trajectory_info *info, int *spatial)
{
    int id = self->id, frame_dim, spatial_dim, atom_dim;
    int code = nc_def_dim(id, "frame", NC_UNLIMITED, &frame_dim);
    code = code ? code : nc_def_dim(id, "spatial", 3, &spatial_dim);
    code = code ? code : nc_def_dim(id, "atom", (size_t)self->natom, &atom_dim);
    if (code)
        return code;
    const int dims[3] = {frame_dim, atom_dim, spatial_dim};
    code = nc_def_var(id, "spatial", NC_CHAR, 1, &spatial_dim, spatial);
    code = code ? code : nc_def_var(id, "time", NC_FLOAT, 1, &frame_dim, &self->time_variable);
    code = code ? code : put_text(id, self->time_variable, "units", "picosecond");
    code =
        code ? code : nc_def_var(id, "coordinates", NC_FLOAT, 3, dims, &self->coordinates_variable);
    code = code ? code : put_text(id, self->coordinates_variable, "units", "angstrom");
    if (self->velocities) {
        code = code ? code
                    : nc_def_var(id, "velocities", NC_FLOAT, 3, dims, &self->velocities_variable);
        code =
            code ? code : put_text(id, self->velocities_variable, "units", "angstrom/picosecond");
    }
    code = code ? code : put_text(id, NC_GLOBAL, "Conventions", "AMBER");
    code = code ? code : put_text(id, NC_GLOBAL, "ConventionVersion", "1.0");
    code = code ? code : put_text(id, NC_GLOBAL, "application", "Cardo");
    code = code ? code : put_text(id, NC_GLOBAL, "program", "cardo");
    code = code ? code : put_text(id, NC_GLOBAL, "programVersion", CARDO_VERSION);
    return code ? code : put_text(id, NC_GLOBAL, "title", info->title ? info->title : "Cardo");
}

static cardo_status create_file(netcdf_file *self, const cardo_trajectory_info *info,
                                cardo_error *error)
{
    int spatial = 0, old;
    int code = nc_create(self->path, NC_CLOBBER | NC_64BIT_OFFSET, &self->id);
    if (code != NC_NOERR) {
        self->id = -1;
        return CARDO_FAIL(error, CARDO_ERROR_FILE, "%s: cannot be opened (%s)", self->path,
                          nc_strerror(code));
    }
    code = define_variables(self, info, &spatial);
    code = code ? code : nc_set_fill(self->id, NC_NOFILL, &old);
    code = code ? code : nc_enddef(self->id);
    code = code ? code : nc_put_var_text(self->id, spatial, "xyz");
    code = code ? code : nc_sync(self->id);
    return check(self, code, error);
}

static cardo_status reopen_file(netcdf_file *self, long long frames, cardo_error *error)
{
    int dim, old;
    size_t natom = 0, have = 0;
    int code = nc_open(self->path, NC_WRITE, &self->id);
    if (code != NC_NOERR) {
        self->id = -1;
        return CARDO_FAIL(error, CARDO_ERROR_FILE, "%s: cannot be opened (%s)", self->path,
                          nc_strerror(code));
    }
    code = nc_inq_dimid(self->id, "atom", &dim);
    code = code ? code : nc_inq_dimlen(self->id, dim, &natom);
    code = code ? code : nc_inq_dimid(self->id, "frame", &dim);
    code = code ? code : nc_inq_dimlen(self->id, dim, &have);
    code = code ? code : nc_inq_varid(self->id, "time", &self->time_variable);
    code = code ? code : nc_inq_varid(self->id, "coordinates", &self->coordinates_variable);
    if (!code && nc_inq_varid(self->id, "velocities", &self->velocities_variable) != NC_NOERR)
        self->velocities = false;
    code = code ? code : nc_set_fill(self->id, NC_NOFILL, &old);
    if (code != NC_NOERR)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s: is not an AMBER trajectory (%s)",
                          self->path, nc_strerror(code));
    if (natom != (size_t)self->natom)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s: has %zu atoms, the model has %d",
                          self->path, natom, self->natom);
    if (have < (size_t)frames)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s: has %zu frames where the checkpoint counts %lld", self->path, have,
                          frames);
    self->nframe = self->flushed = (size_t)frames;
    return CARDO_OK;
}

/* Opens an existing file twice: once to see that it is ours, then with the number of frames cut. */
static cardo_status continue_file(netcdf_file *self, long long frames, cardo_error *error)
{
    cardo_status status = reopen_file(self, frames, error);
    if (status != CARDO_OK)
        return status;
    int code = nc_close(self->id);
    self->id = -1;
    status = check(self, code, error);
    if (status == CARDO_OK)
        status = set_record_count(self->path, (size_t)frames, error);
    return status == CARDO_OK ? reopen_file(self, frames, error) : status;
}

static void release(netcdf_file *self)
{
    if (!self)
        return;
    if (self->id >= 0)
        nc_close(self->id);
    cardo_free(self->path);
    cardo_free(self);
}

static cardo_status netcdf_open(const char *path, const cardo_trajectory_info *info,
                                long long frames, void **file, cardo_error *error)
{
    cardo_status status;
    netcdf_file *self = NULL;
    *file = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&self, 1, error));
    self->id = -1;
    self->natom = info->natom;
    self->velocities = info->velocities;
    CARDO_TRY(cardo_copy_string(&self->path, path, error));
    CARDO_TRY(frames < 0 ? create_file(self, info, error) : continue_file(self, frames, error));
    *file = self;
    self = NULL;
done:
    release(self);
    return status;
}

static int put_frame(netcdf_file *self, int variable, const double *values)
{
    int code = NC_NOERR;
    for (int first = 0; first < self->natom && code == NC_NOERR; first += PIECE) {
        const int n = self->natom - first < PIECE ? self->natom - first : PIECE;
        const size_t start[3] = {self->nframe, (size_t)first, 0}, count[3] = {1, (size_t)n, 3};
        for (int k = 0; k < 3 * n; ++k)
            self->buffer[k] = (float)(values[3 * (size_t)first + (size_t)k] / CARDO_ANGSTROM);
        code = nc_put_vara_float(self->id, variable, start, count, self->buffer);
    }
    return code;
}

static cardo_status netcdf_write(void *handle, double time, const double *positions,
                                 const double *velocities, cardo_error *error)
{
    netcdf_file *self = handle;
    float picoseconds = (float)time;
    int code = nc_put_var1_float(self->id, self->time_variable, &self->nframe, &picoseconds);
    code = code ? code : put_frame(self, self->coordinates_variable, positions);
    if (self->velocities && velocities)
        code = code ? code : put_frame(self, self->velocities_variable, velocities);
    if (code == NC_NOERR)
        self->nframe++;
    return check(self, code, error);
}

static cardo_status netcdf_flush(void *handle, cardo_error *error)
{
    netcdf_file *self = handle;
    cardo_status status = check(self, nc_sync(self->id), error);
    if (status == CARDO_OK)
        self->flushed = self->nframe;
    return status;
}

static cardo_status netcdf_close(void *handle, cardo_error *error)
{
    netcdf_file *self = handle;
    cardo_status status = CARDO_OK;
    if (!self->failed)
        status = netcdf_flush(self, error);
    int code = nc_close(self->id);
    self->id = -1;
    if (!self->failed && status == CARDO_OK)
        status = check(self, code, error);
    /* After a failed write the library may have counted a frame that is not there. */
    if (self->failed)
        set_record_count(self->path, self->flushed, NULL);
    release(self);
    return status;
}

static cardo_status open_alone(const char *path, const cardo_trajectory_info *info,
                               long long frames, void **file, cardo_error *error)
{
    pthread_mutex_lock(&one_at_a_time);
    cardo_status status = netcdf_open(path, info, frames, file, error);
    pthread_mutex_unlock(&one_at_a_time);
    return status;
}

static cardo_status write_alone(void *handle, double time, const double *positions,
                                const double *velocities, cardo_error *error)
{
    pthread_mutex_lock(&one_at_a_time);
    cardo_status status = netcdf_write(handle, time, positions, velocities, error);
    pthread_mutex_unlock(&one_at_a_time);
    return status;
}

static cardo_status flush_alone(void *handle, cardo_error *error)
{
    pthread_mutex_lock(&one_at_a_time);
    cardo_status status = netcdf_flush(handle, error);
    pthread_mutex_unlock(&one_at_a_time);
    return status;
}

static cardo_status close_alone(void *handle, cardo_error *error)
{
    pthread_mutex_lock(&one_at_a_time);
    cardo_status status = netcdf_close(handle, error);
    pthread_mutex_unlock(&one_at_a_time);
    return status;
}

const cardo_trajectory_format cardo_trajectory_netcdf = {
    .name = "netcdf",
    .extension = "nc",
    .doc = "AMBER NetCDF, single precision, with times and on request velocities",
    .velocities = true,
    .open = open_alone,
    .write = write_alone,
    .flush = flush_alone,
    .close = close_alone,
};

/* ---- reading ---- */

typedef struct netcdf_frames {
    int id, variable, natom;
    size_t count;
    const char *path; /* borrowed */
    float *buffer;    /* natom x 3 */
} netcdf_frames;

static bool frames_detect(const unsigned char *start)
{
    return memcmp(start, "CDF", 3) == 0 || memcmp(start + 1, "HDF", 3) == 0;
}

static cardo_status unreadable(const netcdf_frames *frames, int code, cardo_error *error)
{
    return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s: is no AMBER NetCDF trajectory (%s)",
                      frames->path, nc_strerror(code));
}

static cardo_status look_up(netcdf_frames *frames, cardo_error *error)
{
    int dims[NC_MAX_VAR_DIMS], ndims = 0;
    size_t atoms = 0, axes = 0;
    int code = nc_inq_varid(frames->id, "coordinates", &frames->variable);
    code = code ? code : nc_inq_varndims(frames->id, frames->variable, &ndims);
    if (code == NC_NOERR && ndims != 3)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s: its coordinates have %d dimensions, not frame, atom and axis",
                          frames->path, ndims);
    code = code ? code : nc_inq_vardimid(frames->id, frames->variable, dims);
    code = code ? code : nc_inq_dimlen(frames->id, dims[0], &frames->count);
    code = code ? code : nc_inq_dimlen(frames->id, dims[1], &atoms);
    code = code ? code : nc_inq_dimlen(frames->id, dims[2], &axes);
    if (code)
        return unreadable(frames, code, error);
    if (atoms != (size_t)frames->natom || axes != 3)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s: has %zu atoms with %zu coordinates each, and the structure that "
                          "names them %d with 3",
                          frames->path, atoms, axes, frames->natom);
    return CARDO_OK;
}

static void frames_close(void *handle)
{
    netcdf_frames *frames = handle;
    if (!frames)
        return;
    if (frames->id >= 0)
        nc_close(frames->id);
    cardo_free(frames->buffer);
    cardo_free(frames);
}

static cardo_status frames_open(const char *path, int natom, void **out, long long *count,
                                cardo_error *error)
{
    cardo_status status;
    netcdf_frames *frames = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&frames, 1, error));
    frames->id = -1;
    frames->natom = natom;
    frames->path = path;
    CARDO_TRY(CARDO_ALLOCATE(&frames->buffer, 3 * natom, error));
    int code = nc_open(path, NC_NOWRITE, &frames->id);
    if (code) {
        frames->id = -1;
        status = unreadable(frames, code, error);
        goto done;
    }
    CARDO_TRY(look_up(frames, error));
    *count = (long long)frames->count;
    *out = frames;
    frames = NULL;
done:
    frames_close(frames);
    return status;
}

static cardo_status frames_read(void *handle, long long k, double *positions, cardo_error *error)
{
    netcdf_frames *frames = handle;
    const size_t start[3] = {(size_t)k, 0, 0}, count[3] = {1, (size_t)frames->natom, 3};
    int code = nc_get_vara_float(frames->id, frames->variable, start, count, frames->buffer);
    if (code)
        return unreadable(frames, code, error);
    for (int i = 0; i < 3 * frames->natom; ++i)
        positions[i] = CARDO_ANGSTROM * (double)frames->buffer[i];
    return CARDO_OK;
}

static cardo_status frames_open_alone(const char *path, int natom, void **out, long long *count,
                                      cardo_error *error)
{
    pthread_mutex_lock(&one_at_a_time);
    cardo_status status = frames_open(path, natom, out, count, error);
    pthread_mutex_unlock(&one_at_a_time);
    return status;
}

static cardo_status frames_read_alone(void *handle, long long k, double *positions,
                                      cardo_error *error)
{
    pthread_mutex_lock(&one_at_a_time);
    cardo_status status = frames_read(handle, k, positions, error);
    pthread_mutex_unlock(&one_at_a_time);
    return status;
}

static void frames_close_alone(void *handle)
{
    pthread_mutex_lock(&one_at_a_time);
    frames_close(handle);
    pthread_mutex_unlock(&one_at_a_time);
}

const cardo_frames_format cardo_frames_netcdf = {
    .name = "AMBER NetCDF",
    .detect = frames_detect,
    .open = frames_open_alone,
    .read = frames_read_alone,
    .close = frames_close_alone,
};
