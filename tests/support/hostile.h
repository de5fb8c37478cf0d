/* Files made to exhaust: what reading one takes, measured in a process of its own. */
#ifndef CARDO_TESTS_SUPPORT_HOSTILE_H
#define CARDO_TESTS_SUPPORT_HOSTILE_H

/* Reads a file; false when what it did was wrong (an error that does not name the file). */
typedef bool support_reader(const char *path);

/* Reads the file in a process of its own, prints time and memory, and fails the test where reading
 * was wrong, crashed, took more than a minute or more than fifty times the size of the file and
 * 20 MB (memory is not judged under AddressSanitizer). name is printed. */
void support_check_hostile(const char *name, support_reader *read, const char *path);
/* The same with another number than fifty. */
void support_check_hostile_within(int times, const char *name, support_reader *read,
                                  const char *path);

/* Writes a file of about size bytes in the scratch folder, piece by piece, plain or compressed, and
 * returns its path (static buffer). A piece is written by print, which is told its number and returns
 * its length. */
typedef int support_piece(char *text, size_t size, int k);
const char *support_write_pieces(const char *name, support_piece *print, int size, bool compressed);

#endif
