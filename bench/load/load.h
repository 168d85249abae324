/* What the parts of the load program share. One thread, except for distances, and one epoll set; nothing here is thread-safe. */
#ifndef LOAD_H
#define LOAD_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef WITH_TLS
#include <openssl/ssl.h>
#else
typedef void SSL;
#endif

enum { PIDS_MAX = 64, PORTS_MAX = 16, HEAD_MAX = 16384, READ_BYTES = 262144, LARGE_BYTES = 16384, SMALL_BYTES = 41 };

struct options {
  int port;                 /* of the proxy; 0 runs the upstream alone */
  struct in_addr address;   /* of the proxy */
  int connections, active;  /* at most `active` requests at a time */
  double seconds, warmup, rate;
  int bolt;                 /* requests in progress on a connection, in frames of Bolt; 0 is HTTP */
  bool hello;               /* each connection begins with a first message of TLS, which nobody answers */
  bool close, tls, resume, spin, doze, stamps;
  int mix;                  /* port of TLS of the proxy: requests of several kinds in turn; see client.c */
  int grpc;                 /* the nodes speak gRPC, with that number of messages in each answer; see grpc.c */
  const char *host, *path;
  int paths;                /* the path is a printf format for 0 <= i < paths */
  size_t body;              /* of a request */
  size_t response;          /* of a response of the upstream; 0 is the small JSON */
  const char *headers;      /* further request fields, with CRLF */
  int listen[PORTS_MAX], listens;
  int pids[PIDS_MAX], pid_count;
};

enum framing { FRAMING_NONE, FRAMING_LENGTH, FRAMING_CHUNKED, FRAMING_CLOSE };

/* Reads one message after the other; see http.c. */
struct message {
  bool in_body;
  enum framing framing;
  int status;               /* of a response */
  bool close;               /* the peer closes after it, or wants us to */
  bool large;               /* with --mix: a request for the large response */
  uint64_t left;            /* of the body, or of the chunk */
  uint64_t body;            /* bytes of the body so far */
  int chunk_state;
  bool chunk_line_empty;
};

enum kind { KIND_LISTENER, KIND_UPSTREAM, KIND_CLIENT };

struct conn {
  int fd;
  enum kind kind;
  bool connected, dead;
  const char *out;          /* what is still to be written */
  size_t out_left;
  struct message in;
  char *head;               /* the part of a head that has come so far, when it came in pieces */
  size_t head_length;
  uint64_t started;         /* client: intended start of the request in progress, ns; 0 when idle */
  uint64_t sent, received;  /* wall-clock ns: when the latest message was sent, and when the kernel got the latest bytes */
  uint64_t number;          /* client: of the request in progress */
  bool once;                /* client: closes after its request */
  size_t sends, awaits;     /* client: bytes of the bodies of the request in progress and of its response */
  SSL *ssl;
  struct bolt *bolt;
  struct grpc *grpc;
  struct conn *next;        /* in the queue of idle connections, or of those to be freed */
};

extern struct options options;
extern char read_buffer[READ_BYTES];

/* net.c */
uint64_t now_nanos(void);
uint64_t wall_nanos(void);
int epoll_open(void);
void epoll_turn(int64_t timeout_nanos);
struct conn *conn_new(int fd, enum kind kind);
void conn_close(struct conn *c);
bool conn_flush(struct conn *c);              /* false when the connection is lost */
void conn_send(struct conn *c, const char *bytes, size_t length);
long conn_read(struct conn *c, bool discard, size_t length); /* bytes; 0 end or error; -1 nothing yet */
void socket_setup(int fd);
void die(const char *what) __attribute__((noreturn));
void tls_start(struct conn *c);
int tls_handshake(struct conn *c);            /* 1 done, 0 not yet, -1 failed */
uint64_t tls_resumed(void);

/* http.c: what became of the bytes that have come */
enum progress { PROGRESS_MORE, PROGRESS_DONE, PROGRESS_LOST, PROGRESS_BAD };
enum progress message_read(struct conn *c, bool response);

/* upstream.c */
void upstream_open(void);
void upstream_accept(struct conn *listener);
void upstream_event(struct conn *c);

/* bolt.c: with --bolt */
bool bolt_begin(struct conn *client);         /* sends as many requests as may be in progress; false when the connection is lost */
bool bolt_event(struct conn *c);              /* false when the connection is lost, or sends no frames */
int bolt_free(struct conn *c);                /* requests that were in progress */

/* grpc.c: with --grpc */
void grpc_event(struct conn *node);
void grpc_free(struct conn *node);

/* stamps.c: with --stamps */
void stamp_begin(struct conn *client, bool alone); /* alone: no other request is in progress */
void stamp_node(const struct conn *node);
void stamp_end(const struct conn *client);

/* client.c */
void client_open(void);
void client_event(struct conn *c, bool hangup);
void client_run(void);
void client_began(void);
bool client_done(uint64_t started, uint64_t now, uint64_t bytes); /* whether another request may begin */

/* report.c */
struct counters {
  uint64_t requests, bytes_in, bytes_out, connects;
  uint64_t errors_connect, errors_status, errors_broken, reconnects;
};
extern struct counters counters;
void latency_record(uint64_t nanos);
void proxy_record(uint64_t nanos);
void report_begin(void);                      /* forgets what was counted, notes the processor times */
void report_end(void);
void report_print(uint64_t unanswered);

/* distance.c */
void distance_print(int from, int to);        /* pins threads to these cores; asks for two that nothing else uses */

#endif
