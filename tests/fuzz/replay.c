/* Replays a corpus without libFuzzer: every file of the folders named on the command line, then
 * mutations of each that are the same on every run (-m N: how many a file). */
#include "fuzz/fuzz.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t seed = 20260101;

/* splitmix64 */
static size_t random_below(size_t n)
{
    uint64_t z = seed += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (size_t)((z ^ (z >> 31)) % n);
}

/* A buffer of exactly this size, so that AddressSanitizer sees a step behind the end. */
static void run(const uint8_t *data, size_t size)
{
    uint8_t *copy = malloc(size ? size : 1);
    if (!copy)
        exit(1);
    memcpy(copy, data, size);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
}

/* Changes a byte, takes some out, doubles some, or cuts the end; room is the size of the buffer. */
static size_t mutate(uint8_t *data, size_t size, size_t room)
{
    static const char interesting[] = "0123456789-+.*#;'\"_ \n\r\t\0:@,AZaz\xff";
    if (size == 0)
        return 0;
    size_t at = random_below(size), length = 1 + random_below(size - at < 80 ? size - at : 80);
    switch (random_below(6)) {
    case 0:
        data[at] = (uint8_t)random_below(256);
        return size;
    case 1:
        data[at] = (uint8_t)interesting[random_below(sizeof interesting - 1)];
        return size;
    case 2:
        memset(data + at, data[at], length);
        return size;
    case 3:
        memmove(data + at, data + at + length, size - at - length);
        return size - length;
    case 4:
        if (size + length > room)
            return size;
        memmove(data + at + length, data + at, size - at);
        return size + length;
    default:
        return random_below(8) ? size : at;
    }
}

static void replay_file(const char *path, int mutations)
{
    FILE *file = fopen(path, "rb");
    enum { LARGEST = 1 << 20 };
    uint8_t *original = calloc(2, LARGEST), *changed = original + LARGEST;
    if (!file || !original) {
        fprintf(stderr, "%s: cannot be read\n", path);
        exit(1);
    }
    size_t size = fread(original, 1, LARGEST, file);
    fclose(file);
    run(original, size);
    for (int m = 0; m < mutations; ++m) {
        size_t now = size;
        memcpy(changed, original, size);
        for (size_t k = 1 + random_below(6); k > 0; --k)
            now = mutate(changed, now, LARGEST);
        run(changed, now);
    }
    free(original);
}

static int replay_folder(const char *folder, int mutations)
{
    struct dirent **entries;
    int n = scandir(folder, &entries, NULL, alphasort), files = 0;
    for (int i = 0; i < n; ++i) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        if (entries[i]->d_name[0] != '.') {
            replay_file(path, mutations);
            ++files;
        }
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
    printf("%s: %d files, %d mutations of each\n", folder, files, mutations);
    return files;
}

int main(int argc, char **argv)
{
    int mutations = 0, files = 0;
    for (int i = 1; i < argc; ++i) {
        if (strcmp(argv[i], "-m") == 0 && i + 1 < argc)
            mutations = atoi(argv[++i]);
        else
            files += replay_folder(argv[i], mutations);
    }
    if (files == 0)
        fprintf(stderr, "no corpus to replay\n");
    return files == 0;
}
