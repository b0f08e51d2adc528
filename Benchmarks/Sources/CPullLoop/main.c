// The reference for a pull: libcurl, SQLite's prepared upserts, and a parser for exactly the rows of
// Peers/listing-server.py.
//
//   CPullLoop URL FILE
//
// Each page is stored in one transaction with the URL of the next one. Equal rows are not written. The database has
// the settings and columns of `anvil pull`. Prints the number of pages, rows and changes.
#include <curl/curl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct page {
  char *body;
  size_t length;
  size_t capacity;
  char next[512];
};

struct row {
  sqlite3_int64 id, age;
  double score;
  const char *name, *at;
  int name_length, at_length;
};

static _Noreturn void fail(const char *what, const char *why) {
  fprintf(stderr, "CPullLoop: %s: %s\n", what, why);
  exit(1);
}

static size_t take_body(char *bytes, size_t size, size_t count, void *context) {
  struct page *page = context;
  size_t length = size * count;
  if (page->length + length + 1 > page->capacity) {
    page->capacity = (page->length + length + 1) * 2;
    page->body = realloc(page->body, page->capacity);
    if (!page->body) fail("memory", "none is left");
  }
  memcpy(page->body + page->length, bytes, length);
  page->length += length;
  page->body[page->length] = 0;
  return length;
}

static size_t take_field(char *bytes, size_t size, size_t count, void *context) {
  struct page *page = context;
  size_t length = size * count;
  if (length > 7 && strncasecmp(bytes, "link: <", 7) == 0) {
    const char *end = memchr(bytes, '>', length);
    size_t url = end ? (size_t)(end - bytes) - 7 : 0;
    if (url >= sizeof page->next) fail("Link", "the URL is too long");
    memcpy(page->next, bytes + 7, url);
    page->next[url] = 0;
  }
  return length;
}

// Returns the text after `key`, with which `text` must start.
static char *skip(char *text, const char *key) {
  size_t length = strlen(key);
  if (strncmp(text, key, length) != 0) fail("JSON: expected", key);
  return text + length;
}

static char *read_text(char *text, const char **value, int *length) {
  char *end = strchr(text, '"');
  if (!end) fail("JSON", "a string has no end");
  *value = text;
  *length = (int)(end - text);
  return end + 1;
}

static char *read_row(char *text, struct row *row) {
  char *end;
  row->id = strtoll(skip(text, "{\"id\":"), &end, 10);
  end = read_text(skip(end, ",\"name\":\""), &row->name, &row->name_length);
  row->age = strtoll(skip(end, ",\"age\":"), &end, 10);
  row->score = strtod(skip(end, ",\"score\":"), &end);
  end = read_text(skip(end, ",\"at\":\""), &row->at, &row->at_length);
  return skip(end, "}");
}

static sqlite3 *database;

static void run(const char *sql) {
  if (sqlite3_exec(database, sql, NULL, NULL, NULL) != SQLITE_OK) fail(sql, sqlite3_errmsg(database));
}

static sqlite3_stmt *prepare(const char *sql) {
  sqlite3_stmt *statement;
  if (sqlite3_prepare_v3(database, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL) != SQLITE_OK)
    fail(sql, sqlite3_errmsg(database));
  return statement;
}

static void step(sqlite3_stmt *statement) {
  if (sqlite3_step(statement) != SQLITE_DONE) fail("SQLite", sqlite3_errmsg(database));
  sqlite3_reset(statement);
}

static void open_database(const char *path) {
  if (sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK)
    fail(path, sqlite3_errmsg(database));
  run("PRAGMA journal_mode=WAL");
  run("PRAGMA synchronous=NORMAL");
  run("PRAGMA cache_size=-16000");
  run("CREATE TABLE IF NOT EXISTS Row (id INTEGER NOT NULL, name TEXT, age INTEGER, score REAL, at TEXT, PRIMARY KEY (id))");
  run("CREATE TABLE IF NOT EXISTS position (pull TEXT PRIMARY KEY, next TEXT)");
}

int main(int count, char **arguments) {
  if (count != 3) fail("usage", "CPullLoop URL FILE");
  open_database(arguments[2]);
  sqlite3_stmt *upsert = prepare(
      "INSERT INTO Row (id, name, age, score, at) VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (id) DO UPDATE SET "
      "name = excluded.name, age = excluded.age, score = excluded.score, at = excluded.at WHERE name IS NOT excluded.name "
      "OR age IS NOT excluded.age OR score IS NOT excluded.score OR at IS NOT excluded.at");
  sqlite3_stmt *position = prepare(
      "INSERT INTO position VALUES ('rows', ?1) ON CONFLICT (pull) DO UPDATE SET next = excluded.next");
  struct page page = {0};
  char url[512];
  snprintf(url, sizeof url, "%s/rows", arguments[1]);
  CURL *curl = curl_easy_init();
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take_body);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &page);
  curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, take_field);
  curl_easy_setopt(curl, CURLOPT_HEADERDATA, &page);
  curl_easy_setopt(curl, CURLOPT_FAILONERROR, 1L);
  long pages = 0, rows = 0;
  while (url[0]) {
    page.length = 0;
    page.next[0] = 0;
    curl_easy_setopt(curl, CURLOPT_URL, url);
    CURLcode code = curl_easy_perform(curl);
    if (code != CURLE_OK) fail(url, curl_easy_strerror(code));
    run("BEGIN IMMEDIATE");
    for (char *text = skip(page.body, "["); *text != ']'; text += *text == ',') {
      struct row row;
      text = read_row(text, &row);
      sqlite3_bind_int64(upsert, 1, row.id);
      sqlite3_bind_text(upsert, 2, row.name, row.name_length, SQLITE_STATIC);
      sqlite3_bind_int64(upsert, 3, row.age);
      sqlite3_bind_double(upsert, 4, row.score);
      sqlite3_bind_text(upsert, 5, row.at, row.at_length, SQLITE_STATIC);
      step(upsert);
      rows++;
    }
    sqlite3_bind_text(position, 1, page.next, -1, SQLITE_STATIC);
    step(position);
    run("COMMIT");
    pages++;
    strcpy(url, page.next);
  }
  printf("%ld pages, %ld rows, %d changes\n", pages, rows, sqlite3_total_changes(database));
  sqlite3_finalize(upsert);
  sqlite3_finalize(position);
  sqlite3_close(database);
  curl_easy_cleanup(curl);
  return 0;
}
