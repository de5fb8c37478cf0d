#include "study/dynamics/recorder.h"

#include "base/memory.h"
#include "multibody/quantities/columns.h"
#include "multibody/tree/operators.h"
#include "structure/pdb/pdb.h"
#include "study/dynamics/checkpoint.h"

#include <stdio.h>
#include <string.h>

/* Columns that every table begins with; energies by term stand between potential and kinetic. */
enum { BEFORE_TERMS = 3, BEHIND_TERMS = 4 };
/* And those of events. */
enum { BEFORE_COORDINATES = 4 };

enum { MOST_REMEMBERED = 8, FILE_COUNTERS = 3 };

/* Numbers of the caller's that ride along. */
typedef struct remembered {
    char name[24];
    double *values;
    int count;
} remembered;

struct cardo_recorder {
    const cardo_writer *writer; /* NULL: no files */
    char *extra;
    cardo_simulation *simulation;
    const cardo_structure *structure;
    cardo_recorder_options options;
    cardo_recorder_columns more;
    int format; /* of CARDO_TRAJECTORY_FORMATS; -1: no trajectory */
    cardo_series *table, *trajectory;
    cardo_series *events; /* NULL: the simulation watches for none */
    cardo_column *columns;
    double *row, *generalized, *positions, *velocities;
    int *forces; /* speeds whose generalized force is shown */
    int nq, nu, nterm, nforce, ncolumn;
    cardo_checkpoint *before; /* that the run goes on from, or NULL */
    remembered remembered[MOST_REMEMBERED];
    int nremembered;
};

#define NAME(format, ending) #format,
static const char *const trajectory_choices[] = {CARDO_TRAJECTORY_FORMATS(NAME) "none", NULL};
#undef NAME
#define ENDING(format, ending) ending,
static const char *const endings[] = {CARDO_TRAJECTORY_FORMATS(ENDING) NULL};
#undef ENDING

const cardo_field cardo_recorder_fields[] = {
    {"report-interval", CARDO_FIELD_LONG, offsetof(cardo_recorder_options, report_interval), "",
     "10", 1, 9e15, NULL, "steps between rows of trajectory.csv", CARDO_MAY_CHANGE},
    {"trajectory-interval", CARDO_FIELD_LONG, offsetof(cardo_recorder_options, trajectory_interval),
     "", "100", 1, 9e15, NULL, "steps between frames of the trajectory", CARDO_MAY_CHANGE},
    {"checkpoint-interval", CARDO_FIELD_LONG, offsetof(cardo_recorder_options, checkpoint_interval),
     "", "1000", 1, 9e15, NULL, "steps between checkpoints", CARDO_MAY_CHANGE},
    {"trajectory", CARDO_FIELD_CHOICE, offsetof(cardo_recorder_options, trajectory), "", "netcdf",
     0, 0, trajectory_choices, "format of the trajectory", CARDO_MAY_CHANGE},
    {"trajectory-velocities", CARDO_FIELD_BOOL, offsetof(cardo_recorder_options, velocities), "",
     "no", 0, 0, NULL, "atom velocities in the trajectory, where its format holds them"},
    {0},
};

/* Under masses of the system's own choosing time is none. */
static const char *name_of_time(const cardo_system *system)
{
    return cardo_system_mass_matrix(system) ? "unphysical time" : "time";
}

static void fill_columns(cardo_recorder *self)
{
    const cardo_evaluator *evaluator = cardo_simulation_evaluator(self->simulation);
    const cardo_system *system = cardo_simulation_system(self->simulation);
    cardo_column *column = self->columns;
    *column++ = cardo_column_of("step", "", 0);
    *column++ = cardo_column_known("time", name_of_time(system), "ps", 12);
    *column++ = cardo_column_known("potential", "potential", "kJ/mol", 12);
    for (int k = 0; k < self->nterm; ++k)
        *column++ = cardo_column_of(cardo_evaluator_term_name(evaluator, k), "kJ/mol", 12);
    *column++ = cardo_column_known("kinetic", "kinetic", "kJ/mol", 10);
    *column++ = cardo_column_known("total", "total", "kJ/mol", 12);
    *column++ = cardo_column_of("conserved", "kJ/mol", 12);
    *column++ = cardo_column_known("temperature", "temperature", "K", 7);
    cardo_coordinate_columns(system, column);
    column += self->nq;
    cardo_speed_columns(system, column);
    column += self->nu;
    column += cardo_force_columns(system, self->forces, column);
    for (int k = 0; k < self->more.count; ++k)
        *column++ = self->more.columns[k];
}

static cardo_status make_memory(cardo_recorder *self, cardo_error *error)
{
    cardo_status status;
    const cardo_system *system = cardo_simulation_system(self->simulation);
    size_t natom = (size_t)cardo_system_nstation(system);
    self->nq = cardo_system_nq(system);
    self->nu = cardo_system_nu(system);
    self->nterm = cardo_evaluator_nterm(cardo_simulation_evaluator(self->simulation));
    CARDO_TRY(CARDO_ALLOCATE(&self->forces, self->nu, error));
    self->nforce = cardo_force_columns(system, self->forces, NULL);
    self->ncolumn = BEFORE_TERMS + self->nterm + BEHIND_TERMS + self->nq + self->nu + self->nforce +
                    self->more.count;
    CARDO_TRY(CARDO_ALLOCATE(&self->columns, self->ncolumn, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->row, self->ncolumn, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->generalized, self->nu, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->positions, 3 * natom, error));
    if (self->options.velocities)
        CARDO_TRY(CARDO_ALLOCATE(&self->velocities, 3 * natom, error));
    fill_columns(self);
done:
    return status;
}

static cardo_status report(void *user, const cardo_frame *frame, cardo_error *error)
{
    cardo_recorder *self = user;
    double *to = self->row;
    *to++ = (double)frame->step;
    *to++ = frame->time;
    *to++ = frame->potential;
    for (int k = 0; k < self->nterm; ++k)
        *to++ = cardo_evaluator_terms(frame->evaluator)[k];
    *to++ = frame->kinetic;
    *to++ = frame->total;
    *to++ = frame->conserved;
    *to++ = frame->temperature;
    for (int k = 0; k < self->nq; ++k)
        *to++ = cardo_state_q(frame->state)[k];
    for (int k = 0; k < self->nu; ++k)
        *to++ = cardo_state_u(frame->state)[k];
    cardo_status status = cardo_evaluator_generalized_forces(frame->evaluator, frame->state,
                                                             self->generalized, error);
    if (status != CARDO_OK)
        return status;
    for (int k = 0; k < self->nforce; ++k)
        *to++ = self->generalized[self->forces[k]];
    if (self->more.count > 0)
        status = self->more.measure(self->more.user, frame, to, error);
    if (status != CARDO_OK)
        return status;
    return cardo_writer_add(self->writer, self->table, self->row, error);
}

static cardo_status add_event(void *user, const cardo_event_report *event, cardo_error *error)
{
    cardo_recorder *self = user;
    double *to = self->row;
    *to++ = event->number + 1;
    *to++ = (double)event->step;
    *to++ = event->time;
    *to++ = event->rising ? 1 : -1;
    for (int k = 0; k < self->nq; ++k)
        *to++ = event->q[k];
    for (int k = 0; k < self->nu; ++k)
        *to++ = event->u[k];
    return cardo_writer_add(self->writer, self->events, self->row, error);
}

static cardo_status add_frame(void *user, const cardo_frame *frame, cardo_error *error)
{
    cardo_recorder *self = user;
    cardo_status status =
        cardo_station_positions(frame->system, frame->state, self->positions, error);
    if (status == CARDO_OK && self->velocities)
        status = cardo_station_velocities(frame->system, frame->state, self->velocities, error);
    if (status != CARDO_OK)
        return status;
    return cardo_writer_add_frame(self->writer, self->trajectory, frame->time, self->positions,
                                  self->velocities, error);
}

static cardo_status keep(void *user, const cardo_frame *frame, cardo_error *error)
{
    /* The files' first state is kept by the first checkpoint that has something to continue. */
    return frame->step > 0 ? cardo_recorder_checkpoint(user, error) : CARDO_OK;
}

/* Counters are whole numbers: of a double they have the bits. */
static void name_number(const remembered *one, int k, char name[48])
{
    snprintf(name, 48, "remembered.%s.%d", one->name, k);
}

/* What the files count and what the caller remembers; the names stand in *names. Both are the caller's to free. */
static cardo_status list_counters(cardo_recorder *self, cardo_counter **counters,
                                  char (**names)[48], int *n, cardo_error *error)
{
    cardo_status status;
    int most = FILE_COUNTERS;
    *n = 0;
    for (int r = 0; r < self->nremembered; ++r)
        most += self->remembered[r].count;
    CARDO_TRY(CARDO_ALLOCATE(counters, most, error));
    CARDO_TRY(CARDO_ALLOCATE(names, most, error));
    (*counters)[(*n)++] =
        (cardo_counter){"table.length", cardo_writer_extent(self->writer, self->table)};
    if (self->trajectory) {
        snprintf((*names)[*n], sizeof **names, "%s.frames", trajectory_choices[self->format]);
        (*counters)[*n] =
            (cardo_counter){(*names)[*n], cardo_writer_extent(self->writer, self->trajectory)};
        ++*n;
    }
    if (self->events)
        (*counters)[(*n)++] =
            (cardo_counter){"events.length", cardo_writer_extent(self->writer, self->events)};
    for (int r = 0; r < self->nremembered; ++r)
        for (int k = 0; k < self->remembered[r].count; ++k, ++*n) {
            name_number(&self->remembered[r], k, (*names)[*n]);
            (*counters)[*n].name = (*names)[*n];
            memcpy(&(*counters)[*n].value, &self->remembered[r].values[k], sizeof(double));
        }
done:
    return status;
}

cardo_status cardo_recorder_remember(cardo_recorder *self, const char *name, double *values,
                                     int count, bool *restored, cardo_error *error)
{
    char key[48];
    *restored = false;
    if (self->nremembered == MOST_REMEMBERED)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "more than %d sets of numbers to remember",
                          MOST_REMEMBERED);
    remembered *one = &self->remembered[self->nremembered++];
    *one = (remembered){.values = values, .count = count};
    snprintf(one->name, sizeof one->name, "%s", name);
    if (!self->before || count == 0)
        return CARDO_OK;
    /* As many as there are now, or none. */
    *restored = true;
    for (int k = 0; k <= count && *restored; ++k) {
        name_number(one, k, key);
        *restored = cardo_checkpoint_has_counter(self->before, key) == (k < count);
    }
    for (int k = 0; k < count && *restored; ++k) {
        name_number(one, k, key);
        const long long bits = cardo_checkpoint_counter(self->before, key, 0);
        memcpy(&values[k], &bits, sizeof bits);
    }
    return CARDO_OK;
}

cardo_status cardo_recorder_checkpoint(cardo_recorder *self, cardo_error *error)
{
    cardo_status status;
    char(*names)[48] = NULL;
    int n;
    cardo_counter *counters = NULL;
    if (!self->writer)
        return CARDO_OK;
    CARDO_TRY(cardo_writer_flush(self->writer, self->table, error));
    CARDO_TRY(cardo_writer_flush(self->writer, self->trajectory, error));
    CARDO_TRY(cardo_writer_flush(self->writer, self->events, error));
    CARDO_TRY(list_counters(self, &counters, &names, &n, error));
    CARDO_TRY(cardo_checkpoint_write(self->writer, CARDO_CHECKPOINT_NAME, self->simulation,
                                     self->extra, counters, n, error));
done:
    cardo_free(counters);
    cardo_free(names);
    return status;
}

static cardo_status new_recorder(const cardo_writer *writer, cardo_simulation *simulation,
                                 const cardo_structure *structure,
                                 const cardo_recorder_options *options,
                                 const cardo_recorder_columns *columns, const char *extra,
                                 cardo_recorder **out, cardo_error *error)
{
    cardo_status status;
    cardo_recorder *self = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&self, 1, error));
    self->simulation = simulation;
    self->structure = structure;
    self->options = *options;
    if (columns)
        self->more = *columns;
    self->writer = writer;
    self->format = endings[options->trajectory] ? options->trajectory : -1;
    CARDO_TRY(cardo_copy_string(&self->extra, extra, error));
    int natom = cardo_system_nstation(cardo_simulation_system(simulation));
    if (natom == 0)
        self->format = -1;
    self->options.velocities = options->velocities && self->format >= 0;
    if (structure && structure->natom != natom) {
        status = CARDO_FAIL(error, CARDO_ERROR_ARGUMENT,
                            "the structure has %d atoms, the model %d stations", structure->natom,
                            natom);
        goto done;
    }
    CARDO_TRY(make_memory(self, error));
    *out = self;
    self = NULL;
done:
    cardo_recorder_destroy(self);
    return status;
}

/* events.csv, where the simulation watches for some: new, or where the checkpoint left it. */
static cardo_status open_events(cardo_recorder *self, const cardo_checkpoint *checkpoint,
                                cardo_error *error)
{
    cardo_status status;
    const cardo_system *system = cardo_simulation_system(self->simulation);
    cardo_column *columns = NULL;
    const int n = BEFORE_COORDINATES + self->nq + self->nu;
    if (!cardo_simulation_events(self->simulation))
        return CARDO_OK;
    CARDO_TRY(CARDO_ALLOCATE(&columns, n, error));
    columns[0] = cardo_column_of("event", "", 0);
    columns[1] = cardo_column_of("step", "", 0);
    columns[2] = cardo_column_of(name_of_time(system), "ps", 15);
    columns[3] = cardo_column_of("direction", "", 0);
    cardo_coordinate_columns(system, columns + BEFORE_COORDINATES);
    cardo_speed_columns(system, columns + BEFORE_COORDINATES + self->nq);
    const cardo_table_head head = {.ncolumn = n, .columns = columns};
    const long long extent =
        checkpoint ? cardo_checkpoint_counter(checkpoint, "events.length", -1) : -1;
    CARDO_TRY(cardo_writer_table(self->writer, "events.csv", &head, extent, &self->events, error));
    cardo_simulation_listen(self->simulation, add_event, self);
done:
    cardo_free(columns);
    return status;
}

/* Opens table and trajectory: new ones without a checkpoint, else where it left them. */
static cardo_status open_files(cardo_recorder *self, const cardo_checkpoint *checkpoint,
                               cardo_error *error)
{
    cardo_status status;
    char counter[32];
    const cardo_table_head table = {.ncolumn = self->ncolumn, .columns = self->columns};
    CARDO_TRY(cardo_writer_table(
        self->writer, "trajectory.csv", &table,
        checkpoint ? cardo_checkpoint_counter(checkpoint, "table.length", 0) : -1, &self->table,
        error));
    CARDO_TRY(open_events(self, checkpoint, error));
    if (self->format < 0)
        goto done;
    snprintf(counter, sizeof counter, "%s.frames", trajectory_choices[self->format]);
    const long long frames = checkpoint ? cardo_checkpoint_counter(checkpoint, counter, -1) : -1;
    const cardo_trajectory_head head = {
        .format = self->format,
        .natom = cardo_system_nstation(cardo_simulation_system(self->simulation)),
        .structure = self->structure,
        .title = "domain-hinge dynamics in internal coordinates (Cardo)",
        .timestep = cardo_simulation_get_options(self->simulation)->timestep,
        .interval = self->options.trajectory_interval,
        .velocities = self->options.velocities,
    };
    status = cardo_writer_trajectory(self->writer, "trajectory", &head, frames, &self->trajectory,
                                     error);
done:
    return status;
}

/* The checkpoint's observer comes last: what it counts is then written. */
static cardo_status observe(cardo_recorder *self, cardo_error *error)
{
    const cardo_observer observers[3] = {
        {self, self->options.report_interval, self->nterm > 0, report},
        {self, self->options.trajectory_interval, false, add_frame},
        {self, self->options.checkpoint_interval, false, keep},
    };
    cardo_status status = CARDO_OK;
    for (int k = 0; k < 3 && status == CARDO_OK; ++k)
        if (k != 1 || self->trajectory)
            status = cardo_simulation_add_observer(self->simulation, &observers[k], error);
    return status;
}

cardo_status cardo_recorder_open(const cardo_writer *writer, cardo_simulation *simulation,
                                 const cardo_structure *structure,
                                 const cardo_recorder_options *options,
                                 const cardo_recorder_columns *columns, const char *extra,
                                 cardo_recorder **out, cardo_error *error)
{
    cardo_recorder *self = NULL;
    *out = NULL;
    cardo_status status =
        new_recorder(writer, simulation, structure, options, columns, extra, &self, error);
    if (status != CARDO_OK)
        return status;
    const cardo_system *system = cardo_simulation_system(simulation);
    cardo_state *state = cardo_simulation_state(simulation);
    CARDO_TRY(cardo_realize(system, state, CARDO_STAGE_POSITION, error));
    CARDO_TRY(cardo_station_positions(system, state, self->positions, error));
    if (structure) /* names for the trajectory's atoms, and where they are now */
        CARDO_TRY(cardo_writer_structure(writer, "topology", structure, self->positions, error));
    CARDO_TRY(open_files(self, NULL, error));
    CARDO_TRY(observe(self, error));
    *out = self;
    self = NULL;
done:
    cardo_recorder_destroy(self);
    return status;
}

cardo_status cardo_recorder_continue(const cardo_writer *writer, cardo_simulation *simulation,
                                     const cardo_structure *structure,
                                     const cardo_recorder_options *options,
                                     const cardo_recorder_columns *columns, const char *extra,
                                     cardo_recorder **out, cardo_error *error)
{
    cardo_recorder *self = NULL;
    cardo_checkpoint *checkpoint = NULL;
    *out = NULL;
    cardo_status status =
        new_recorder(writer, simulation, structure, options, columns, extra, &self, error);
    if (status != CARDO_OK)
        return status;
    CARDO_TRY(cardo_checkpoint_read(writer, CARDO_CHECKPOINT_NAME, &checkpoint, error));
    CARDO_TRY(cardo_checkpoint_restore(checkpoint, simulation, extra, error));
    CARDO_TRY(open_files(self, checkpoint, error));
    CARDO_TRY(observe(self, error));
    self->before = checkpoint;
    checkpoint = NULL;
    *out = self;
    self = NULL;
done:
    cardo_checkpoint_destroy(checkpoint);
    cardo_recorder_destroy(self);
    return status;
}

/* Closes all files; the first failure is told. */
static cardo_status close_files(cardo_recorder *self, cardo_error *error)
{
    cardo_status all[3];
    all[0] = cardo_writer_close(self->writer, &self->table, error);
    all[1] = cardo_writer_close(self->writer, &self->trajectory, all[0] == CARDO_OK ? error : NULL);
    bool well = all[0] == CARDO_OK && all[1] == CARDO_OK;
    all[2] = cardo_writer_close(self->writer, &self->events, well ? error : NULL);
    return all[0] != CARDO_OK ? all[0] : all[1] != CARDO_OK ? all[1] : all[2];
}

cardo_status cardo_recorder_finish(cardo_recorder *self, cardo_error *error)
{
    cardo_status status = cardo_recorder_checkpoint(self, error);
    cardo_status closed = close_files(self, status == CARDO_OK ? error : NULL);
    cardo_recorder_destroy(self);
    return status == CARDO_OK ? closed : status;
}

void cardo_recorder_destroy(cardo_recorder *self)
{
    if (!self)
        return;
    cardo_simulation_remove_observers(self->simulation, self);
    if (cardo_simulation_events(self->simulation))
        cardo_simulation_listen(self->simulation, NULL, NULL);
    close_files(self, NULL);
    cardo_checkpoint_destroy(self->before);
    cardo_free(self->extra);
    cardo_free(self->columns);
    cardo_free(self->row);
    cardo_free(self->generalized);
    cardo_free(self->positions);
    cardo_free(self->velocities);
    cardo_free(self->forces);
    cardo_free(self);
}

void cardo_recorder_fill(const cardo_recorder *self, cardo_result *into)
{
    char label[96];
    cardo_result *table = cardo_result_table(into, "trajectory_columns", "column");
    for (int k = 0; k < self->ncolumn; ++k) {
        const cardo_column *column = &self->columns[k];
        const bool unit = column->unit && *column->unit;
        if (!column->key)
            continue;
        snprintf(label, sizeof label, "%s%s%s%s", column->name, unit ? " (" : "",
                 unit ? column->unit : "", unit ? ")" : "");
        cardo_result_row(table);
        cardo_result_text(table, &(cardo_quantity){"what"}, column->key);
        if (column->of[0])
            cardo_result_text(table, &(cardo_quantity){"of"}, column->of);
        cardo_result_text(table, &(cardo_quantity){"label"}, label);
        cardo_result_integer(table, &(cardo_quantity){"column"}, k + 1);
    }
}

int cardo_recorder_ncolumn(const cardo_recorder *self)
{
    return self->ncolumn;
}

const char *cardo_recorder_column(const cardo_recorder *self, int column)
{
    return self->columns[column].name;
}
