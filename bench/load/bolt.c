/* With --bolt: frames of Bolt version 1, many in progress on each connection. Clients ask, and nodes answer with the id of the request. */
#include "load.h"

#include <stdlib.h>
#include <string.h>

enum { REQUEST_BYTES = 22, RESPONSE_BYTES = 20, FRAME_MAX = 1 << 20 };
static const char CLASS[] = "com.example.Order";

struct bolt {
  char *in, *out;
  size_t in_length, in_room;
  size_t out_from, out_to, out_room;
  uint64_t *started; /* client: of the request with that id; 0 for none */
  int waiting;       /* client: requests in progress */
};

static uint32_t number(const char *at, int bytes) {
  uint32_t value = 0;
  for (int i = 0; i < bytes; i++) value = value << 8 | (unsigned char)at[i];
  return value;
}

static void put(char *at, int bytes, uint32_t value) {
  for (int i = bytes - 1; i >= 0; i--, value >>= 8) at[i] = (char)value;
}

static void room(char **buffer, size_t *has, size_t wanted) {
  if (wanted <= *has) return;
  *has = wanted * 2;
  *buffer = realloc(*buffer, *has);
  if (!*buffer) die("realloc");
}

static struct bolt *of(struct conn *c) {
  if (!c->bolt && !(c->bolt = calloc(1, sizeof *c->bolt))) die("calloc");
  return c->bolt;
}

/* Returns how long the frame is; 0 when more is needed to know. */
static size_t length_of(const char *frame, size_t there) {
  size_t fixed = there > 1 && frame[1] == 0 ? RESPONSE_BYTES : REQUEST_BYTES;
  if (there < fixed) return 0;
  return fixed + number(frame + fixed - 8, 2) + number(frame + fixed - 6, 2) + number(frame + fixed - 4, 4);
}

static void add(struct bolt *b, bool request, uint32_t id) {
  size_t fixed = request ? REQUEST_BYTES : RESPONSE_BYTES, name = request ? sizeof CLASS - 1 : 0;
  size_t content = request ? options.body : options.response, length = fixed + name + content;
  if (b->out_from == b->out_to) b->out_from = b->out_to = 0;
  room(&b->out, &b->out_room, b->out_to + length);
  char *frame = b->out + b->out_to;
  memset(frame, 0, fixed);
  frame[0] = 1;
  frame[1] = request;
  put(frame + 2, 2, request ? 1 : 2);
  frame[4] = 1;
  put(frame + 5, 4, id);
  frame[9] = 1;
  if (request) put(frame + 10, 4, 3000);
  put(frame + fixed - 8, 2, (uint32_t)name);
  put(frame + fixed - 4, 4, (uint32_t)content);
  memcpy(frame + fixed, CLASS, name);
  memset(frame + fixed + name, 'x', content);
  b->out_to += length;
}

static bool flush(struct conn *c, struct bolt *b) {
  c->out = b->out + b->out_from;
  c->out_left = b->out_to - b->out_from;
  bool alive = conn_flush(c);
  b->out_from = b->out_to - c->out_left;
  return alive;
}

static void ask(struct bolt *b, uint32_t id, uint64_t now) {
  b->started[id] = now;
  b->waiting++;
  client_began();
  add(b, true, id);
}

bool bolt_begin(struct conn *c) {
  struct bolt *b = of(c);
  uint64_t now = now_nanos();
  if (!b->started && !(b->started = calloc((size_t)options.bolt, sizeof *b->started))) die("calloc");
  for (int id = 0; id < options.bolt; id++) ask(b, (uint32_t)id, now);
  return flush(c, b);
}

static bool answered(struct bolt *b, const char *frame, size_t length, uint64_t now) {
  uint32_t id = number(frame + 5, 4);
  if (frame[1] != 0 || id >= (uint32_t)options.bolt || !b->started[id]) return false;
  if (number(frame + 10, 2) != 0 || length != RESPONSE_BYTES + options.response) counters.errors_status++;
  bool again = client_done(b->started[id], now, length);
  b->started[id] = 0;
  b->waiting--;
  if (again) ask(b, id, now);
  return true;
}

/* Returns false for bytes that are no frame. */
static bool take(struct conn *c, struct bolt *b) {
  size_t at = 0;
  uint64_t now = c->kind == KIND_CLIENT ? now_nanos() : 0;
  for (size_t length; (length = length_of(b->in + at, b->in_length - at)) && length <= b->in_length - at; at += length) {
    const char *frame = b->in + at;
    if (frame[0] != 1 || length > FRAME_MAX) return false;
    if (c->kind == KIND_CLIENT) {
      if (!answered(b, frame, length, now)) return false;
    } else {
      add(b, false, number(frame + 5, 4));
    }
  }
  b->in_length -= at;
  memmove(b->in, b->in + at, b->in_length);
  return true;
}

bool bolt_event(struct conn *c) {
  struct bolt *b = of(c);
  if (b->out_to > b->out_from && !flush(c, b)) return false;
  for (;;) {
    long n = conn_read(c, false, READ_BYTES);
    if (n < 0) return true;
    if (n == 0) return false;
    room(&b->in, &b->in_room, b->in_length + (size_t)n);
    memcpy(b->in + b->in_length, read_buffer, (size_t)n);
    b->in_length += (size_t)n;
    if (!take(c, b) || !flush(c, b)) return false;
  }
}

int bolt_free(struct conn *c) {
  struct bolt *b = c->bolt;
  if (!b) return 0;
  int waiting = b->waiting;
  free(b->in);
  free(b->out);
  free(b->started);
  free(b);
  c->bolt = NULL;
  return waiting;
}
