/// libcurl, and the system's way of waiting for many sockets, as functions that Swift can call.
#ifndef CCURL_SHIM_H
#define CCURL_SHIM_H

// The macros that check types would take the variadic functions out of the wrappers below.
#define CURL_DISABLE_TYPECHECK
#if __has_include(<curl/curl.h>)
#include <curl/curl.h>
#else
#error "curl/curl.h is not there: install libcurl4-openssl-dev (Debian, Ubuntu) or libcurl-devel (Fedora)"
#endif
#include <stdint.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <netinet/in.h>

/// 7.80: a callback before a request is sent, with which libcurl is kept from sending one twice. The library that is loaded
/// may be older than this header: AnvilCurl asks it, too.
#define ANVIL_CURL_MINIMUM_VERSION 0x075000
#if LIBCURL_VERSION_NUM < ANVIL_CURL_MINIMUM_VERSION
#error "libcurl 7.80 or newer is needed"
#endif

/// What is loaded; `CURLVERSION_NOW` is a macro of an enumeration.
static inline const curl_version_info_data *anvil_curl_version(void) { return curl_version_info(CURLVERSION_NOW); }

// Options of one transfer. Each wrapper is for one of the types that the variadic function takes.

static inline CURLcode anvil_curl_set_long(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode anvil_curl_set_offset(CURL *easy, CURLoption option, int64_t value) {
  return curl_easy_setopt(easy, option, (curl_off_t)value);
}
/// Strings, lists and anything else that is a pointer to data.
static inline CURLcode anvil_curl_set_pointer(CURL *easy, CURLoption option, const void *value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode anvil_curl_set_blob(CURL *easy, CURLoption option, const void *bytes, size_t count) {
  struct curl_blob blob = {(void *)bytes, count, CURL_BLOB_COPY};
  return curl_easy_setopt(easy, option, &blob);
}

typedef size_t (*anvil_curl_bytes_function)(char *bytes, size_t size, size_t count, void *context);
typedef int (*anvil_curl_prerequest_function)(
    void *context, char *remote_address, char *local_address, int remote_port, int local_port);
typedef curl_socket_t (*anvil_curl_open_function)(void *context, curlsocktype purpose, struct curl_sockaddr *address);
typedef int (*anvil_curl_close_function)(void *context, curl_socket_t descriptor);
typedef int (*anvil_curl_resolve_function)(void *resolver, void *reserved, void *context);
typedef int (*anvil_curl_progress_function)(
    void *context, curl_off_t to_receive, curl_off_t received, curl_off_t to_send, curl_off_t sent);
typedef int (*anvil_curl_debug_function)(CURL *easy, curl_infotype kind, char *bytes, size_t count, void *context);

static inline CURLcode anvil_curl_set_bytes_function(CURL *easy, CURLoption option, anvil_curl_bytes_function function) {
  return curl_easy_setopt(easy, option, function);
}
static inline CURLcode anvil_curl_set_prerequest_function(CURL *easy, anvil_curl_prerequest_function function) {
  return curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, function);
}
static inline CURLcode anvil_curl_set_debug_function(CURL *easy, anvil_curl_debug_function function) {
  return curl_easy_setopt(easy, CURLOPT_DEBUGFUNCTION, function);
}
static inline CURLcode anvil_curl_set_progress_function(CURL *easy, anvil_curl_progress_function function) {
  return curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, function);
}
typedef int (*anvil_curl_seek_function)(void *context, curl_off_t offset, int origin);
static inline CURLcode anvil_curl_set_seek_function(CURL *easy, anvil_curl_seek_function function) {
  return curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, function);
}
typedef int (*anvil_curl_trailer_function)(struct curl_slist **list, void *context);
static inline CURLcode anvil_curl_set_trailer_function(CURL *easy, anvil_curl_trailer_function function) {
  return curl_easy_setopt(easy, CURLOPT_TRAILERFUNCTION, function);
}
static inline CURLcode anvil_curl_set_open_function(CURL *easy, anvil_curl_open_function function) {
  return curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, function);
}
static inline CURLcode anvil_curl_set_close_function(CURL *easy, anvil_curl_close_function function) {
  return curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, function);
}
static inline CURLcode anvil_curl_set_resolve_function(CURL *easy, anvil_curl_resolve_function function) {
  return curl_easy_setopt(easy, CURLOPT_RESOLVER_START_FUNCTION, function);
}

/// Nothing but HTTP, whatever a URL or a proxy says. The older option is `CURLOPT_PROTOCOLS`, which newer headers deprecate.
static inline CURLcode anvil_curl_allow_http_only(CURL *easy, unsigned int loaded_version) {
#if LIBCURL_VERSION_NUM >= 0x075500
  if (loaded_version < 0x075500) return curl_easy_setopt(easy, (CURLoption)181, 3L);
  return curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
#else
  (void)loaded_version;
  return curl_easy_setopt(easy, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}

/// Not to wait for a name that is being resolved when a transfer is given up; before 7.87 there is no way to say so.
static inline CURLcode anvil_curl_end_quickly(CURL *easy, unsigned int loaded_version) {
#if LIBCURL_VERSION_NUM >= 0x075700
  return loaded_version < 0x075700 ? CURLE_OK : curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
#else
  (void)easy;
  (void)loaded_version;
  return CURLE_OK;
#endif
}

static inline CURLcode anvil_curl_info_long(CURL *easy, CURLINFO info, long *value) {
  return curl_easy_getinfo(easy, info, value);
}
static inline CURLcode anvil_curl_info_offset(CURL *easy, CURLINFO info, int64_t *value) {
  curl_off_t offset = 0;
  CURLcode code = curl_easy_getinfo(easy, info, &offset);
  *value = (int64_t)offset;
  return code;
}
static inline CURLcode anvil_curl_info_string(CURL *easy, CURLINFO info, const char **value) {
  char *text = 0;
  CURLcode code = curl_easy_getinfo(easy, info, &text);
  *value = text;
  return code;
}
static inline CURLcode anvil_curl_info_private(CURL *easy, void **value) {
  char *pointer = 0;
  CURLcode code = curl_easy_getinfo(easy, CURLINFO_PRIVATE, &pointer);
  *value = pointer;
  return code;
}

/// The `SSL` of the connection that a transfer is on; null when it is on none, or on one without TLS or with another library.
static inline void *anvil_curl_openssl_session(CURL *easy) {
  struct curl_tlssessioninfo *info = 0;
  if (curl_easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, &info) != CURLE_OK || !info) return 0;
  return info->backend == CURLSSLBACKEND_OPENSSL ? info->internals : 0;
}
/// Where the libcurl that is used has `curl_easy_init`.
static inline const void *anvil_curl_initializer(void) { return (const void *)&curl_easy_init; }

// The multi handle.

typedef int (*anvil_curl_socket_function)(
    CURL *easy, curl_socket_t descriptor, int wish, void *context, void *socket_context);
typedef int (*anvil_curl_timer_function)(CURLM *multi, long milliseconds, void *context);

static inline CURLMcode anvil_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}
static inline CURLMcode anvil_curl_multi_set_pointer(CURLM *multi, CURLMoption option, void *value) {
  return curl_multi_setopt(multi, option, value);
}
static inline CURLMcode anvil_curl_multi_set_socket_function(CURLM *multi, anvil_curl_socket_function function) {
  return curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, function);
}
static inline CURLMcode anvil_curl_multi_set_timer_function(CURLM *multi, anvil_curl_timer_function function) {
  return curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, function);
}
/// The next transfer that has ended, with its result and the pointer of `CURLOPT_PRIVATE`; null when there is none.
static inline CURL *anvil_curl_multi_next_done(CURLM *multi, CURLcode *result, void **context) {
  CURLMsg *message;
  int left;
  while ((message = curl_multi_info_read(multi, &left))) {
    if (message->msg != CURLMSG_DONE) continue;
    *result = message->data.result;
    (void)anvil_curl_info_private(message->easy_handle, context);
    return message->easy_handle;
  }
  return 0;
}

/// TLS sessions in common. Handles that share must be of one thread, as no locks are set.
static inline CURLSHcode anvil_curl_share_tls_sessions(CURLSH *share) {
  return curl_share_setopt(share, CURLSHOPT_SHARE, CURL_LOCK_DATA_SSL_SESSION);
}

// Waiting.

#if defined(__linux__)
#include <errno.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

enum {
  ANVIL_POLL_IN = EPOLLIN,
  ANVIL_POLL_OUT = EPOLLOUT,
  ANVIL_POLL_BROKEN = EPOLLERR | EPOLLHUP,
};

static inline int anvil_epoll_set(int port, int operation, int descriptor, uint32_t events) {
  struct epoll_event event;
  event.events = events;
  event.data.u64 = 0;
  event.data.fd = descriptor;
  return epoll_ctl(port, operation, descriptor, &event);
}
static inline int anvil_epoll_descriptor(const struct epoll_event *event) { return event->data.fd; }
#endif

#endif
