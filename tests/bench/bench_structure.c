/* Time and memory of reading 100,000 atoms from PDB and mmCIF. Targets: 0.1 s, 0.2 s, 200 bytes an
 * atom. */
#include "structure/atoms/allocate.h"
#include "structure/mmcif/mmcif.h"
#include "structure/pdb/pdb.h"
#include "structure/records/format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

enum { ATOMS = 100000, ATOMS_A_RESIDUE = 8, RESIDUES_A_CHAIN = 1000, REPEATS = 7 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static cardo_structure *make_structure(void)
{
    static const char *const names[ATOMS_A_RESIDUE] = {"N",  "CA", "C",   "O",
                                                       "CB", "CG", "CD1", "CD2"};
    int nresidue = ATOMS / ATOMS_A_RESIDUE, nchain = (nresidue - 1) / RESIDUES_A_CHAIN + 1;
    cardo_structure *s;
    if (cardo_structure_allocate("bench", ATOMS, nresidue, nchain, 0, &s, NULL) != CARDO_OK)
        exit(1);
    for (int i = 0; i < ATOMS; ++i) {
        const char *name = names[i % ATOMS_A_RESIDUE];
        char symbol[2] = {name[0], '\0'};
        strcpy(s->atom_name[i].text, name);
        s->element[i] = (unsigned char)cardo_element_number(symbol);
        s->atom_residue[i] = i / ATOMS_A_RESIDUE;
        s->occupancy[i] = 1;
        s->b_factor[i] = (float)(i % 100);
        for (int k = 0; k < 3; ++k)
            s->position[3 * i + k] = 1e-4 * ((i * (k + 7919)) % 200000 - 50000);
    }
    for (int r = 0; r < nresidue; ++r) {
        strcpy(s->residue_name[r].text, "LEU");
        s->residue_number[r] = r % RESIDUES_A_CHAIN + 1;
        s->residue_chain[r] = r / RESIDUES_A_CHAIN;
        s->residue_first[r] = r * ATOMS_A_RESIDUE;
    }
    for (int c = 0; c < nchain; ++c) {
        s->chain_id[c].text[0] = (char)('A' + c);
        s->chain_first[c] = c * RESIDUES_A_CHAIN;
    }
    s->residue_first[nresidue] = ATOMS;
    s->chain_first[nchain] = nresidue;
    return s;
}

/* Largest resident memory, in bytes, of a process that reads path and does nothing else. */
static double peak_memory(const char *path)
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        cardo_structure *s = NULL;
        _exit(path && cardo_structure_read(path, 0, &s, NULL) != CARDO_OK);
    }
    struct rusage usage;
    int status;
    wait4(child, &status, 0, &usage);
    return 1024.0 * (double)usage.ru_maxrss;
}

static double best_time(const char *path)
{
    double best = 1e9;
    for (int i = 0; i < REPEATS; ++i) {
        cardo_structure *s;
        cardo_error error;
        double start = now();
        if (cardo_structure_read(path, 0, &s, &error) != CARDO_OK) {
            fprintf(stderr, "%s\n", error.message);
            exit(1);
        }
        double seconds = now() - start;
        best = seconds < best ? seconds : best;
        cardo_structure_destroy(s);
    }
    return best;
}

/* A compressed copy beside a file. */
static void compress_file(const char *path, const char *packed)
{
    static char bytes[1 << 16];
    FILE *from = fopen(path, "rb");
    gzFile to = gzopen(packed, "wb");
    if (!from || !to)
        exit(1);
    for (size_t n; (n = fread(bytes, 1, sizeof bytes, from)) > 0;)
        gzwrite(to, bytes, (unsigned)n);
    fclose(from);
    gzclose(to);
}

int main(void)
{
    char folder[] = P_tmpdir "/cardo-bench-XXXXXX", pdb[64], cif[64], pdb_gz[80], cif_gz[80];
    if (!mkdtemp(folder))
        return 1;
    snprintf(pdb, sizeof pdb, "%s/s.pdb", folder);
    snprintf(cif, sizeof cif, "%s/s.cif", folder);
    snprintf(pdb_gz, sizeof pdb_gz, "%s.gz", pdb);
    snprintf(cif_gz, sizeof cif_gz, "%s.gz", cif);
    /* In a process of its own, so that this one stays small for the measurement of memory. */
    pid_t child = fork();
    if (child == 0) {
        cardo_structure *s = make_structure();
        _exit(cardo_structure_write(pdb, s, NULL, NULL) != CARDO_OK ||
              cardo_structure_write(cif, s, NULL, NULL) != CARDO_OK);
    }
    int status;
    waitpid(child, &status, 0);
    compress_file(pdb, pdb_gz);
    compress_file(cif, cif_gz);
    printf("reading %d atoms\n", ATOMS);
    /* Memory first: heap that this process has used before would hide what the child takes. */
    enum { FILES = 4 };
    const char *paths[FILES] = {pdb, cif, pdb_gz, cif_gz};
    static const char *const labels[FILES] = {"PDB", "mmCIF", "PDB.gz", "mmCIF.gz"};
    double bytes[FILES], idle = peak_memory(NULL);
    for (int k = 0; k < FILES; ++k)
        bytes[k] = (peak_memory(paths[k]) - idle) / ATOMS;
    for (int k = 0; k < FILES; ++k)
        printf("%-8s %8.1f ms %8.0f bytes an atom at the peak\n", labels[k],
               1e3 * best_time(paths[k]), bytes[k]);
    for (int k = 0; k < FILES; ++k)
        unlink(paths[k]);
    rmdir(folder);
    return status != 0;
}
