/* Sockets, epoll, TLS of the client side. */
#define _GNU_SOURCE
#include "load.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#ifdef WITH_TLS
#include <openssl/err.h>
#endif

enum { EVENTS = 512 };

char read_buffer[READ_BYTES];
static int epoll_fd;
static struct conn *dead; /* freed after the turn: an event of the same turn may still name them */

void die(const char *what) {
  fprintf(stderr, "sigma-load: %s: %s\n", what, strerror(errno));
  exit(1);
}

static uint64_t nanos_of(struct timespec t) { return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec; }

static uint64_t clock_nanos(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return nanos_of(t);
}

uint64_t now_nanos(void) { return clock_nanos(CLOCK_MONOTONIC); }

uint64_t wall_nanos(void) { return clock_nanos(CLOCK_REALTIME); }

int epoll_open(void) {
  epoll_fd = epoll_create1(EPOLL_CLOEXEC);
  if (epoll_fd < 0) die("epoll_create1");
  return epoll_fd;
}

struct conn *conn_new(int fd, enum kind kind) {
  struct conn *c = calloc(1, sizeof *c);
  if (!c) die("calloc");
  c->fd = fd;
  c->kind = kind;
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = c};
  if (kind != KIND_LISTENER) event.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET;
  if (epoll_ctl(epoll_fd, EPOLL_CTL_ADD, fd, &event) < 0) die("epoll_ctl");
  return c;
}

void conn_close(struct conn *c) {
  if (c->dead) return;
#ifdef WITH_TLS
  if (c->ssl) {
    SSL_set_quiet_shutdown(c->ssl, 1); /* else a session that was closed so may not be resumed */
    SSL_shutdown(c->ssl);
    SSL_free(c->ssl);
  }
#endif
  close(c->fd);
  bolt_free(c);
  grpc_free(c);
  free(c->head);
  c->dead = true;
  c->next = dead;
  dead = c;
}

void epoll_turn(int64_t timeout_nanos) {
  struct epoll_event events[EVENTS];
  struct timespec timeout = {timeout_nanos / 1000000000, timeout_nanos % 1000000000};
  int count = epoll_pwait2(epoll_fd, events, EVENTS, &timeout, NULL);
  if (count < 0 && errno != EINTR) die("epoll_pwait2");
  for (int i = 0; i < count; i++) {
    struct conn *c = events[i].data.ptr;
    if (c->dead) continue;
    switch (c->kind) {
      case KIND_LISTENER: upstream_accept(c); break;
      case KIND_UPSTREAM: upstream_event(c); break;
      case KIND_CLIENT: client_event(c, events[i].events & (EPOLLHUP | EPOLLERR)); break;
    }
  }
  while (dead) {
    struct conn *c = dead;
    dead = c->next;
    free(c);
  }
}

void socket_setup(int fd) {
  int on = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (options.stamps && setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on) < 0) die("SO_TIMESTAMPNS");
}

#ifdef WITH_TLS
static SSL_CTX *tls;
static SSL_SESSION *session;
static uint64_t resumed;

static int keep_session(SSL *ssl, SSL_SESSION *latest) {
  (void)ssl;
  SSL_SESSION_free(session);
  session = latest;
  return 1; /* it is ours now */
}

void tls_start(struct conn *c) {
  if (!tls) {
    tls = SSL_CTX_new(TLS_client_method());
    if (!tls) die("SSL_CTX_new");
    SSL_CTX_set_min_proto_version(tls, TLS1_3_VERSION);
    SSL_CTX_set_ciphersuites(tls, "TLS_AES_128_GCM_SHA256");
    SSL_CTX_set1_groups_list(tls, "X25519");
    SSL_CTX_set_mode(tls, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    if (options.resume) {
      SSL_CTX_set_session_cache_mode(tls, SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
      SSL_CTX_sess_set_new_cb(tls, keep_session);
    }
  }
  c->ssl = SSL_new(tls);
  SSL_set_fd(c->ssl, c->fd);
  SSL_set_tlsext_host_name(c->ssl, options.host);
  if (options.resume && session) SSL_set_session(c->ssl, session);
  SSL_set_connect_state(c->ssl);
}

int tls_handshake(struct conn *c) {
  ERR_clear_error();
  int result = SSL_do_handshake(c->ssl);
  if (result == 1) {
    if (SSL_session_reused(c->ssl)) resumed++;
    return 1;
  }
  int error = SSL_get_error(c->ssl, result);
  return error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE ? 0 : -1;
}

uint64_t tls_resumed(void) { return resumed; }

static long tls_result(struct conn *c, int result) {
  if (result > 0) return result;
  int error = SSL_get_error(c->ssl, result);
  return error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE ? -1 : 0;
}
#else
void tls_start(struct conn *c) { (void)c; }
int tls_handshake(struct conn *c) { (void)c; return -1; }
uint64_t tls_resumed(void) { return 0; }
#endif

static long conn_write(struct conn *c, const char *bytes, size_t length) {
#ifdef WITH_TLS
  if (c->ssl) {
    ERR_clear_error();
    return tls_result(c, SSL_write(c->ssl, bytes, length > INT32_MAX ? INT32_MAX : (int)length));
  }
#endif
  ssize_t n = send(c->fd, bytes, length, MSG_NOSIGNAL);
  return n > 0 ? n : n < 0 && (errno == EAGAIN || errno == EINTR) ? -1 : 0;
}

bool conn_flush(struct conn *c) {
  if (options.stamps && c->out_left) c->sent = wall_nanos();
  while (c->out_left) {
    long n = conn_write(c, c->out, c->out_left);
    if (n < 0) return true;
    if (n == 0) return false;
    c->out += n;
    c->out_left -= (size_t)n;
  }
  return true;
}

void conn_send(struct conn *c, const char *bytes, size_t length) {
  c->out = bytes;
  c->out_left = length;
}

/* Reads, and notes when the kernel got the last of it (socket(7), SO_TIMESTAMPNS). */
static ssize_t receive_stamped(struct conn *c, size_t length) {
  union {
    char bytes[CMSG_SPACE(sizeof(struct timespec))];
    struct cmsghdr aligned;
  } control;
  struct iovec into = {read_buffer, length};
  struct msghdr message = {.msg_iov = &into, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
  ssize_t n = recvmsg(c->fd, &message, 0);
  struct cmsghdr *found = n > 0 ? CMSG_FIRSTHDR(&message) : NULL;
  if (found && found->cmsg_level == SOL_SOCKET && found->cmsg_type == SCM_TIMESTAMPNS) {
    struct timespec t;
    memcpy(&t, CMSG_DATA(found), sizeof t);
    c->received = nanos_of(t);
  }
  return n;
}

/* A body that is only counted is thrown away in the kernel, without a copy. */
long conn_read(struct conn *c, bool discard, size_t length) {
#ifdef WITH_TLS
  if (c->ssl) {
    ERR_clear_error();
    return tls_result(c, SSL_read(c->ssl, read_buffer, length > READ_BYTES ? READ_BYTES : (int)length));
  }
#endif
  if (length > READ_BYTES && !discard) length = READ_BYTES;
  ssize_t n = discard          ? recv(c->fd, NULL, length, MSG_TRUNC)
              : options.stamps ? receive_stamped(c, length)
                               : recv(c->fd, read_buffer, length, 0);
  return n > 0 ? n : n < 0 && (errno == EAGAIN || errno == EINTR) ? -1 : 0;
}
