/* The nodes: answer every request with the same response. */
#define _GNU_SOURCE
#include "load.h"

#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static const char SMALL[] = "{\"id\":42,\"name\":\"sigma\",\"state\":\"active\"}";

static char *keep, *end, *large;
static size_t keep_length, end_length, large_length;

static char *response(const char *connection, size_t bytes_of_body, size_t *length) {
  size_t body = bytes_of_body ? bytes_of_body : SMALL_BYTES;
  char *bytes = malloc(512 + body);
  if (!bytes) die("malloc");
  int head = sprintf(bytes,
      "HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: %zu\r\nDate: Thu, 01 Jan 2026 00:00:00 GMT\r\n%s\r\n",
      bytes_of_body ? "application/octet-stream" : "application/json", body, connection);
  if (bytes_of_body) {
    memset(bytes + head, 'x', body);
  } else {
    memcpy(bytes + head, SMALL, body);
  }
  *length = (size_t)head + body;
  return bytes;
}

void upstream_open(void) {
  keep = response("", options.response, &keep_length);
  end = response("Connection: close\r\n", options.response, &end_length);
  large = response("", LARGE_BYTES, &large_length);
  for (int i = 0; i < options.listens; i++) {
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    int on = 1;
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)options.listen[i]), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(fd, (struct sockaddr *)&address, sizeof address) < 0 || listen(fd, 16384) < 0) die("listen");
    conn_new(fd, KIND_LISTENER);
  }
}

void upstream_accept(struct conn *listener) {
  for (;;) {
    int fd = accept4(listener->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd < 0) {
      if (errno == EAGAIN) return;
      if (errno == ECONNABORTED || errno == EINTR) continue;
      die("accept4");
    }
    socket_setup(fd);
    conn_new(fd, KIND_UPSTREAM)->connected = true;
  }
}

void upstream_event(struct conn *c) {
  if (options.bolt) {
    if (!bolt_event(c)) conn_close(c);
    return;
  }
  if (options.grpc) {
    grpc_event(c);
    return;
  }
  if (c->out_left) {
    if (!conn_flush(c) || (c->out_left == 0 && c->in.close)) {
      conn_close(c);
      return;
    }
    if (c->out_left) return;
  }
  for (;;) {
    switch (message_read(c, false)) {
      case PROGRESS_MORE: return;
      case PROGRESS_LOST:
      case PROGRESS_BAD: conn_close(c); return;
      case PROGRESS_DONE: break;
    }
    c->in.in_body = false;
    if (c->in.close) conn_send(c, end, end_length);
    else if (c->in.large) conn_send(c, large, large_length);
    else conn_send(c, keep, keep_length);
    if (!conn_flush(c) || (c->out_left == 0 && c->in.close)) {
      conn_close(c);
      return;
    }
    if (options.stamps) stamp_node(c);
    return; /* nobody pipelines towards a node */
  }
}
