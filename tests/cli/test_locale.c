/* A host whose locale has a decimal comma: every file and every line that the program's commands write there is, to the bit, the one
 * that they write in the locale "C"; and a command leaves the process as it was. Each command runs in a process of its own, twice, in a folder of the same name. */
#include "support/locale.h"
#include "support/surroundings.h"

#include "cli/verbs.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_WORDS = 16, PATH = 1024, CHANGED = 98 };

/* ------------ the commands ------------ */

static const char *const peptide =
    "<cardo version=\"1\"><model name=\"peptide\"><structure id=\"a\" file=\"alanine.pdb\"/>"
    "<domain name=\"all\" residues=\"A:1-3\"/>"
    "<body name=\"peptide\" domains=\"all\" base=\"free\"/>"
    "<flexible residues=\"A:1-3\" torsions=\"phi psi\"/>"
    "<forcefield files=\"ff14SB.xml\" solvent=\"gbn2\" platform=\"Reference\"/></model>"
    "<simulate timestep=\"1.5 fs\" steps=\"40\" report-interval=\"4\" trajectory-interval=\"8\" "
    "trajectory=\"pdb\" integrator=\"langevin\" friction=\"2.5\"/>"
    "<sample method=\"mixed\" variable=\"dihedral\" a=\"A:1@C\" b=\"A:2@N\" c=\"A:2@CA\" "
    "d=\"A:2@C\" temperature=\"310.5\" cycles=\"60\" burn-in=\"10\" atom-flights=\"2\" "
    "interval=\"2\"/></cardo>";

static const char *const elbow =
    "<cardo version=\"1\"><model name=\"elbow\"><structure id=\"first\" file=\"2mcg_1.pdb\"/>"
    "<structure id=\"second\" file=\"2mcg_2.pdb\"/>"
    "<domain name=\"variable\" residues=\"1:2-108\"/>"
    "<domain name=\"constant\" residues=\"1:114-216\"/><hinge residues=\"1:109-113\"/>"
    "<body name=\"variable\" domains=\"variable\" base=\"welded\"/>"
    "<body name=\"constant\" domains=\"constant\" parent=\"variable\"><path start=\"0.03\"/></body>"
    "<forcefield files=\"kim-hummer.xml\"/></model>"
    "<simulate timestep=\"10.5 fs\" steps=\"40\" report-interval=\"4\" trajectory-interval=\"8\" "
    "trajectory=\"cif\" integrator=\"nose-hoover\"/>"
    "<drive motion=\"spline\" points=\"0 0.03, 0.25 0.04, 0.5 0.035\" duration=\"0.5 ps\" "
    "timestep=\"50 fs\" report-interval=\"1\"/>"
    "<sample coordinate=\"constant\" from=\"-0.025\" to=\"0.725\" timestep=\"50.5 fs\" "
    "method=\"metadynamics\" steps=\"400\" equilibration=\"100\" bins=\"12\" bootstrap=\"5\" "
    "walkers=\"2\" replicas=\"1\"/></cardo>";

typedef struct job {
    const char *name; /* NAME.out and NAME.err hold what it prints */
    const char *words[MOST_WORDS];
} job;

static const job jobs[] = {
    {"help", {"help", "--json"}},
    {"list", {"list", "integrators"}},
    {"prepare", {"prepare", "2mcg_1.pdb", "-o", "prepared.pdb"}},
    {"prepare-cif", {"prepare", "alanine.pdb", "-o", "prepared.cif"}},
    {"check", {"check", "prepared.pdb", "--json"}},
    {"domains", {"domains", "2mcg_1.pdb", "2mcg_2.pdb", "-o", "found.xml", "--json"}},
    {"info", {"info", "elbow.xml"}},
    {"info-json", {"info", "elbow.xml", "--json", "--set", "forcefield.files=ff14SB.xml"}},
    {"energy", {"energy", "peptide.xml"}},
    {"energy-json", {"energy", "peptide.xml", "--json"}},
    {"simulate-peptide", {"simulate", "peptide.xml", "-o", "peptide"}},
    {"simulate-elbow", {"simulate", "elbow.xml", "-o", "elbow"}},
    {"continue",
     {"simulate", "elbow.xml", "-o", "elbow", "--continue", "--set", "simulate.steps=60"}},
    {"minimize", {"minimize", "peptide.xml", "-o", "minimized"}},
    {"drive", {"drive", "elbow.xml", "-o", "driven"}},
    {"modes", {"modes", "elbow.xml", "-o", "modes"}},
    {"mixed", {"sample", "peptide.xml", "-o", "mixed"}},
    {"metadynamics", {"sample", "elbow.xml", "-o", "profile", "--processes", "1"}},
    {"fit", {"fit", "elbow.xml", "2mcg_2.pdb", "-o", "fit"}},
    /* A value with a comma is as wrong as elsewhere. */
    {"refused", {"simulate", "peptide.xml", "-o", "refused", "--set", "simulate.timestep=1,5"}},
};
enum { NJOB = sizeof jobs / sizeof *jobs };

static void copy_input(const char *folder, const char *name)
{
    char command[3 * PATH];
    snprintf(command, sizeof command, "cp '%s' '%s'", support_source(name), folder);
    assert_int_equal(system(command), 0);
}

static void write_input(const char *folder, const char *name, const char *text)
{
    char path[PATH];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void send_to(int descriptor, const char *name, const char *ending)
{
    char path[PATH];
    snprintf(path, sizeof path, "%s.%s", name, ending);
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    dup2(file, descriptor);
    close(file);
}

/* What main does with its words. */
static int run_here(const job *work)
{
    cardo_error error = {0};
    char *words[MOST_WORDS];
    int n = 0;
    for (; work->words[n]; ++n)
        words[n] = strdup(work->words[n]);
    const cardo_verb *verb = cardo_verb_find(cardo_verbs, words[0]);
    support_surroundings before, after;
    support_look_around(&before);
    cardo_status status = cardo_verb_run(verb, n - 1, words + 1, &error);
    if (status != CARDO_OK)
        fprintf(stderr, "%s\n", error.message);
    for (int k = 0; k < n; ++k)
        free(words[k]);
    support_look_around(&after);
    /* These are the program's own affair. */
    const int handled[] = {SIGINT, SIGTERM, SIGHUP};
    for (int k = 0; k < 3; ++k)
        after.action[handled[k]] = before.action[handled[k]];
    return support_count_changes(&before, &after) > 0 ? CHANGED : cardo_exit_status(status);
}

static int run_in_child(const char *folder, const job *work, bool comma)
{
    int ending = -1;
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        if (comma) {
            support_enter_comma_locale();
            setenv("LC_ALL", support_comma_locale(), 1);
        }
        if (chdir(folder) != 0)
            _exit(99);
        /* gnuplot takes most of the time of the others. */
        if (strcmp(work->name, "modes") != 0)
            setenv("PATH", "", 1);
        send_to(1, work->name, "out");
        send_to(2, work->name, "err");
        int status = run_here(work);
        fflush(NULL);
        _exit(status);
    }
    assert_int_equal(waitpid(child, &ending, 0), child);
    assert_true(WIFEXITED(ending));
    return WEXITSTATUS(ending);
}

/* Runs all jobs in scratch/here, which is then called name. */
static void run_all(const char *name, bool comma, int exits[NJOB])
{
    char here[PATH], later[PATH];
    snprintf(here, sizeof here, "%s/here", support_scratch());
    snprintf(later, sizeof later, "%s/%s", support_scratch(), name);
    assert_int_equal(mkdir(here, 0777), 0);
    copy_input(here, "pdb/alanine.pdb");
    copy_input(here, "pdb/2mcg_1.pdb");
    copy_input(here, "pdb/2mcg_2.pdb");
    write_input(here, "peptide.xml", peptide);
    write_input(here, "elbow.xml", elbow);
    for (int k = 0; k < NJOB; ++k)
        exits[k] = run_in_child(here, &jobs[k], comma);
    assert_int_equal(rename(here, later), 0);
}

/* ------------ what they leave ------------ */

static char plain_folder[PATH], comma_folder[PATH];
static int nfile, ndifferent;

static char *read_whole(const char *path, size_t *length)
{
    struct stat info;
    FILE *file = fopen(path, "rb");
    if (!file || fstat(fileno(file), &info) != 0)
        return NULL;
    char *text = calloc((size_t)info.st_size + 1, 1);
    assert_non_null(text);
    *length = fread(text, 1, (size_t)info.st_size, file);
    fclose(file);
    return text;
}

/* How long it took is another time another: such lines must have no decimal comma, and no more is asked of them. */
static bool tells_time(const char *line)
{
    return strstr(line, "ns/day") || strstr(line, " s left") || strstr(line, " s\n") ||
           strstr(line, " s, ") || strstr(line, "ms a step") || strstr(line, "\"elapsed_s\"") ||
           strstr(line, "\"ns_per_day\"") || strstr(line, "\"ms_per_step\"");
}

static bool has_decimal_comma(const char *line, size_t length)
{
    for (size_t k = 1; k + 1 < length; ++k)
        if (line[k] == ',' && isdigit((unsigned char)line[k - 1]) &&
            isdigit((unsigned char)line[k + 1]))
            return true;
    return false;
}

static size_t line_length(const char *text)
{
    const size_t n = strcspn(text, "\n");
    return n + (text[n] == '\n');
}

/* The next line that does not tell a time, of which there are as many as the clock wants; *comma where one before it has a
 * decimal comma. */
static const char *past_times(const char *text, bool *comma)
{
    for (; *text; text += line_length(text)) {
        const size_t n = line_length(text);
        char line[4096];
        snprintf(line, sizeof line, "%.*s", (int)n, text);
        if (!tells_time(line))
            break;
        *comma = *comma || has_decimal_comma(text, n);
    }
    return text;
}

/* Line by line, for what is printed. */
static bool same_lines(const char *one, const char *other)
{
    for (bool comma = false;;) {
        one = past_times(one, &comma);
        other = past_times(other, &comma);
        const size_t n = line_length(one), m = line_length(other);
        if (comma || !*one || !*other)
            return !comma && *one == *other;
        if (n != m || memcmp(one, other, n) != 0) {
            print_error("%.*sis with a decimal comma\n%.*s", (int)n, one, (int)m, other);
            return false;
        }
        one += n;
        other += m;
    }
}

static bool ends_with(const char *path, const char *ending)
{
    size_t n = strlen(path), m = strlen(ending);
    return n >= m && strcmp(path + n - m, ending) == 0;
}

static int compare_file(const char *path, const struct stat *info, int kind, struct FTW *walk)
{
    (void)info;
    (void)walk;
    if (kind != FTW_F)
        return 0;
    char twin[2 * PATH];
    size_t length = 0, other_length = 0;
    snprintf(twin, sizeof twin, "%s%s", comma_folder, path + strlen(plain_folder));
    char *text = read_whole(path, &length), *other = read_whole(twin, &other_length);
    bool printed =
        ends_with(path, ".out") || ends_with(path, ".err") || ends_with(path, "/result.json");
    bool same = text && other &&
                (printed ? same_lines(text, other)
                         : length == other_length && memcmp(text, other, length) == 0);
    if (!same)
        print_error("%s: another file with a decimal comma\n", path + strlen(plain_folder));
    ++nfile;
    ndifferent += !same;
    free(text);
    free(other);
    return 0;
}

static void expect_exit(const char *folder, const char *name, int got, int expected)
{
    char path[2 * PATH];
    size_t length;
    if (got == expected)
        return;
    snprintf(path, sizeof path, "%s/%s.err", folder, name);
    char *said = read_whole(path, &length);
    print_error("%s: exit status %d\n%s\n", path, got, said ? said : "");
    free(said);
    ++ndifferent;
}

static void a_decimal_comma_changes_nothing(void **unused)
{
    (void)unused;
    int plain[NJOB], comma[NJOB];
    snprintf(plain_folder, sizeof plain_folder, "%s/plain", support_scratch());
    snprintf(comma_folder, sizeof comma_folder, "%s/comma", support_scratch());
    run_all("plain", false, plain);
    run_all("comma", true, comma);
    for (int k = 0; k < NJOB; ++k) {
        int expected = strcmp(jobs[k].name, "refused") == 0;
        expect_exit(plain_folder, jobs[k].name, plain[k], expected);
        expect_exit(comma_folder, jobs[k].name, comma[k], expected);
    }
    nftw(plain_folder, compare_file, 16, FTW_PHYS);
    print_message("%d files, %d of them others with a decimal comma\n", nfile, ndifferent);
    assert_in_range(nfile, 3 * NJOB, 1000);
    assert_int_equal(ndifferent, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with(a_decimal_comma_changes_nothing, support_localedef),
    };
    return support_run(tests, NULL, NULL);
}
