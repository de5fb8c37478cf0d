#include "structure/atoms/file_kinds.h"

#include "base/letters.h"

#include <stdio.h>
#include <string.h>

bool cardo_file_ends_with(const char *path, const char *ending)
{
    const char *hash = strrchr(path, '#');
    size_t n = hash ? (size_t)(hash - path) : strlen(path);
    const size_t m = strlen(ending);
    if (n > 3 && cardo_same_start(path + n - 3, ".gz", 3))
        n -= 3;
    return n > m && cardo_same_start(path + n - m, ending, m);
}

bool cardo_file_is_structure(const char *path)
{
    static const char *const endings[] = {".pdb", ".ent", ".cif", ".mmcif", ".pdbx"};
    for (size_t e = 0; e < sizeof endings / sizeof *endings; ++e)
        if (cardo_file_ends_with(path, endings[e]))
            return true;
    return false;
}

bool cardo_file_find_frames(const cardo_frame_reader *reader, const char *path, char *found,
                            size_t size)
{
    static const char *const inside[] = {"", "/trajectory.nc", "/trajectory.dcd"};
    for (size_t k = 0; reader && k < sizeof inside / sizeof *inside; ++k) {
        const int n = snprintf(found, size, "%s%s", path, inside[k]);
        if (n >= 0 && (size_t)n < size && reader->detect(found))
            return true;
    }
    return false;
}
