/*
 * With --grpc: nodes that speak as much of HTTP/2 as answering gRPC calls needs, in plaintext with prior knowledge. Each call
 * gets the same answer, so heads are not decoded. An answer has to fit into a stream's first window of 64 KiB, and so has a request.
 */
#include "load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DATA = 0, HEADERS = 1, RST_STREAM = 3, SETTINGS = 4, PING = 6, GOAWAY = 7, WINDOW_UPDATE = 8 };
enum { END_STREAM = 1, ACK = 1, END_HEADERS = 4 };
enum { FRAME_HEAD = 9, PREFACE = 24, MESSAGE = 105, WAITING_MAX = 4096, OUT_MAX = 1 << 22, UPDATE_AFTER = 1 << 28 };
static const uint32_t WINDOW = 0x7fffffff - 65535;

struct waiting {
  uint32_t stream;
  int messages; /* still to be sent */
  bool begun;
};

struct grpc {
  bool greeted;
  char *in;
  size_t in_length;
  char *out;
  size_t out_length;
  int64_t window;    /* of the connection, towards the client */
  uint32_t received; /* bytes of bodies since the last update of our window */
  struct waiting waiting[WAITING_MAX];
  unsigned first, count;
};

static struct grpc *of(struct conn *c) {
  if (c->grpc) return c->grpc;
  struct grpc *g = calloc(1, sizeof *g);
  if (!g || !(g->in = malloc(2 * READ_BYTES)) || !(g->out = malloc(OUT_MAX))) die("malloc");
  g->window = 65535;
  return c->grpc = g;
}

static void put(struct grpc *g, int type, int flags, uint32_t stream, const void *payload, size_t length) {
  unsigned char head[FRAME_HEAD] = {(unsigned char)(length >> 16), (unsigned char)(length >> 8), (unsigned char)length, (unsigned char)type,
      (unsigned char)flags, (unsigned char)(stream >> 24), (unsigned char)(stream >> 16), (unsigned char)(stream >> 8), (unsigned char)stream};
  memcpy(g->out + g->out_length, head, FRAME_HEAD);
  memcpy(g->out + g->out_length + FRAME_HEAD, payload, length);
  g->out_length += FRAME_HEAD + length;
}

static uint32_t number(const char *at) {
  const unsigned char *b = (const unsigned char *)at;
  return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

static void widen(struct grpc *g, uint32_t by) {
  char bytes[4] = {(char)(by >> 24), (char)(by >> 16), (char)(by >> 8), (char)by};
  put(g, WINDOW_UPDATE, 0, 0, bytes, sizeof bytes);
}

/* As many messages of the answers that wait as the window of the connection takes. Each has a frame of its own. */
static void answer(struct grpc *g) {
  /* :status 200, content-type: application/grpc; grpc-status: 0. Nothing of it is indexed. */
  static const char HEAD[] = "\x88\x0f\x10\x10" "application/grpc", TRAILER[] = "\x00\x0b" "grpc-status" "\x01" "0";
  static const char BODY[MESSAGE] = {0, 0, 0, 0, MESSAGE - 5};
  while (g->count) {
    struct waiting *w = &g->waiting[g->first];
    if (g->out_length + FRAME_HEAD * 3 + MESSAGE + sizeof HEAD + sizeof TRAILER > OUT_MAX) return;
    if (!w->begun) put(g, HEADERS, END_HEADERS, w->stream, HEAD, sizeof HEAD - 1);
    w->begun = true;
    while (w->messages) {
      if (g->window < MESSAGE || g->out_length + FRAME_HEAD * 2 + MESSAGE + sizeof TRAILER > OUT_MAX) return;
      put(g, DATA, 0, w->stream, BODY, MESSAGE);
      g->window -= MESSAGE;
      w->messages--;
    }
    put(g, HEADERS, END_HEADERS | END_STREAM, w->stream, TRAILER, sizeof TRAILER - 1);
    g->first = (g->first + 1) % WAITING_MAX;
    g->count--;
  }
}

static bool frame(struct grpc *g, const char *head, size_t length) {
  int type = head[3], flags = head[4];
  uint32_t stream = number(head + 5) & 0x7fffffff;
  const char *payload = head + FRAME_HEAD;
  switch (type) {
    case SETTINGS:
      if (!(flags & ACK)) put(g, SETTINGS, ACK, 0, "", 0);
      return true;
    case PING:
      if (!(flags & ACK)) put(g, PING, ACK, 0, payload, length);
      return true;
    case WINDOW_UPDATE:
      if (stream == 0) g->window += number(payload) & 0x7fffffff;
      return true;
    case RST_STREAM:
      for (unsigned i = 0; i < g->count; i++) {
        struct waiting *w = &g->waiting[(g->first + i) % WAITING_MAX];
        if (w->stream == stream) w->messages = 0; /* an end of a stream that is over is ignored */
      }
      return true;
    case DATA: g->received += (uint32_t)length; break;
    case HEADERS: break;
    default: return true;
  }
  if (g->received > UPDATE_AFTER) {
    widen(g, g->received);
    g->received = 0;
  }
  if (!(flags & END_STREAM)) return true;
  if (g->count == WAITING_MAX) return false;
  g->waiting[(g->first + g->count++) % WAITING_MAX] = (struct waiting){stream, options.grpc, false};
  return true;
}

static bool take(struct grpc *g) {
  size_t at = 0;
  if (!g->greeted) {
    if (g->in_length < PREFACE) return true;
    if (memcmp(g->in, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", PREFACE) != 0) return false;
    g->greeted = true;
    at = PREFACE;
    put(g, SETTINGS, 0, 0, "", 0);
    widen(g, WINDOW);
  }
  while (g->in_length - at >= FRAME_HEAD) {
    size_t length = number(g->in + at) >> 8;
    if (length > 16384) return false;
    if (g->in_length - at < FRAME_HEAD + length) break;
    if (!frame(g, g->in + at, length)) return false;
    at += FRAME_HEAD + length;
  }
  memmove(g->in, g->in + at, g->in_length - at);
  g->in_length -= at;
  return true;
}

static bool flush(struct conn *c, struct grpc *g) {
  if (c->out_left) return conn_flush(c);
  do {
    answer(g);
    if (!g->out_length) return true; /* nothing to say, or no window */
    conn_send(c, g->out, g->out_length);
    if (!conn_flush(c)) return false;
    if (!c->out_left) g->out_length = 0;
  } while (!c->out_left);
  return true;
}

void grpc_event(struct conn *c) {
  struct grpc *g = of(c);
  for (;;) {
    /* What is being written stays where it is until it has gone. */
    if (c->out_left && !conn_flush(c)) break;
    if (c->out_left) return;
    g->out_length = 0;
    long n = conn_read(c, false, READ_BYTES);
    if (n == 0) break;
    if (n > 0) {
      memcpy(g->in + g->in_length, read_buffer, (size_t)n);
      g->in_length += (size_t)n;
      if (!take(g)) break;
    }
    if (!flush(c, g)) break;
    if (n < 0 && !c->out_left) return;
  }
  conn_close(c);
}

void grpc_free(struct conn *c) {
  if (!c->grpc) return;
  free(c->grpc->in);
  free(c->grpc->out);
  free(c->grpc);
  c->grpc = NULL;
}
