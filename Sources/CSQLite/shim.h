/// The system's SQLite, and functions in place of what Swift does not import: casts in macros, variadic functions.
#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H

#include <sqlite3.h>
#include <sys/statvfs.h>

/// RETURNING is of 3.35, upsert of 3.24. The library that is loaded may be older than this header: AnvilSQLite asks it, too.
#define ANVIL_SQLITE_MINIMUM_VERSION 3035000

#if SQLITE_VERSION_NUMBER < ANVIL_SQLITE_MINIMUM_VERSION
#error "SQLite 3.35 or newer is needed"
#endif

// `is_kept`: the bytes stay until the statement's values are cleared. Otherwise SQLite makes a copy of them.

/// Binds `length` bytes of UTF-8. Text of no bytes is not NULL, whatever `bytes` is.
static inline int anvil_sqlite_bind_text(
    sqlite3_stmt *statement, int position, const void *bytes, sqlite3_uint64 length, _Bool is_kept) {
  return sqlite3_bind_text64(
      statement, position, bytes ? (const char *)bytes : "", length, is_kept ? SQLITE_STATIC : SQLITE_TRANSIENT, SQLITE_UTF8);
}

/// Binds `length` bytes. A blob of no bytes is not NULL, whatever `bytes` is.
static inline int anvil_sqlite_bind_blob(
    sqlite3_stmt *statement, int position, const void *bytes, sqlite3_uint64 length, _Bool is_kept) {
  return sqlite3_bind_blob64(statement, position, bytes ? bytes : "", length, is_kept ? SQLITE_STATIC : SQLITE_TRANSIENT);
}

/// Sets the result of a function to a copy of `length` bytes.
static inline void anvil_sqlite_return_blob(sqlite3_context *context, const void *bytes, sqlite3_uint64 length) {
  sqlite3_result_blob64(context, bytes ? bytes : "", length, SQLITE_TRANSIENT);
}

/// Sets the result of a function to a copy of the text, which ends with a NUL.
static inline void anvil_sqlite_return_text(sqlite3_context *context, const char *text) {
  sqlite3_result_text(context, text, -1, SQLITE_TRANSIENT);
}

/// Whether the file is on a file system that nothing can write to.
static inline _Bool anvil_is_on_read_only_medium(const char *path) {
  struct statvfs status;
  return statvfs(path, &status) == 0 && (status.f_flag & ST_RDONLY) != 0;
}

/// Switches an option that has an `int` for on and off.
static inline int anvil_sqlite_set_option(sqlite3 *connection, int option, int is_on) {
  return sqlite3_db_config(connection, option, is_on, (int *)0);
}

#endif
