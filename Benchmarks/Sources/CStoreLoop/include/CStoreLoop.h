/// What storing and reading rows takes in C, straight over the SQLite library: the loop that the store is held against.
#ifndef CSTORELOOP_H
#define CSTORELOOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// UTF-8 that stays where it is for as long as its record; no bytes is NULL.
typedef struct {
  const char *bytes;
  int length;
} store_text;

/// A row of the benchmark's table. The key is `key`, or `number` where that has no bytes.
typedef struct {
  int64_t number;
  store_text key;
  store_text login, name, email, summary, kind, company;
  int64_t followers;
  double score, created;
  bool is_admin;
} store_record;

typedef struct store_loop store_loop;

/// Opens or makes the file, in WAL mode with `synchronous=NORMAL` and with pages of so many KiB in memory, SQLite's own 2 MB
/// where that is 0; NULL when that fails.
store_loop *store_loop_open(const char *path, int cache_size);

void store_loop_close(store_loop *loop);

/// What the library says of the last failure.
const char *store_loop_message(const store_loop *loop);

/// What happens to rows that are there.
enum { store_loop_updates_all, store_loop_updates_changed };

/// Makes the table where there is none and stores the records in one transaction, each by one prepared upsert; false when
/// something fails.
bool store_loop_save(store_loop *loop, bool has_text_key, int updates, const store_record *records, size_t count);

/// Reads all columns of all rows, in the order of the key, and keeps none of them: how many bytes of text there were; -1 when
/// something fails.
int64_t store_loop_read(store_loop *loop);

/// Writes what all rows together have, as text, so that two tables can be compared; false when something fails.
bool store_loop_summarize(store_loop *loop, char *text, size_t size);

#endif
