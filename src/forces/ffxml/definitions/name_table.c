#include "forces/ffxml/definitions/name_table.h"

#include "base/memory.h"

#include <stdint.h>
#include <string.h>

/* FNV-1a, 64 bits. */
static uint64_t hash_of(const char *name)
{
    uint64_t h = 0xcbf29ce484222325u;
    for (; *name; ++name)
        h = (h ^ (unsigned char)*name) * 0x100000001b3u;
    return h;
}

/* The slot that holds name, or the free one where it would go; the table is never full. */
static int slot_of(const cardo_name_table *table, const char *name)
{
    int mask = table->capacity - 1;
    int slot = (int)(hash_of(name) & (uint64_t)mask);
    while (table->name[slot] && strcmp(table->name[slot], name) != 0)
        slot = (slot + 1) & mask;
    return slot;
}

int cardo_name_table_find(const cardo_name_table *table, const char *name)
{
    if (table->capacity == 0)
        return -1;
    int slot = slot_of(table, name);
    return table->name[slot] ? table->value[slot] : -1;
}

static cardo_status grow(cardo_name_table *table, cardo_error *error)
{
    cardo_name_table larger = {.capacity = table->capacity ? 2 * table->capacity : 64};
    cardo_status status = CARDO_OK;
    CARDO_TRY(CARDO_ALLOCATE(&larger.name, larger.capacity, error));
    CARDO_TRY(CARDO_ALLOCATE(&larger.value, larger.capacity, error));
    for (int i = 0; i < table->capacity; ++i)
        if (table->name[i]) {
            int slot = slot_of(&larger, table->name[i]);
            larger.name[slot] = table->name[i];
            larger.value[slot] = table->value[i];
        }
    larger.count = table->count;
    cardo_name_table_clear(table);
    *table = larger;
    larger = (cardo_name_table){0};
done:
    cardo_name_table_clear(&larger);
    return status;
}

cardo_status cardo_name_table_set(cardo_name_table *table, const char *name, int value,
                                  cardo_error *error)
{
    if (2 * table->count >= table->capacity) {
        cardo_status status = grow(table, error);
        if (status != CARDO_OK)
            return status;
    }
    int slot = slot_of(table, name);
    if (!table->name[slot])
        ++table->count;
    table->name[slot] = name;
    table->value[slot] = value;
    return CARDO_OK;
}

void cardo_name_table_clear(cardo_name_table *table)
{
    cardo_free(table->name);
    cardo_free(table->value);
    *table = (cardo_name_table){0};
}
