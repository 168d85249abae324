/* The clients: keeps `active` requests in progress, or begins one at each tick of a fixed rate, whatever became of those before. */
#define _GNU_SOURCE
#include "load.h"

#include <errno.h>
#include <netinet/in.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

enum { OPENING_MAX = 256, SOURCES = 200 };
static const uint64_t SECOND = 1000000000, PATIENCE = 5 * 1000000000ull;

struct bytes {
  char *bytes;
  size_t length;
};

/* With --mix: what comes in turn, so that no kind comes in a row. */
enum sort { SMALL, LARGE, UPLOAD, NEWCOMER, SORTS };
static const enum sort MIX[20] = {SMALL, SMALL, LARGE, SMALL, SMALL, SMALL, UPLOAD, SMALL, LARGE, SMALL, SMALL, SMALL, LARGE, SMALL, SMALL,
    NEWCOMER, SMALL, LARGE, SMALL, SMALL};

static struct bytes *requests;
static struct conn *idle_first, *idle_last;
static int open_count, opening, outstanding;
static uint64_t issued, begun, interval;
static unsigned source;
static bool running;

/*
 * The first message of TLS 1.3 as clients send it, with the name of the host and two protocols. Random bytes and keys are
 * not random: nobody agrees on anything.
 */
static size_t hello_build(char *into) {
  size_t name = strlen(options.host);
  char *at = into;
  const size_t extensions = 9 + name + 18 + 7 + 42, body = 2 + 32 + 33 + 8 + 2 + 2 + extensions;
  at += sprintf(at, "%c%c%c%c%c", 22, 3, 1, (int)((body + 4) >> 8), (int)((body + 4) & 255));
  at += sprintf(at, "%c%c%c%c%c%c", 1, 0, (int)(body >> 8), (int)(body & 255), 3, 3);
  memset(at, 'r', 32);
  at[32] = 32;
  memset(at + 33, 's', 32);
  at += 65;
  at += sprintf(at, "%c%c%c%c%c%c%c%c%c%c", 0, 6, 0x13, 1, 0x13, 2, 0x13, 3, 1, 0);
  at += sprintf(at, "%c%c", (int)(extensions >> 8), (int)(extensions & 255));
  at += sprintf(at, "%c%c%c%c%c%c%c%c%c%s", 0, 0, (int)((name + 5) >> 8), (int)((name + 5) & 255), (int)((name + 3) >> 8),
      (int)((name + 3) & 255), 0, (int)(name >> 8), (int)(name & 255), options.host);
  at += sprintf(at, "%c%c%c%c%c%c%c%s%c%s", 0, 16, 0, 14, 0, 12, 2, "h2", 8, "http/1.1");
  at += sprintf(at, "%c%c%c%c%c%c%c", 0, 43, 0, 3, 2, 3, 4);
  at += sprintf(at, "%c%c%c%c%c%c%c%c%c%c", 0, 51, 0, 38, 0, 36, 0, 29, 0, 32);
  memset(at, 'k', 32);
  at += 32;
  size_t length = (size_t)(at - into);
  if (length != body + 9 || memchr(into, '\n', length)) {
    errno = EINVAL;
    die("--hello with this --host"); /* the nodes look for the line that follows it */
  }
  return length;
}

static struct bytes request_build(const char *path, size_t body, bool close, const char *before, size_t before_length) {
  char length[64] = "", *bytes;
  if (body) snprintf(length, sizeof length, "Content-Length: %zu\r\n", body);
  int head = asprintf(&bytes, "%s %s HTTP/1.1\r\nHost: %s\r\nUser-Agent: sigma-load\r\nAccept: */*\r\n%s%s%s\r\n",
      body ? "POST" : "GET", path, options.host, length, options.headers, close ? "Connection: close\r\n" : "");
  size_t all = before_length + (size_t)head + body;
  if (head < 0 || !(bytes = realloc(bytes, all))) die("malloc");
  memmove(bytes + before_length, bytes, (size_t)head);
  memcpy(bytes, before, before_length);
  memset(bytes + before_length + head, 'x', body);
  return (struct bytes){bytes, all};
}

static void requests_build(void) {
  if (options.mix) {
    requests = calloc(SORTS, sizeof *requests);
    if (!requests) die("calloc");
    char large[512];
    snprintf(large, sizeof large, "%s/large", options.path);
    requests[SMALL] = request_build(options.path, 0, false, "", 0);
    requests[LARGE] = request_build(large, 0, false, "", 0);
    requests[UPLOAD] = request_build(options.path, options.body, false, "", 0);
    requests[NEWCOMER] = request_build(options.path, 0, true, "", 0);
    return;
  }
  static char hello[1024];
  size_t before = options.hello ? hello_build(hello) : 0;
  requests = calloc((size_t)options.paths, sizeof *requests);
  if (!requests) die("calloc");
  for (int i = 0; i < options.paths; i++) {
    char path[512];
    snprintf(path, sizeof path, options.path, i);
    requests[i] = request_build(path, options.body, options.close, hello, before);
  }
}

static void idle_add(struct conn *c) {
  c->next = NULL;
  if (idle_last) idle_last->next = c;
  else idle_first = c;
  idle_last = c;
}

static void idle_remove(struct conn *c) {
  struct conn *before = NULL;
  for (struct conn *i = idle_first; i; before = i, i = i->next) {
    if (i != c) continue;
    if (before) before->next = c->next;
    else idle_first = c->next;
    if (idle_last == c) idle_last = before;
    return;
  }
}

/* Many addresses, so that ports of connections that are over do not run out. */
static struct conn *connect_one(bool tls, bool once) {
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) die("socket");
  socket_setup(fd);
  int on = 1;
  struct sockaddr_in from = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK + 1 + source++ % SOURCES)};
  setsockopt(fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &on, sizeof on);
  if (bind(fd, (struct sockaddr *)&from, sizeof from) < 0) die("bind");
  struct sockaddr_in to = {
      .sin_family = AF_INET, .sin_port = htons((uint16_t)(tls && options.mix ? options.mix : options.port)), .sin_addr = options.address};
  if (connect(fd, (struct sockaddr *)&to, sizeof to) < 0 && errno != EINPROGRESS) {
    counters.errors_connect++;
    close(fd);
    return NULL;
  }
  counters.connects++;
  struct conn *c = conn_new(fd, KIND_CLIENT);
  c->once = once;
  if (tls) tls_start(c);
  return c;
}

static void request_begin(struct conn *c, uint64_t intended) {
  enum sort sort = MIX[issued % 20];
  struct bytes *request = &requests[options.mix ? (uint64_t)sort : issued % (uint64_t)options.paths];
  issued++;
  c->sends = options.mix && sort != UPLOAD ? 0 : options.body;
  c->awaits = options.mix && sort == LARGE ? LARGE_BYTES : options.response ? options.response : SMALL_BYTES;
  c->started = intended;
  c->in.in_body = false;
  c->head_length = 0;
  if (options.stamps) stamp_begin(c, outstanding == 0);
  outstanding++;
  conn_send(c, request->bytes, request->length);
}

static void lost(struct conn *c) {
  if (!c->connected) {
    counters.errors_connect++;
    if (!c->once) opening--;
  } else if (c->started) {
    counters.errors_broken++;
  } else {
    counters.reconnects++;
    idle_remove(c);
  }
  if (c->started) outstanding--;
  int waiting = bolt_free(c);
  outstanding -= waiting;
  counters.errors_broken += (uint64_t)waiting;
  if (!c->once) open_count--;
  conn_close(c);
}

static void answered(struct conn *c) {
  uint64_t now = now_nanos();
  counters.requests++;
  counters.bytes_in += c->in.body;
  counters.bytes_out += c->sends;
  if (c->in.status != 200 || c->in.body != c->awaits) counters.errors_status++;
  latency_record(now - c->started);
  if (options.stamps) stamp_end(c);
  c->started = 0;
  outstanding--;
  c->in.in_body = false;
  if (c->once) {
    conn_close(c);
  } else if (c->in.close) {
    counters.reconnects++;
    open_count--;
    conn_close(c);
  } else if (running && options.rate == 0 && !options.mix && options.active >= options.connections) {
    request_begin(c, now); /* the short way: no queue */
    if (!conn_flush(c)) lost(c);
  } else {
    idle_add(c);
  }
}

void client_event(struct conn *c, bool hangup) {
  if (!c->connected) {
    if (hangup) {
      lost(c);
      return;
    }
    int ready = c->ssl ? tls_handshake(c) : 1;
    if (ready < 0) lost(c);
    if (ready <= 0) return;
    c->connected = true;
    if (!c->once) {
      opening--;
      idle_add(c);
      return;
    }
  }
  if (options.bolt) {
    if (!bolt_event(c)) lost(c);
    return;
  }
  if (c->out_left && !conn_flush(c)) {
    lost(c);
    return;
  }
  switch (message_read(c, true)) {
    case PROGRESS_MORE: return;
    case PROGRESS_LOST: lost(c); return;
    case PROGRESS_BAD: counters.errors_status++; lost(c); return;
    case PROGRESS_DONE: answered(c); return;
  }
}

void client_began(void) { outstanding++; }

bool client_done(uint64_t started, uint64_t now, uint64_t bytes) {
  counters.requests++;
  counters.bytes_in += bytes;
  counters.bytes_out += options.body;
  latency_record(now - started);
  outstanding--;
  return running;
}

static bool due(uint64_t now, uint64_t *intended) {
  *intended = options.rate > 0 ? begun + issued * interval : now;
  return *intended <= now && outstanding < options.active;
}

static void issue(uint64_t now) {
  uint64_t intended = now;
  if (options.close) {
    while (due(now, &intended)) {
      struct conn *c = connect_one(options.tls, true);
      if (!c) return;
      request_begin(c, intended); /* written when it is connected */
    }
    return;
  }
  while (options.bolt ? idle_first != NULL : due(now, &intended)) {
    if (options.mix && MIX[issued % 20] == NEWCOMER) {
      struct conn *c = connect_one(true, true);
      if (!c) return;
      request_begin(c, intended);
      continue;
    }
    if (!idle_first) return;
    struct conn *c = idle_first;
    idle_first = c->next;
    if (!idle_first) idle_last = NULL;
    if (options.bolt) {
      if (!bolt_begin(c)) lost(c);
      continue;
    }
    request_begin(c, intended);
    if (!conn_flush(c)) lost(c);
  }
}

static void refill(void) {
  while (!options.close && open_count < options.connections && opening < OPENING_MAX) {
    if (!connect_one(options.tls, false)) return;
    open_count++;
    opening++;
  }
}

void client_open(void) {
  requests_build();
  uint64_t deadline = now_nanos() + 30 * SECOND;
  do {
    refill();
    epoll_turn(100 * 1000000);
    if (now_nanos() > deadline || counters.errors_connect > 1000) {
      errno = ETIMEDOUT;
      die("connections cannot be opened");
    }
  } while (!options.close && (open_count < options.connections || opening > 0));
}

/* How long there is nothing to do, unless something arrives; sleeping would make requests late, where others are to be woken too. */
static int64_t pause_nanos(void) {
  const int64_t longest = 10 * 1000000;
  if (options.spin || (options.rate > 0 && !options.doze)) return 0;
  if (options.rate == 0 || outstanding >= options.active) return longest;
  int64_t until = (int64_t)(begun + (uint64_t)issued * interval - now_nanos());
  return until < 0 ? 0 : until < longest ? until : longest;
}

static void turn(void) {
  uint64_t now = now_nanos();
  refill();
  issue(now);
  epoll_turn(pause_nanos());
}

/* Real time on this processor, for as long as there is something to do; and no timer that waits for others. */
static void go_first(void) {
  struct sched_param priority = {.sched_priority = 1};
  if (sched_setscheduler(0, SCHED_FIFO, &priority) < 0) perror("sigma-load: --doze without real-time priority");
  prctl(PR_SET_TIMERSLACK, 1);
}

void client_run(void) {
  running = true;
  if (options.doze) go_first();
  begun = now_nanos();
  interval = options.rate > 0 ? (uint64_t)(1e9 / options.rate) : 0;
  uint64_t measured = begun + (uint64_t)(options.warmup * 1e9);
  uint64_t end = measured + (uint64_t)(options.seconds * 1e9);
  while (now_nanos() < measured) turn();
  report_begin();
  while (now_nanos() < end) turn();
  report_end();
  /* What is still to come is not counted, but has to come. */
  struct counters result = counters;
  running = false;
  uint64_t patience = now_nanos() + PATIENCE;
  while (outstanding > 0 && now_nanos() < patience) epoll_turn(10 * 1000000);
  result.errors_broken = counters.errors_broken;
  counters = result;
  report_print((uint64_t)outstanding);
}
