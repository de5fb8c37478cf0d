/* CIF tokens, the mmCIF reader and writer. */
#include "support/support.h"

#include "structure/compare.h"
#include "structure/mmcif/cif.h"
#include "structure/mmcif/mmcif.h"
#include "structure/pdb/pdb.h"
#include "structure/records/format.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cardo_error error;

static void splits_into_tokens(void **state)
{
    (void)state;
    static const char text[] = "\xef\xbb\xbf# comment\r\n"
                               "data_X1 _Tag.a 'a dog's life' # tail\n"
                               "_b \"x'y\"\tLOOP_ save_ stop_\n"
                               ";first\r\nsecond\r\n;\n"
                               "a;b ;c #d\n"
                               "e#f . '.' ''";
    static const struct {
        cardo_cif_kind kind;
        const char *text;
        int line;
    } tokens[] = {
        {CARDO_CIF_DATA, "X1", 2},
        {CARDO_CIF_TAG, "_Tag.a", 2},
        {CARDO_CIF_VALUE, "a dog's life", 2},
        {CARDO_CIF_TAG, "_b", 3},
        {CARDO_CIF_VALUE, "x'y", 3},
        {CARDO_CIF_LOOP, "LOOP_", 3},
        {CARDO_CIF_FRAME, "save_", 3},
        {CARDO_CIF_FRAME, "stop_", 3},
        {CARDO_CIF_VALUE, "first\r\nsecond", 4},
        {CARDO_CIF_VALUE, "a;b", 7},
        {CARDO_CIF_VALUE, ";c", 7},
        {CARDO_CIF_VALUE, "e#f", 8},
        {CARDO_CIF_VALUE, ".", 8},
        {CARDO_CIF_VALUE, ".", 8},
        {CARDO_CIF_VALUE, "", 8},
        {CARDO_CIF_END, "", 8},
        {CARDO_CIF_END, "", 8},
    };
    cardo_cif_lexer lexer = cardo_cif_begin(text, sizeof text - 1);
    for (size_t i = 0; i < sizeof tokens / sizeof tokens[0]; ++i) {
        cardo_cif_token token = cardo_cif_next(&lexer);
        assert_int_equal(token.kind, tokens[i].kind);
        assert_int_equal(token.length, strlen(tokens[i].text));
        assert_memory_equal(token.text, tokens[i].text, token.length);
        assert_int_equal(token.line, tokens[i].line);
        assert_int_equal(cardo_cif_is_null(&token), i == 12);
    }
}

static cardo_status parse(const char *text, int model, cardo_structure **out)
{
    return cardo_structure_read(support_write("made.cif", text), model, out, &error);
}

static cardo_structure *parsed(const char *text)
{
    cardo_structure *s;
    assert_ok(parse(text, 0, &s), &error);
    return s;
}

#define HEADER                                                                                     \
    "data_test\nloop_\n_atom_site.group_PDB\n_atom_site.id\n_atom_site.type_symbol\n"              \
    "_atom_site.label_atom_id\n_atom_site.label_alt_id\n_atom_site.label_comp_id\n"                \
    "_atom_site.label_asym_id\n_atom_site.label_seq_id\n_atom_site.pdbx_PDB_ins_code\n"            \
    "_atom_site.Cartn_x\n_atom_site.Cartn_y\n_atom_site.Cartn_z\n_atom_site.auth_asym_id\n"        \
    "_atom_site.auth_seq_id\n_atom_site.occupancy\n_atom_site.pdbx_PDB_model_num\n"

static void reads_author_numbering(void **state)
{
    (void)state;
    cardo_structure *s = parsed(HEADER "ATOM 7 C CA . ALA A 1 ? 10.0 20.0(5) -30.0 H 52 0.5 1\n"
                                       "ATOM 8 C CA A ALA A 2 B 1e1 2.0E1 -30 H 52 0.4 1\n"
                                       "ATOM 9 C CA B ALA A 2 B 11.0 20.0 -30.0 H 52 0.6 1\n"
                                       "HETATM 10 CA CA . CA B . ? 1 2 3 H 301 ? 1\n"
                                       "HETATM 11 O O . HOH C . ? 1 2 3 H 401 . 1\n"
                                       "HETATM 12 O \"O5'\" . HOH C . ? 1 2 3 . 402 . 1\n");
    assert_int_equal(s->natom, 5);
    assert_int_equal(s->nrecord, 6);
    assert_int_equal(s->naltloc, 2);
    /* The polymer ends; the ion and the water of author chain H go on together; the last falls back
     * to its label. */
    assert_int_equal(s->nchain, 3);
    assert_string_equal(s->chain_id[0].text, "H");
    assert_string_equal(s->chain_id[2].text, "C");
    assert_int_equal(s->residue_number[0], 52);
    assert_int_equal(s->insertion[1], 'B');
    assert_close(s->position[3], 1.1, 1e-15);
    assert_close(s->position[1], 2.0, 1e-15);
    assert_int_equal(s->element[2], 20);
    assert_true(s->hetero[2]);
    assert_false(s->hetero[0]);
    assert_int_equal(s->serial[0], 7);
    assert_int_equal(s->atom_line[0], 19);
    assert_close((double)s->occupancy[3], 1, 0);
    assert_string_equal(s->atom_name[4].text, "O5'");
    cardo_structure_destroy(s);
}

static void refuses_columns_that_stand_there_twice(void **state)
{
    (void)state;
    static const char start[] =
        "data_x\nloop_\n_atom_site.id\n_atom_site.auth_atom_id\n"
        "_atom_site.auth_comp_id\n_atom_site.auth_seq_id\n_atom_site.Cartn_x\n"
        "_atom_site.Cartn_y\n_atom_site.Cartn_z\n";
    static const struct {
        const char *tags, *message;
    } cases[] = {
        {"_atom_site.Cartn_x\n1 CA ALA 1 0 0 0 9\n", "made.cif:10: this loop has a column twice"},
        {"_ATOM_SITE.CARTN_Z\n1 CA ALA 1 0 0 0 9\n", "found '_ATOM_SITE.CARTN_Z'"},
        {"_atom_site.pdbx_formal_charge\n_atom_site.pdbx_formal_charge\n1 CA ALA 1 0 0 0 9 9\n",
         "made.cif:11: this loop has a column twice"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char text[600];
        cardo_structure *s = NULL;
        snprintf(text, sizeof text, "%s%s", start, cases[i].tags);
        assert_fails(parse(text, 0, &s), &error, CARDO_ERROR_INPUT, cases[i].message);
        assert_null(s);
    }
    cardo_structure *s = NULL;
    assert_fails(parse("data_x\n_atom_site.auth_seq_id 1\n_atom_site.auth_seq_id 2\n", 0, &s),
                 &error, CARDO_ERROR_INPUT, "made.cif:3: this item is there twice");
    /* Columns of what is not read may be what they like. */
    cardo_structure_destroy(parsed("data_x loop_ _other.a _other.a 1 2\n" HEADER
                                   "ATOM 7 C CA . ALA A 1 ? 10.0 20.0 -30.0 H 52 0.5 1\n"));
}

static void reads_items_outside_of_loops(void **state)
{
    (void)state;
    cardo_structure *s = parsed("data_one\n_cell.length_a 50.0\n_cell.length_b 60.0\n"
                                "_cell.length_c 70.0(1)\n_cell.angle_alpha 90\n"
                                "_cell.angle_beta 91\n_cell.angle_gamma 92\n"
                                "_atom_site.label_atom_id CA\n_ATOM_SITE.CARTN_X 1.0\n"
                                "_atom_site.Cartn_y\n;2.0\n;\n_atom_site.Cartn_z 3.0\n"
                                "_atom_site.label_seq_id 4\n_atom_site.label_comp_id GLY\n");
    assert_int_equal(s->natom, 1);
    assert_true(s->has_cell);
    assert_close(s->cell[2], 7.0, 1e-15);
    assert_close(s->cell[5], 92, 0);
    assert_close(s->position[1], 0.2, 1e-15);
    assert_int_equal(s->element[0], 6);
    assert_false(s->hetero[0]);
    cardo_structure_destroy(s);
}

static void guesses_elements(void **state)
{
    (void)state;
    cardo_structure *s = parsed(HEADER "HETATM 1 ? CA . CA A . ? 1 2 3 A 1 1 1\n"
                                       "HETATM 2 ? CA . LIG A . ? 1 2 3 A 2 1 1\n"
                                       "HETATM 3 ? ZN1 . ZN A . ? 1 2 3 A 3 1 1\n"
                                       "ATOM 4 ? HG . SER A . ? 1 2 3 A 4 1 1\n");
    static const int elements[] = {20, 6, 30, 1};
    for (int i = 0; i < 4; ++i)
        assert_int_equal(s->element[i], elements[i]);
    cardo_structure_destroy(s);
}

static void stops_behind_the_first_block(void **state)
{
    (void)state;
    cardo_structure *s = parsed(
        "data_empty\n_cell.length_a 10 _cell.length_b 10 _cell.length_c 10\n"
        "_cell.angle_alpha 90 _cell.angle_beta 90 _cell.angle_gamma 90\n" HEADER
        "ATOM 1 C CA . ALA A 1 ? 1 0 0 A 1 1 1\n" HEADER "ATOM 1 C CA . ALA A 1 ? 1 0 0 A 9 1 1\n");
    assert_int_equal(s->natom, 1);
    assert_int_equal(s->residue_number[0], 1);
    /* The cell of a block without atoms is not this one's. */
    assert_false(s->has_cell);
    cardo_structure_destroy(s);
}

static void reads_disulfides(void **state)
{
    (void)state;
    static const char conn[] =
        "loop_\n_struct_conn.conn_type_id\n_struct_conn.ptnr1_auth_asym_id\n"
        "_struct_conn.ptnr1_auth_seq_id\n_struct_conn.ptnr1_symmetry\n"
        "_struct_conn.ptnr2_auth_asym_id\n_struct_conn.ptnr2_auth_seq_id\n"
        "_struct_conn.ptnr2_symmetry\n"
        "disulf H 1 1_555 H 2 1_555\ncovale H 1 1_555 H 2 1_555\ndisulf H 1 1_555 H 2 2_555\n"
        "disulf H 1 1_555 H 9 1_555\n";
    char text[4096];
    snprintf(text, sizeof text, "%s%s%s", HEADER,
             "ATOM 1 S SG . CYS A 1 ? 1 2 3 H 1 1 1\nATOM 2 S SG . CYS A 2 ? 1 2 5 H 2 1 1\n",
             conn);
    cardo_structure *s = parsed(text);
    assert_int_equal(s->nbridge, 1);
    assert_int_equal(s->bridge[0].residue[0], 0);
    assert_int_equal(s->bridge[0].residue[1], 1);
    cardo_structure_destroy(s);
}

static void reads_models(void **state)
{
    (void)state;
    static const char text[] = HEADER "ATOM 1 C CA . ALA A 1 ? 1 0 0 A 1 1 3\n"
                                      "ATOM 2 C CA . ALA A 1 ? 2 0 0 A 1 1 5\n";
    cardo_structure *s = parsed(text);
    assert_int_equal(s->model, 3);
    assert_int_equal(s->nmodel, 2);
    assert_close(s->position[0], 0.1, 1e-15);
    cardo_structure_destroy(s);
    assert_ok(parse(text, 5, &s), &error);
    assert_close(s->position[0], 0.2, 1e-15);
    cardo_structure_destroy(s);
    assert_fails(parse(text, 4, &s), &error, CARDO_ERROR_INPUT, "models with atoms: 3, 5");
    assert_fails(parse(HEADER "ATOM 1 C CA . ALA A 1 ? 1 0 0 A 1 1 1\n"
                              "ATOM 2 C CA . ALA A 1 ? 2 0 0 A 1 1 2\n"
                              "ATOM 3 C CB . ALA A 1 ? 2 0 0 A 1 1 1\n",
                       0, &s),
                 &error, CARDO_ERROR_INPUT, "model 1 do not stand together");
}

static void names_the_bad_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {HEADER "ATOM 1 C CA . ALA A 1 ? ? 0 0 A 1 1 1\n", ":19: a coordinate must be a number"},
        {HEADER "ATOM 1 C CA . ALA A 1 ? nan 0 0 A 1 1 1\n", ":19: a coordinate"},
        {HEADER "ATOM 1 C CA . ALA A 1 ? 1e999 0 0 A 1 1 1\n", ":19: a coordinate"},
        {HEADER "ATOM 1 C CA . ALA A 1 ? 1(2 0 0 A 1 1 1\n", ":19: a coordinate"},
        {HEADER "ATOM 1 C CA . ALA A . ? 1 0 0 A ? 1 1\n", "neither an auth_seq_id"},
        {HEADER "ATOM 1 C CA . ALA A . ? 1 0 0 A 1.5 1 1\n", "must be an integer"},
        {HEADER "ATOM 1 C CA AB ALA A . ? 1 0 0 A 1 1 1\n", "alternate label"},
        {HEADER "ATOM 1 C CA . ALA A . XY 1 0 0 A 1 1 1\n", "insertion code"},
        {HEADER "ATOM 1 C CA . ALA A . ? 1 0 0 A123456789012345 1 1 1\n", "chain name"},
        {HEADER "ATOM 1 C ? . ALA A . ? 1 0 0 A 1 1 1\n", "no name"},
        {HEADER "ATOM 1 C CA . ALA A 1 ? 1 0 0 A 1 many 1\n", "occupancy"},
        {HEADER "ATOM 1 C CA . ALA A 1 ? 1 0 0 A 1 1 one\n", "model number"},
        {HEADER "ATOM 1 C CA . ALA A 1 ? 1 0 0\n",
         ":19: the last row of the loop that begins in line 2"},
        {HEADER "ATOM 1 C 'CA . ALA A 1 ? 1 0 0\n", ":19: a quoted value"},
        {HEADER "ATOM\n;1 C CA\n", ":20: a text field"},
        {"data_x\nloop_\n", ":2: this loop_ has no tags"},
        {"data_x\nvalue\n", ":2: this value belongs to no item"},
        {"data_x\n_tag\n_other 1\n", ":2: this item has no value"},
        {"data_x\n_cell.length_a 1\n", "no atoms"},
        {"data_x\nloop_\n_atom_site.label_atom_id\n_atom_site.fract_x\nC1 0.1\n",
         "no item Cartn_x"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        cardo_structure *s;
        assert_fails(parse(cases[i].text, 0, &s), &error, CARDO_ERROR_INPUT, cases[i].message);
        assert_non_null(strstr(error.message, "made.cif:"));
        assert_null(s);
    }
}

static void writes_what_it_reads(void **state)
{
    (void)state;
    cardo_structure *s = parsed(
        HEADER "ATOM 1 C CA . ALA A 1 ? 10.0 20.0 -30.0 Long-Chain_12 -3 0.5 1\n"
               "ATOM 2 H \"H5'\" . \"A'B\" A 2 B 1.23456789 20.0 -30.0 Long-Chain_12 52 1 1\n"
               "HETATM 3 CA CA . CA B . ? 12345.678 2 3 Long-Chain_12 301 1 1\n"
               "HETATM 4 O O . HOH C . ? 1 2 3 '' 401 1 1\n"
               "HETATM 5 O '?' . '_x' C . ? 1 2 3 '' 402 1 1\n"
               "HETATM 6 O O . 'data_' D 1 ? 1 2 3 'b c' 123456 1 1\n"
               "_cell.length_a 50.0 _cell.length_b 60.0 _cell.length_c 70.0\n"
               "_cell.angle_alpha 90 _cell.angle_beta 91 _cell.angle_gamma 92\n"
               "_struct_conn.conn_type_id disulf _struct_conn.ptnr1_auth_asym_id Long-Chain_12\n"
               "_struct_conn.ptnr1_auth_seq_id -3 _struct_conn.ptnr2_auth_asym_id ''\n"
               "_struct_conn.ptnr2_auth_seq_id 402\n");
    assert_int_equal(s->nbridge, 1);
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    assert_ok(cardo_mmcif_write(stream, s, NULL, &error), &error);
    fclose(stream);
    cardo_structure *back = parsed(text);
    const char *difference = structures_differ(s, back, 1e-9);
    if (difference)
        fail_msg("%s", difference);
    free(text);
    cardo_structure_destroy(back);
    s->position[4] = NAN;
    stream = fopen("/dev/full", "w");
    assert_fails(cardo_mmcif_write(stream, s, NULL, &error), &error, CARDO_ERROR_NUMERICAL,
                 "Long-Chain");
    s->position[4] = 0;
    setvbuf(stream, NULL, _IONBF, 0);
    assert_fails(cardo_mmcif_write(stream, s, NULL, &error), &error, CARDO_ERROR_FILE, NULL);
    fclose(stream);
    cardo_structure_destroy(s);
}

static void chooses_the_format_by_name(void **state)
{
    (void)state;
    cardo_structure *s = parsed(HEADER "ATOM 1 C CA . ALA A 1 ? 1 0 0 A 1 1 1\n"), *back;
    static const char *const names[] = {"out.cif", "out.PDB", "out"};
    for (size_t i = 0; i < 3; ++i) {
        char path[200], line[100];
        snprintf(path, sizeof path, "%s/%s", support_scratch(), names[i]);
        assert_ok(cardo_structure_write(path, s, NULL, &error), &error);
        assert_ok(cardo_structure_read(path, 0, &back, &error), &error);
        assert_null(structures_differ(s, back, 1e-12));
        cardo_structure_destroy(back);
        FILE *file = fopen(path, "r");
        assert_non_null(fgets(line, sizeof line, file));
        assert_int_equal(strncmp(line, "data_", 5) == 0, i == 0);
        fclose(file);
    }
    cardo_structure_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(splits_into_tokens),
        cmocka_unit_test(reads_author_numbering),
        cmocka_unit_test(refuses_columns_that_stand_there_twice),
        cmocka_unit_test(reads_items_outside_of_loops),
        cmocka_unit_test(reads_disulfides),
        cmocka_unit_test(reads_models),
        cmocka_unit_test(guesses_elements),
        cmocka_unit_test(stops_behind_the_first_block),
        cmocka_unit_test(names_the_bad_line),
        cmocka_unit_test(writes_what_it_reads),
        cmocka_unit_test(chooses_the_format_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
