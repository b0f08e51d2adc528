/// Stores and reads rows in C, directly with the SQLite library: the reference for the store.
#ifndef CSTORELOOP_H
#define CSTORELOOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// UTF-8 that lives as long as its record. NULL bytes are SQL's NULL.
typedef struct {
  const char *bytes;
  int length;
} store_text;

/// A row of the benchmark's table. The key is `key`, or `number` if `key` has no bytes.
typedef struct {
  int64_t number;
  store_text key;
  store_text login, name, email, summary, kind, created, company;
  int64_t followers;
  double score;
  bool is_admin;
} store_record;

typedef struct store_loop store_loop;

/// Opens or creates the file, in WAL mode with `synchronous=NORMAL` and a page cache of `cache_size` KiB, or SQLite's
/// default of 2 MB if that is 0. Returns NULL on failure.
store_loop *store_loop_open(const char *path, int cache_size);

void store_loop_close(store_loop *loop);

/// The library's message for the last failure.
const char *store_loop_message(const store_loop *loop);

/// The handling of rows that exist.
enum { store_loop_updates_all, store_loop_updates_changed };

/// Creates the table if needed and stores the records in one transaction, each with a prepared upsert. Returns false
/// on failure.
bool store_loop_save(store_loop *loop, bool has_text_key, int updates, const store_record *records, size_t count);

/// Reads all columns of all rows in the order of the key, and discards them. Returns the number of bytes of text, or -1
/// on failure.
int64_t store_loop_read(store_loop *loop);

/// Reads the rows with the keys of the records, in this order, and discards them: each in a transaction, or all in one. The
/// statements are prepared once for a `store_loop`. Returns false on failure, and if a row is missing.
bool store_loop_get(store_loop *loop, const store_record *records, size_t count, bool has_transactions);

/// Reads all columns of the rows with fewer followers, in the order of the key, and discards them. Returns the number of
/// bytes of text, or -1 on failure.
int64_t store_loop_query(store_loop *loop, int64_t followers);

/// Writes a summary of all rows as text, for comparing two tables. Returns false on failure.
bool store_loop_summarize(store_loop *loop, char *text, size_t size);

#endif
