/// PostgreSQL's client library, wherever its header is.
#ifndef CPOSTGRES_SHIM_H
#define CPOSTGRES_SHIM_H

#if __has_include(<libpq-fe.h>)
#include <libpq-fe.h>
#elif __has_include(<postgresql/libpq-fe.h>)
#include <postgresql/libpq-fe.h>
#elif __has_include(</opt/homebrew/opt/libpq/include/libpq-fe.h>)
#include </opt/homebrew/opt/libpq/include/libpq-fe.h>
#elif __has_include(</usr/local/opt/libpq/include/libpq-fe.h>)
#include </usr/local/opt/libpq/include/libpq-fe.h>
#else
#error "libpq-fe.h is not there: install libpq-dev (Debian, Ubuntu), libpq-devel (Fedora) or libpq (Homebrew)"
#endif

/// The oldest that is maintained. The library that is loaded may be older than this header: AnvilPostgres asks it, too.
#define ANVIL_POSTGRES_MINIMUM_LIBRARY_VERSION 140000

/// The oldest server with the shortest text of a real that gives the same real when read.
#define ANVIL_POSTGRES_MINIMUM_SERVER_VERSION 120000

// Headers do not tell their version; pipelines are of 14.
#ifndef LIBPQ_HAS_PIPELINING
#error "libpq 14 or newer is needed"
#endif

// The letters that name a field of an error, which are characters to C and no integers to Swift.

static inline const char *anvil_postgres_error_state(const PGresult *result) {
  return PQresultErrorField(result, PG_DIAG_SQLSTATE);
}

static inline const char *anvil_postgres_error_message(const PGresult *result) {
  return PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
}

/// The function of the server that found the error.
static inline const char *anvil_postgres_error_function(const PGresult *result) {
  return PQresultErrorField(result, PG_DIAG_SOURCE_FUNCTION);
}

static inline void anvil_postgres_drop_notice(void *context, const PGresult *notice) {
  (void)context;
  (void)notice;
}

/// Drops what the server tells beside results, which libpq prints to stderr otherwise.
static inline void anvil_postgres_drop_notices(PGconn *connection) {
  PQsetNoticeReceiver(connection, anvil_postgres_drop_notice, (void *)0);
}

#endif
