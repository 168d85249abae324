/* As much of HTTP/1.1 as both sides need: where a message ends, and whether the connection stays. */
#define _GNU_SOURCE
#include "load.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char *value_of(const char *line, const char *end, const char *name, size_t length) {
  if ((size_t)(end - line) <= length || line[length] != ':' || strncasecmp(line, name, length) != 0) return NULL;
  line += length + 1;
  while (line < end && *line == ' ') line++;
  return line;
}

/* Reads a complete head. The one who asked knows whether a response has a body: nobody here asks with HEAD. */
static void head_parse(struct message *m, const char *head, const char *end, bool response) {
  memset(m, 0, sizeof *m);
  const char *line = memchr(head, '\n', (size_t)(end - head)) + 1;
  bool old = response ? memcmp(head, "HTTP/1.0", 8) == 0 : line - head >= 5 && line[-3] == '0';
  m->close = old;
  m->framing = response ? FRAMING_CLOSE : FRAMING_NONE;
  if (response) m->status = atoi(head + 9);
  else if (options.mix) m->large = memmem(head, (size_t)(line - head), "/large", 6);
  while (line < end && *line != '\r') {
    const char *next = memchr(line, '\n', (size_t)(end - line));
    const char *value;
    switch (*line | 0x20) {
      case 'c':
        if ((value = value_of(line, next, "content-length", 14))) {
          m->left = strtoull(value, NULL, 10);
          m->framing = m->left ? FRAMING_LENGTH : FRAMING_NONE;
        } else if ((value = value_of(line, next, "connection", 10))) {
          m->close = strncasecmp(value, "close", 5) == 0 || (old && strncasecmp(value, "keep-alive", 10) != 0);
        }
        break;
      case 't':
        if ((value = value_of(line, next, "transfer-encoding", 17))) m->framing = FRAMING_CHUNKED;
        break;
    }
    line = next + 1;
  }
  if (response && (m->status == 204 || m->status == 304)) m->framing = FRAMING_NONE;
  m->left = m->framing == FRAMING_LENGTH ? m->left : 0;
  m->in_body = true;
}

enum { CHUNK_SIZE, CHUNK_LINE_REST, CHUNK_DATA, CHUNK_DATA_END, CHUNK_TRAILER };

/* Returns true when the body is complete. */
static bool chunks_parse(struct message *m, const char *bytes, size_t length) {
  for (size_t i = 0; i < length; i++) {
    char b = bytes[i];
    switch (m->chunk_state) {
      case CHUNK_SIZE: {
        int digit = b >= '0' && b <= '9' ? b - '0' : (b | 0x20) >= 'a' && (b | 0x20) <= 'f' ? (b | 0x20) - 'a' + 10 : -1;
        if (digit >= 0) {
          m->left = m->left * 16 + (uint64_t)digit;
          break;
        }
        m->chunk_state = CHUNK_LINE_REST;
      } /* fall through */
      case CHUNK_LINE_REST:
        if (b != '\n') break;
        m->chunk_state = m->left ? CHUNK_DATA : CHUNK_TRAILER;
        m->chunk_line_empty = true;
        break;
      case CHUNK_DATA: {
        size_t part = length - i < m->left ? length - i : m->left;
        m->left -= part;
        m->body += part;
        i += part - 1;
        if (m->left == 0) m->chunk_state = CHUNK_DATA_END;
        break;
      }
      case CHUNK_DATA_END:
        if (b == '\n') m->chunk_state = CHUNK_SIZE;
        break;
      case CHUNK_TRAILER:
        if (b == '\n') {
          if (m->chunk_line_empty) return true;
          m->chunk_line_empty = true;
        } else if (b != '\r') {
          m->chunk_line_empty = false;
        }
        break;
    }
  }
  return false;
}

static bool body_parse(struct message *m, const char *bytes, size_t length) {
  switch (m->framing) {
    case FRAMING_NONE: return true;
    case FRAMING_CHUNKED: return chunks_parse(m, bytes, length);
    case FRAMING_CLOSE: m->body += length; return false;
    case FRAMING_LENGTH: break;
  }
  if (length > m->left) length = m->left;
  m->left -= length;
  m->body += length;
  return m->left == 0;
}

static bool head_keep(struct conn *c, const char *bytes, size_t length) {
  if (c->head_length + length > HEAD_MAX) return false;
  if (!c->head && !(c->head = malloc(HEAD_MAX))) die("malloc");
  memcpy(c->head + c->head_length, bytes, length);
  c->head_length += length;
  return true;
}

/* Edge-triggered: reads until there is nothing more, or a message is complete. What is read less than asked for, was all. */
enum progress message_read(struct conn *c, bool response) {
  struct message *m = &c->in;
  for (;;) {
    bool discard = m->in_body && m->framing != FRAMING_CHUNKED && m->framing != FRAMING_NONE;
    size_t wanted = m->in_body && m->framing == FRAMING_LENGTH ? m->left : READ_BYTES;
    long n = conn_read(c, discard, wanted);
    if (n < 0) return PROGRESS_MORE;
    if (n == 0) return m->in_body && m->framing == FRAMING_CLOSE ? PROGRESS_DONE : PROGRESS_LOST;
    const char *bytes = read_buffer;
    size_t length = (size_t)n;
    if (!m->in_body) {
      if (c->head_length) {
        if (!head_keep(c, bytes, length)) return PROGRESS_BAD;
        bytes = c->head;
        length = c->head_length;
      }
      const char *end = memmem(bytes, length, "\r\n\r\n", 4);
      if (!end) {
        if (bytes == read_buffer && !head_keep(c, bytes, length)) return PROGRESS_BAD;
        continue;
      }
      end += 4;
      head_parse(m, bytes, end, response);
      c->head_length = 0;
      length -= (size_t)(end - bytes);
      bytes = end;
      if (response && m->status < 200) return PROGRESS_BAD; /* nobody here asks for an interim one */
    }
    if (body_parse(m, bytes, length)) return PROGRESS_DONE;
  }
}
