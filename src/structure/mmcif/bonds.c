/* The category of bonds: disulfides, covalent links, and metals with what holds them. */
#include "base/letters.h"
#include "structure/mmcif/reader.h"

enum {
    BOND_TYPE,
    /* Two partners, the same items in the same order. */
    AUTH_CHAIN,
    LABEL_CHAIN,
    AUTH_NUMBER,
    LABEL_NUMBER,
    CODE,
    SYMMETRY,
    ATOM,
    AUTH_NAME,
    LABEL_NAME,
    PARTNER_ITEMS = 9,
    BOND_ITEMS = 1 + 2 * PARTNER_ITEMS
};
static const char *const bond_items[] = {"conn_type_id",
                                         "ptnr1_auth_asym_id",
                                         "ptnr1_label_asym_id",
                                         "ptnr1_auth_seq_id",
                                         "ptnr1_label_seq_id",
                                         "pdbx_ptnr1_PDB_ins_code",
                                         "ptnr1_symmetry",
                                         "ptnr1_label_atom_id",
                                         "ptnr1_auth_comp_id",
                                         "ptnr1_label_comp_id",
                                         "ptnr2_auth_asym_id",
                                         "ptnr2_label_asym_id",
                                         "ptnr2_auth_seq_id",
                                         "ptnr2_label_seq_id",
                                         "pdbx_ptnr2_PDB_ins_code",
                                         "ptnr2_symmetry",
                                         "ptnr2_label_atom_id",
                                         "ptnr2_auth_comp_id",
                                         "ptnr2_label_comp_id",
                                         NULL};
_Static_assert((int)BOND_ITEMS <= (int)CARDO_MMCIF_MOST_ITEMS, "a row has room for a bond");

static bool is_kind(const cardo_cif_token *type, const char *kind)
{
    size_t length = strlen(kind);
    return type->length >= length && cardo_same_start(type->text, kind, length);
}

/* What cannot be read is left out. */
static cardo_status on_bond(cardo_mmcif_reader *reader, const cardo_mmcif_row *row)
{
    cardo_link_record link = {.atom = {{""}}};
    const cardo_cif_token *type = &row->item[BOND_TYPE];
    const cardo_cif_token *one = &row->item[SYMMETRY];
    const cardo_cif_token *other = &row->item[SYMMETRY + PARTNER_ITEMS];
    bool bridge = has(row, BOND_TYPE) && is_kind(type, "disulf");
    if (!bridge && !(has(row, BOND_TYPE) && (is_kind(type, "covale") || is_kind(type, "metalc"))))
        return CARDO_OK;
    /* One to a symmetry copy is no bond of this structure. */
    if (has(row, SYMMETRY) && has(row, SYMMETRY + PARTNER_ITEMS) &&
        (one->length != other->length || memcmp(one->text, other->text, one->length) != 0))
        return CARDO_OK;
    for (int k = 0; k < 2; ++k) {
        int first = k * PARTNER_ITEMS;
        cardo_residue_key *key = &link.end[k];
        const cardo_cif_token *number =
            either(reader, row, AUTH_NUMBER + first, LABEL_NUMBER + first);
        if (!read_name(either(reader, row, AUTH_CHAIN + first, LABEL_CHAIN + first), &key->chain) ||
            number->kind != CARDO_CIF_VALUE || !read_integer(number, &key->number) ||
            !read_insertion(row, CODE + first, number, AUTH_NUMBER + first, &key->insertion) ||
            !read_name(&row->item[ATOM + first], &link.atom[k]))
            return CARDO_OK;
        const cardo_cif_token *name = either(reader, row, AUTH_NAME + first, LABEL_NAME + first);
        if (!read_name(name, &key->name))
            key->name = (cardo_name){""};
    }
    if (!bridge)
        return cardo_records_add_link(reader->records, &link, reader->error);
    return cardo_records_add_bridge(
        reader->records, &(cardo_bridge_record){{link.end[0], link.end[1]}}, reader->error);
}

const cardo_mmcif_category cardo_mmcif_bonds = {"_struct_conn.", bond_items, on_bond};
