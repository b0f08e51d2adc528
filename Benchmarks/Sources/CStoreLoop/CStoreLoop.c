#include "CStoreLoop.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

struct store_loop {
  sqlite3 *connection;
  // The statements of store_loop_get, prepared on its first call.
  sqlite3_stmt *begin, *get, *commit;
};

static bool run(store_loop *loop, const char *sql) {
  return sqlite3_exec(loop->connection, sql, NULL, NULL, NULL) == SQLITE_OK;
}

store_loop *store_loop_open(const char *path, int cache_size) {
  store_loop *loop = calloc(1, sizeof *loop);
  if (!loop) return NULL;
  int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  if (sqlite3_open_v2(path, &loop->connection, flags, NULL) == SQLITE_OK && run(loop, "PRAGMA journal_mode=WAL") &&
      run(loop, "PRAGMA synchronous=NORMAL")) {
    char sql[64];
    snprintf(sql, sizeof sql, "PRAGMA cache_size=-%d", cache_size);
    if (cache_size <= 0 || run(loop, sql)) return loop;
  }
  store_loop_close(loop);
  return NULL;
}

void store_loop_close(store_loop *loop) {
  sqlite3_finalize(loop->begin);
  sqlite3_finalize(loop->get);
  sqlite3_finalize(loop->commit);
  sqlite3_close_v2(loop->connection);
  free(loop);
}

const char *store_loop_message(const store_loop *loop) { return sqlite3_errmsg(loop->connection); }

// The columns that the store creates.
#define TABLE(KEY)                                                                                                  \
  "CREATE TABLE IF NOT EXISTS Record (id " KEY " NOT NULL, login TEXT, name TEXT, email TEXT, summary TEXT, kind TEXT, " \
  "followers INTEGER, score REAL, isAdmin BOOLEAN, created TEXT, company TEXT, PRIMARY KEY (id))"

#define UPSERT                                                                                                     \
  "INSERT INTO Record (id, login, name, email, summary, kind, followers, score, isAdmin, created, company) "       \
  "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11) ON CONFLICT (id) DO UPDATE SET login = excluded.login, "  \
  "name = excluded.name, email = excluded.email, summary = excluded.summary, kind = excluded.kind, "               \
  "followers = excluded.followers, score = excluded.score, isAdmin = excluded.isAdmin, "                           \
  "created = excluded.created, company = excluded.company"

#define WHERE_CHANGED                                                                                              \
  " WHERE login IS NOT excluded.login OR name IS NOT excluded.name OR email IS NOT excluded.email "                \
  "OR summary IS NOT excluded.summary OR kind IS NOT excluded.kind OR followers IS NOT excluded.followers "        \
  "OR score IS NOT excluded.score OR isAdmin IS NOT excluded.isAdmin OR created IS NOT excluded.created "          \
  "OR company IS NOT excluded.company"

static void bind_text(sqlite3_stmt *statement, int position, store_text text) {
  sqlite3_bind_text(statement, position, text.bytes, text.length, SQLITE_STATIC);
}

static bool put(sqlite3_stmt *statement, const store_record *record) {
  if (record->key.bytes)
    bind_text(statement, 1, record->key);
  else
    sqlite3_bind_int64(statement, 1, record->number);
  bind_text(statement, 2, record->login);
  bind_text(statement, 3, record->name);
  bind_text(statement, 4, record->email);
  bind_text(statement, 5, record->summary);
  bind_text(statement, 6, record->kind);
  sqlite3_bind_int64(statement, 7, record->followers);
  sqlite3_bind_double(statement, 8, record->score);
  sqlite3_bind_int(statement, 9, record->is_admin);
  bind_text(statement, 10, record->created);
  bind_text(statement, 11, record->company);
  bool is_done = sqlite3_step(statement) == SQLITE_DONE;
  return sqlite3_reset(statement) == SQLITE_OK && is_done;
}

bool store_loop_save(store_loop *loop, bool has_text_key, int updates, const store_record *records, size_t count) {
  if (!run(loop, "BEGIN IMMEDIATE")) return false;
  bool is_good = run(loop, has_text_key ? TABLE("TEXT") : TABLE("INTEGER"));
  sqlite3_stmt *statement = NULL;
  const char *sql = updates == store_loop_updates_all ? UPSERT : UPSERT WHERE_CHANGED;
  is_good = is_good && sqlite3_prepare_v2(loop->connection, sql, -1, &statement, NULL) == SQLITE_OK;
  for (size_t index = 0; is_good && index < count; index++) is_good = put(statement, &records[index]);
  sqlite3_finalize(statement);
  return run(loop, is_good ? "COMMIT" : "ROLLBACK") && is_good;
}

#define SELECT                                                                                                      \
  "SELECT id, login, name, email, summary, kind, followers, score, isAdmin, created, company FROM Record "

// Steps through the rows and reads their columns. Returns the number of bytes of text, or -1 on failure.
static int64_t read_rows(sqlite3_stmt *statement, int64_t *count) {
  int64_t bytes = 0, numbers = 0;
  double reals = 0;
  int result;
  *count = 0;
  while ((result = sqlite3_step(statement)) == SQLITE_ROW) {
    *count += 1;
    for (int column = 0; column < 11; column++) {
      switch (sqlite3_column_type(statement, column)) {
      case SQLITE_TEXT:
        // Reads the pointer to the text, as a program would.
        if (sqlite3_column_text(statement, column)) bytes += sqlite3_column_bytes(statement, column);
        break;
      case SQLITE_INTEGER: numbers += sqlite3_column_int64(statement, column) & 1; break;
      case SQLITE_FLOAT: reals += sqlite3_column_double(statement, column); break;
      default: break;
      }
    }
  }
  sqlite3_reset(statement);
  return result == SQLITE_DONE && numbers >= 0 && reals == reals ? bytes : -1;
}

int64_t store_loop_read(store_loop *loop) {
  sqlite3_stmt *statement = NULL;
  if (sqlite3_prepare_v2(loop->connection, SELECT "ORDER BY id", -1, &statement, NULL) != SQLITE_OK) return -1;
  int64_t count;
  int64_t bytes = read_rows(statement, &count);
  sqlite3_finalize(statement);
  return bytes;
}

int64_t store_loop_query(store_loop *loop, int64_t followers) {
  sqlite3_stmt *statement = NULL;
  const char *sql = SELECT "WHERE followers < ?1 ORDER BY id";
  if (sqlite3_prepare_v2(loop->connection, sql, -1, &statement, NULL) != SQLITE_OK) return -1;
  sqlite3_bind_int64(statement, 1, followers);
  int64_t count;
  int64_t bytes = read_rows(statement, &count);
  sqlite3_finalize(statement);
  return bytes;
}

static bool prepare(store_loop *loop, const char *sql, sqlite3_stmt **statement) {
  if (*statement) return true;
  return sqlite3_prepare_v3(loop->connection, sql, -1, SQLITE_PREPARE_PERSISTENT, statement, NULL) == SQLITE_OK;
}

static bool step(sqlite3_stmt *statement) {
  bool is_done = sqlite3_step(statement) == SQLITE_DONE;
  return sqlite3_reset(statement) == SQLITE_OK && is_done;
}

bool store_loop_get(store_loop *loop, const store_record *records, size_t count, bool has_transactions) {
  if (!prepare(loop, "BEGIN", &loop->begin) || !prepare(loop, "COMMIT", &loop->commit) ||
      !prepare(loop, SELECT "WHERE id = ?1", &loop->get))
    return false;
  bool is_good = has_transactions || step(loop->begin);
  for (size_t index = 0; is_good && index < count; index++) {
    is_good = !has_transactions || step(loop->begin);
    if (records[index].key.bytes)
      bind_text(loop->get, 1, records[index].key);
    else
      sqlite3_bind_int64(loop->get, 1, records[index].number);
    int64_t found;
    is_good = is_good && read_rows(loop->get, &found) >= 0 && found == 1;
    is_good = is_good && (!has_transactions || step(loop->commit));
  }
  return is_good && (has_transactions || step(loop->commit));
}

bool store_loop_summarize(store_loop *loop, char *text, size_t size) {
  sqlite3_stmt *statement = NULL;
  const char *sql =
      "SELECT printf('%d rows, %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %s %s %d', count(*), total(length(id)), "
      "total(length(login)), total(length(name)), total(length(email)), total(length(summary)), total(length(kind)), "
      "total(followers), total(score), total(isAdmin), substr(min(created), 1, 19), substr(max(created), 1, 19), "
      "count(company)) FROM Record";
  bool is_good = sqlite3_prepare_v2(loop->connection, sql, -1, &statement, NULL) == SQLITE_OK &&
                 sqlite3_step(statement) == SQLITE_ROW;
  if (is_good) snprintf(text, size, "%s", (const char *)sqlite3_column_text(statement, 0));
  sqlite3_finalize(statement);
  return is_good;
}
