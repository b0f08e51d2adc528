// The reference for a transport: libcurl's multi interface with socket callbacks, used as directly as possible in C.
//
//   CTransportLoop URL 1|2 CONCURRENCY BYTES collect|discard [CA]
//
// Bodies are collected into reused buffers, or discarded as they arrive. Each line on standard input is a number of
// seconds: the program keeps CONCURRENCY requests in progress for that long and prints a line with the number of
// requests, the elapsed seconds, the processor seconds, the median and the 99th percentile of latencies in
// microseconds, and the peak resident memory so far in kB.
#define _GNU_SOURCE
#include <curl/curl.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { socket_limit = 65536, event_count = 256 };

struct transfer {
  CURL *easy;
  char *body;
  size_t length;
  size_t capacity;
  uint64_t started;
};

static const char *url;
static const char *authorities;
static bool is_http2;
static bool discards;
static size_t expected_bytes;
static int concurrency;

static CURLM *multi;
static int events;
// By socket: the events registered with epoll, and the events that libcurl waits for. They differ only while libcurl
// waits for none: it waits for most sockets again with the next request, so a registration is kept until an unexpected
// event arrives.
static unsigned char registered[socket_limit];
static unsigned char wished[socket_limit];
// The time at which libcurl has to be called without an event; 0 for never.
static uint64_t timer;

static uint64_t deadline;
static long under_way;
static uint32_t *latencies;
static size_t latency_count;
static size_t latency_capacity;

static _Noreturn void fail(const char *what, const char *why) {
  fprintf(stderr, "CTransportLoop: %s: %s\n", what, why);
  exit(1);
}

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static double processor_seconds(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static long peak_kilobytes(void) {
  FILE *status = fopen("/proc/self/status", "r");
  char line[256];
  long peak = 0;
  while (status && fgets(line, sizeof line, status) && sscanf(line, "VmHWM: %ld", &peak) != 1) {
  }
  if (status) fclose(status);
  return peak;
}

// MARK: Callbacks of libcurl

static size_t collect(char *bytes, size_t size, size_t count, void *context) {
  struct transfer *transfer = context;
  count *= size;
  if (!discards) {
    if (transfer->length + count > transfer->capacity) {
      size_t capacity = transfer->length + count > expected_bytes ? (transfer->length + count) * 2 : expected_bytes;
      char *body = realloc(transfer->body, capacity);
      if (!body) return 0;
      transfer->body = body;
      transfer->capacity = capacity;
    }
    memcpy(transfer->body + transfer->length, bytes, count);
  }
  transfer->length += count;
  return count;
}

static int watch(CURL *easy, curl_socket_t socket, int what, void *context, void *socket_context) {
  (void)easy, (void)context, (void)socket_context;
  if (socket >= socket_limit) fail("socket", "its number is too high");
  unsigned char wish = what == CURL_POLL_REMOVE ? 0 : (unsigned char)what;
  wished[socket] = wish;
  if (wish == 0 || wish == registered[socket]) return 0;
  struct epoll_event event = {.data.fd = socket};
  event.events = (wish & CURL_POLL_IN ? EPOLLIN : 0u) | (wish & CURL_POLL_OUT ? EPOLLOUT : 0u);
  if (epoll_ctl(events, registered[socket] ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, socket, &event) != 0) {
    fail("epoll_ctl", strerror(errno));
  }
  registered[socket] = wish;
  return 0;
}

static int close_socket(void *context, curl_socket_t socket) {
  (void)context;
  if (socket < socket_limit) registered[socket] = wished[socket] = 0;
  return close(socket);
}

static int set_timer(CURLM *handle, long milliseconds, void *context) {
  (void)handle, (void)context;
  timer = milliseconds < 0 ? 0 : now() + (uint64_t)milliseconds * 1000000u;
  return 0;
}

// MARK: Transfers

#define SET(easy, option, value)                                                  \
  do {                                                                            \
    CURLcode code = curl_easy_setopt(easy, option, value);                        \
    if (code != CURLE_OK) fail(#option, curl_easy_strerror(code));                \
  } while (0)

static void prepare(struct transfer *transfer, struct curl_slist *fields) {
  CURL *easy = transfer->easy = curl_easy_init();
  if (!easy) fail("curl_easy_init", "no handle");
  SET(easy, CURLOPT_URL, url);
  SET(easy, CURLOPT_HTTPHEADER, fields);
  SET(easy, CURLOPT_WRITEFUNCTION, collect);
  SET(easy, CURLOPT_WRITEDATA, transfer);
  SET(easy, CURLOPT_PRIVATE, transfer);
  SET(easy, CURLOPT_CLOSESOCKETFUNCTION, close_socket);
  SET(easy, CURLOPT_NOSIGNAL, 1L);
  SET(easy, CURLOPT_PROXY, "");
  SET(easy, CURLOPT_HTTP_VERSION, (long)(is_http2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1));
  SET(easy, CURLOPT_PIPEWAIT, is_http2 ? 1L : 0L);
  if (authorities) {
    SET(easy, CURLOPT_CAINFO, authorities);
    SET(easy, CURLOPT_CAPATH, NULL);
  }
  if (expected_bytes >= 1000000) SET(easy, CURLOPT_BUFFERSIZE, expected_bytes > 10000000 ? 262144L : 65536L);
}

static void start(struct transfer *transfer) {
  transfer->length = 0;
  transfer->started = now();
  under_way += 1;
  if (curl_multi_add_handle(multi, transfer->easy) != CURLM_OK) fail("curl_multi_add_handle", "refused");
}

static void finish(struct transfer *transfer, CURLcode result) {
  long status = 0;
  curl_easy_getinfo(transfer->easy, CURLINFO_RESPONSE_CODE, &status);
  if (result != CURLE_OK) fail(url, curl_easy_strerror(result));
  if (status != 200 || transfer->length != expected_bytes) fail(url, "another response than expected");
  curl_multi_remove_handle(multi, transfer->easy);
  under_way -= 1;
  uint64_t end = now();
  if (latency_count == latency_capacity) {
    latency_capacity = latency_capacity ? latency_capacity * 2 : 65536;
    latencies = realloc(latencies, latency_capacity * sizeof *latencies);
    if (!latencies) fail("latencies", "no memory");
  }
  latencies[latency_count++] = (uint32_t)((end - transfer->started) / 100);
  if (end < deadline) start(transfer);
}

static void take_finished(void) {
  int left;
  CURLMsg *message;
  while ((message = curl_multi_info_read(multi, &left))) {
    if (message->msg != CURLMSG_DONE) continue;
    struct transfer *transfer = NULL;
    curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, (char **)&transfer);
    if (transfer) finish(transfer, message->data.result);
  }
}

static void run(void) {
  struct epoll_event ready[event_count];
  int running;
  while (under_way > 0) {
    int wait = 1000;
    if (timer) {
      uint64_t time = now();
      wait = time >= timer ? 0 : (int)((timer - time + 999999) / 1000000);
    }
    int count = epoll_wait(events, ready, event_count, wait);
    for (int index = 0; index < count; index++) {
      int socket = ready[index].data.fd;
      if (!wished[socket]) {
        epoll_ctl(events, EPOLL_CTL_DEL, socket, NULL);
        registered[socket] = 0;
        continue;
      }
      int what = ready[index].events & (EPOLLIN | EPOLLERR | EPOLLHUP) ? CURL_CSELECT_IN : 0;
      if (ready[index].events & EPOLLOUT) what |= CURL_CSELECT_OUT;
      curl_multi_socket_action(multi, socket, what, &running);
    }
    if (timer && now() >= timer) {
      timer = 0;
      curl_multi_socket_action(multi, CURL_SOCKET_TIMEOUT, 0, &running);
    }
    take_finished();
  }
}

static int by_value(const void *left, const void *right) {
  uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  return a < b ? -1 : a > b;
}

int main(int argc, char **argv) {
  if (argc < 6) fail("usage", "CTransportLoop URL 1|2 CONCURRENCY BYTES collect|discard [CA]");
  url = argv[1];
  is_http2 = strcmp(argv[2], "2") == 0;
  concurrency = atoi(argv[3]);
  expected_bytes = strtoull(argv[4], NULL, 10);
  discards = strcmp(argv[5], "discard") == 0;
  authorities = argc > 6 ? argv[6] : NULL;
  if (concurrency < 1) fail("usage", "CONCURRENCY is at least 1");

  if (curl_global_init(CURL_GLOBAL_ALL) != CURLE_OK) fail("curl_global_init", "failed");
  multi = curl_multi_init();
  events = epoll_create1(EPOLL_CLOEXEC);
  if (!multi || events < 0) fail("set-up", "no handle or no epoll");
  curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, watch);
  curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, set_timer);
  curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, (long)(concurrency > 4 ? concurrency : 4));
  if (is_http2) {
    curl_multi_setopt(multi, CURLMOPT_MAX_HOST_CONNECTIONS, 8L);
    curl_multi_setopt(multi, CURLMOPT_MAX_CONCURRENT_STREAMS, 128L);
  }
  struct curl_slist *fields = curl_slist_append(NULL, "Accept: */*");
  fields = curl_slist_append(fields, "Accept-Encoding: identity");
  fields = curl_slist_append(fields, "User-Agent: anvil-transport-bench");
  struct transfer *transfers = calloc((size_t)concurrency, sizeof *transfers);
  if (!fields || !transfers) fail("set-up", "no memory");
  for (int index = 0; index < concurrency; index++) prepare(&transfers[index], fields);

  char line[64];
  while (fgets(line, sizeof line, stdin)) {
    latency_count = 0;
    double processor = processor_seconds();
    uint64_t begin = now();
    deadline = begin + (uint64_t)(atof(line) * 1e9);
    for (int index = 0; index < concurrency; index++) start(&transfers[index]);
    run();
    double elapsed = (double)(now() - begin) / 1e9;
    processor = processor_seconds() - processor;
    qsort(latencies, latency_count, sizeof *latencies, by_value);
    printf("%zu %f %f %.1f %.1f %ld\n", latency_count, elapsed, processor, latencies[latency_count / 2] / 10.0,
           latencies[latency_count * 99 / 100] / 10.0, peak_kilobytes());
    fflush(stdout);
  }
  return 0;
}
