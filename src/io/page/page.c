/* The page's frame is page.html, in which {{name}} stands for what is put there. Scripts run by the page's own nonce alone, which is a
 * hash of what the page holds, and all that comes from users is packed, so that no name of a file can become a script. */
#include "io/page/page.h"

#include "base/hash.h"
#include "base/json/json.h"
#include "base/memory.h"
#include "base/output.h"
#include "base/text.h"
#include "io/page/packing.h"
#include "io/page/page_files.h"
#include "io/page/page_tables.h"
#include "io/run/folder_writer.h"
#include "io/run/run_files.h"

#include <string.h>
#include <sys/stat.h>

enum { NLIBRARY = 3, LARGEST_LIBRARY = 1 << 24 };

/* Files of other projects, beside the build or in the data folder "report". */
static const char *const library_files[NLIBRARY] = {"3Dmol-min.js", "uPlot.iife.min.js",
                                                    "uPlot.min.css"};
static const char *const library_places[NLIBRARY] = {"3dmol", "uplot", "uplot_css"};

typedef struct page {
    char *library[NLIBRARY]; /* NULL: not there */
    size_t library_size[NLIBRARY];
    char *data; /* what the script shows, as JSON */
    char nonce[32];
    char *title;
} page;

static void read_library(page *self, int k)
{
    char *path = NULL;
    cardo_error nobody = {0};
    if (cardo_find_data(library_files[k], CARDO_REPORT_ASSETS "/", "report", &path, &nobody) ==
        CARDO_OK)
        cardo_read_file(path, LARGEST_LIBRARY, &self->library[k], &self->library_size[k], &nobody);
    cardo_free(path);
}

static cardo_json *read_part(const char *folder, const char *name)
{
    char *path = NULL;
    cardo_json *json = NULL;
    if (cardo_folder_path(folder, name, NULL, &path, NULL) == CARDO_OK)
        json = cardo_json_read(path, NULL);
    cardo_free(path);
    return json;
}

/* The run before whose model moves alike, or -1. */
static int same_motion(const cardo_json *runs, const cardo_json *motion)
{
    static const char *const names[] = {"bodies", "coordinates", "residues", "atom_place", NULL};
    for (int k = 0; motion && k < cardo_json_length(runs); ++k) {
        const cardo_json *other = cardo_json_member(cardo_json_part(runs, k), "motion");
        bool same = true;
        for (int n = 0; names[n] && same; ++n)
            same = cardo_json_equal(cardo_json_member(other, names[n]),
                                    cardo_json_member(motion, names[n]));
        if (same)
            return k;
    }
    return -1;
}

/* A table of its own, such as one of structures that were fitted to a model: it has columns that are coordinates of other runs. */
static bool is_table(const char *path)
{
    struct stat info;
    const size_t n = strlen(path);
    return n > 4 && strcmp(path + n - 4, ".csv") == 0 && stat(path, &info) == 0 &&
           S_ISREG(info.st_mode);
}

static cardo_status add_table(const char *path, cardo_json *runs, const cardo_json **out,
                              cardo_error *error)
{
    cardo_json *tables = NULL;
    const cardo_status status = cardo_page_table(path, &tables, error);
    cardo_json *run = cardo_json_object();
    cardo_json_string(run, "folder", path);
    cardo_json_put(run, "record", cardo_json_of_string(NULL));
    cardo_json_put(run, "result", cardo_json_of_string(NULL));
    cardo_json_put(run, "motion", cardo_json_of_string(NULL));
    if (tables)
        cardo_json_put(run, "tables", tables);
    cardo_json_put(runs, NULL, run);
    *out = run;
    return status;
}

static cardo_status add_run(const char *folder, cardo_json *runs, const cardo_json **out,
                            cardo_error *error)
{
    cardo_json *tables = NULL;
    cardo_json *record = read_part(folder, CARDO_RUN_RECORD),
               *result = read_part(folder, "result.json"),
               *motion = read_part(folder, "motion.json");
    cardo_status status = CARDO_OK;
    if (!record && !result)
        status = CARDO_FAIL(error, CARDO_ERROR_INPUT,
                            "%s: holds no run: neither %s nor result.json is there", folder,
                            CARDO_RUN_RECORD);
    if (status == CARDO_OK)
        status = cardo_page_tables(folder, motion, &tables, error);
    cardo_json *run = cardo_json_object();
    cardo_json_string(run, "folder", folder);
    cardo_json_put(run, "record", record ? record : cardo_json_of_string(NULL));
    cardo_json_put(run, "result", result ? result : cardo_json_of_string(NULL));
    const int same = same_motion(runs, motion);
    cardo_json_put(run, "motion",
                   !motion     ? cardo_json_of_string(NULL)
                   : same >= 0 ? cardo_json_of_integer(same)
                               : motion);
    if (same >= 0)
        cardo_json_free(motion);
    if (tables)
        cardo_json_put(run, "tables", tables);
    cardo_json_put(runs, NULL, run);
    *out = run;
    return status;
}

static const char *name_of(const cardo_json *run)
{
    const cardo_json *result = cardo_json_member(run, "result");
    const char *model = cardo_json_text(result, "model");
    return model ? model : cardo_json_text(run, "folder");
}

static cardo_status collect(page *self, int nrun, const char *const *folders,
                            const cardo_report_options *how, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    cardo_text_stream stream = {0};
    cardo_json *data = cardo_json_object(), *runs = cardo_json_array(),
               *missing = cardo_json_array();
    const cardo_json *first = NULL, *last;
    cardo_json_put(data, "runs", runs);
    cardo_json_put(data, "missing", missing);
    for (int k = 0; k < nrun && status == CARDO_OK; ++k)
        status = (is_table(folders[k]) ? add_table : add_run)(folders[k], runs,
                                                              k > 0 ? &last : &first, error);
    if (status != CARDO_OK)
        goto done;
    status = cardo_copy_string(&self->title, how->title ? how->title : name_of(first), error);
    if (status != CARDO_OK)
        goto done;
    cardo_json_string(data, "title", self->title);
    cardo_json_string(data, "program", how->program);
    cardo_json_string(data, "version", how->version ? how->version : CARDO_VERSION);
    for (int k = 0; k < NLIBRARY; ++k)
        if (!self->library[k])
            cardo_json_string(missing, NULL, library_files[k]);
    status = cardo_text_stream_open(&stream, error);
    if (status != CARDO_OK)
        goto done;
    cardo_json_print_compact(data, stream.stream);
    data = NULL;
    status = cardo_text_stream_close(&stream, CARDO_OK, &self->data, error);
    if (status == CARDO_OK)
        snprintf(self->nonce, sizeof self->nonce, "%016llx",
                 cardo_hash(self->data, strlen(self->data), 0));
done:
    cardo_json_free(data);
    return status;
}

static void put_escaped(FILE *stream, const char *text)
{
    for (; *text; ++text)
        if (*text == '<' || *text == '>' || *text == '&' || *text == '"')
            fprintf(stream, "&#%d;", *text);
        else
            fputc(*text, stream);
}

static void put_file(FILE *stream, const cardo_page_file *file)
{
    fwrite(file->bytes, 1, *file->size, stream);
}

/* What stands in a place of the frame. */
static cardo_status put_place(const page *self, const char *place, size_t length, FILE *stream,
                              cardo_error *error)
{
    char name[32];
    snprintf(name, sizeof name, "%.*s", (int)length, place);
    const cardo_page_file *file = cardo_page_file_find(name);
    if (file)
        put_file(stream, file);
    else if (strcmp(name, "title") == 0)
        put_escaped(stream, self->title);
    else if (strcmp(name, "nonce") == 0)
        fputs(self->nonce, stream);
    else if (strcmp(name, "data") == 0)
        return cardo_packed_print(stream, self->data, strlen(self->data), error);
    for (int k = 0; k < NLIBRARY; ++k)
        if (strcmp(name, library_places[k]) == 0 && self->library[k])
            return cardo_packed_print(stream, self->library[k], self->library_size[k], error);
    return CARDO_OK;
}

/* Where two letters stand in a text, or its end. */
static const char *find(const char *at, const char *end, const char *two)
{
    while (end - at >= 2 && memcmp(at, two, 2) != 0)
        ++at;
    return end - at >= 2 ? at : end;
}

static cardo_status put_page(const page *self, FILE *stream, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const cardo_page_file *frame = cardo_page_file_find("page.html");
    const char *at = (const char *)frame->bytes, *end = at + *frame->size;
    while (at < end && status == CARDO_OK) {
        const char *open = find(at, end, "{{");
        fwrite(at, 1, (size_t)(open - at), stream);
        if (open == end)
            break;
        const char *close = find(open, end, "}}");
        if (close == end)
            break;
        status = put_place(self, open + 2, (size_t)(close - open - 2), stream, error);
        at = close + 2;
    }
    return status;
}

static cardo_status write_page(const page *self, const char *path, cardo_error *error)
{
    cardo_output output = {0};
    cardo_status status = cardo_output_open(&output, path, error);
    if (status == CARDO_OK)
        status = put_page(self, output.stream, error);
    if (status == CARDO_OK)
        return cardo_output_commit(&output, error);
    cardo_output_abandon(&output);
    return status;
}

static void tell(const page *self, int nrun, const char *path, cardo_result *into)
{
    struct stat info;
    cardo_result_text(into, &(cardo_quantity){"file"}, path);
    if (stat(path, &info) == 0)
        cardo_result_integer(into, &(cardo_quantity){"bytes"}, info.st_size);
    cardo_result_integer(into, &(cardo_quantity){"runs"}, nrun);
    cardo_result *missing = cardo_result_list(into, "missing");
    for (int k = 0; k < NLIBRARY; ++k)
        if (!self->library[k])
            cardo_result_text(missing, &(cardo_quantity){NULL}, library_files[k]);
}

cardo_status cardo_report_write(int nrun, const char *const *folders,
                                const cardo_report_options *options, const char *path,
                                cardo_result *into, cardo_error *error)
{
    page self = {0};
    cardo_report_options how = {0};
    cardo_status status = CARDO_OK;
    if (options)
        CARDO_TRY(cardo_take_sized(options, options->size, &how, sizeof how, "cardo_report_options",
                                   error));
    for (int k = 0; k < NLIBRARY; ++k)
        read_library(&self, k);
    CARDO_TRY(collect(&self, nrun, folders, &how, error));
    CARDO_TRY(write_page(&self, path, error));
    if (into)
        tell(&self, nrun, path, into);
done:
    for (int k = 0; k < NLIBRARY; ++k)
        cardo_free(self.library[k]);
    cardo_free(self.data);
    cardo_free(self.title);
    return status;
}
