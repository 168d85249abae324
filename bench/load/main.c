/* sigma-load: clients and nodes in one thread, for a processor of their own. Prints one JSON object. See ../README.md. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include "load.h"

#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

struct options options = {.connections = 64, .seconds = 5, .warmup = 1, .host = "localhost", .path = "/", .paths = 1, .headers = ""};

static const char USAGE[] =
    "Usage: sigma-load --listen PORT[,PORT...] [--port PROXY] [options]\n"
    "  --listen PORTS     nodes to be, on 127.0.0.1\n"
    "  --port PORT        proxy to load; without it the nodes run until SIGTERM\n"
    "  --address ADDRESS  of the proxy, IPv4 (127.0.0.1)\n"
    "  --connections N    connections of clients (64)\n"
    "  --active N         requests at a time (as many as connections)\n"
    "  --rate N           begin N requests a second, open loop; latency counts from when a request was due (0: closed loop)\n"
    "  --close            a connection for each request\n"
    "  --seconds S, --warmup S   measured time (5), time before it (1)\n"
    "  --host NAME, --path PATH, --paths N   Host; path, a printf format of 0..N-1 (/, 1)\n"
    "  --header 'A: b'    a further request field\n"
    "  --body BYTES       upload (0: GET)\n"
    "  --response BYTES   of the nodes (0: 41 bytes of JSON)\n"
    "  --pid PID          process whose processor time counts; may be repeated\n"
    "  --bolt N           N requests in progress on each connection, in frames of Bolt; closed loop\n"
    "  --hello            each connection begins with a first message of TLS, for proxies that pass it on; the rest is plaintext\n"
    "  --tls, --resume    TLS 1.3, with the latest session\n"
    "  --mix TLS_PORT     of 20 requests 14 GET, 4 GET of 16 KiB, 1 upload of --body bytes (16 KiB), 1 on a new connection of TLS\n"
    "  --grpc N           the nodes speak gRPC, N messages of 100 bytes in each answer; load them with another program\n"
    "  --stamps           also say how long the proxy had each request, by when the kernel got its bytes; without TLS and bodies\n"
    "  --spin             never sleep\n"
    "  --doze             with --rate: sleep until a request is due, and go before others on this processor\n"
    "       sigma-load --distance CORE,CORE   only measures what a cache line takes between two processors and back\n";

static void ports(char *list) {
  for (char *end = list; *end && options.listens < PORTS_MAX; list = end + 1) {
    options.listen[options.listens++] = (int)strtol(list, &end, 10);
    if (end == list) exit(2);
    if (!*end) break;
  }
}

int main(int argc, char **argv) {
  enum { LISTEN, PORT, ADDRESS, CONNECTIONS, ACTIVE, RATE, CLOSE, SECONDS, WARMUP, HOST, PATH, PATHS, HEADER, BODY, RESPONSE, PID, TLS, RESUME, SPIN, DOZE, STAMPS, BOLT, HELLO, DISTANCE, MIX, GRPC };
  static const struct option known[] = {{"listen", 1, 0, LISTEN}, {"port", 1, 0, PORT}, {"address", 1, 0, ADDRESS}, {"connections", 1, 0, CONNECTIONS},
      {"active", 1, 0, ACTIVE}, {"rate", 1, 0, RATE}, {"close", 0, 0, CLOSE}, {"seconds", 1, 0, SECONDS}, {"warmup", 1, 0, WARMUP},
      {"host", 1, 0, HOST}, {"path", 1, 0, PATH}, {"paths", 1, 0, PATHS}, {"header", 1, 0, HEADER}, {"body", 1, 0, BODY},
      {"response", 1, 0, RESPONSE}, {"pid", 1, 0, PID}, {"tls", 0, 0, TLS}, {"resume", 0, 0, RESUME}, {"spin", 0, 0, SPIN}, {"doze", 0, 0, DOZE}, {"stamps", 0, 0, STAMPS},
      {"bolt", 1, 0, BOLT}, {"hello", 0, 0, HELLO}, {"mix", 1, 0, MIX}, {"grpc", 1, 0, GRPC}, {"distance", 1, 0, DISTANCE}, {0}};
  options.address.s_addr = htonl(INADDR_LOOPBACK);
  for (int option; (option = getopt_long(argc, argv, "", known, NULL)) != -1;) {
    switch (option) {
      case LISTEN: ports(optarg); break;
      case PORT: options.port = atoi(optarg); break;
      case ADDRESS:
        if (inet_pton(AF_INET, optarg, &options.address) != 1) exit(2);
        break;
      case CONNECTIONS: options.connections = atoi(optarg); break;
      case ACTIVE: options.active = atoi(optarg); break;
      case RATE: options.rate = atof(optarg); break;
      case CLOSE: options.close = true; break;
      case SECONDS: options.seconds = atof(optarg); break;
      case WARMUP: options.warmup = atof(optarg); break;
      case HOST: options.host = optarg; break;
      case PATH: options.path = optarg; break;
      case PATHS: options.paths = atoi(optarg); break;
      case HEADER: {
        char *joined;
        if (asprintf(&joined, "%s%s\r\n", options.headers, optarg) < 0) die("asprintf");
        options.headers = joined;
        break;
      }
      case BODY: options.body = strtoul(optarg, NULL, 10); break;
      case RESPONSE: options.response = strtoul(optarg, NULL, 10); break;
      case PID:
        if (options.pid_count < PIDS_MAX) options.pids[options.pid_count++] = atoi(optarg);
        break;
      case TLS: options.tls = true; break;
      case RESUME: options.resume = true; break;
      case SPIN: options.spin = true; break;
      case DOZE: options.doze = true; break;
      case BOLT: options.bolt = atoi(optarg); break;
      case HELLO: options.hello = true; break;
      case MIX: options.mix = atoi(optarg); break;
      case GRPC: options.grpc = atoi(optarg); break;
      case STAMPS: options.stamps = true; break;
      case DISTANCE: {
        int from, to;
        if (sscanf(optarg, "%d,%d", &from, &to) != 2 || from == to) {
          fputs(USAGE, stderr);
          return 2;
        }
        distance_print(from, to);
        return 0;
      }
      default: fputs(USAGE, stderr); return 2;
    }
  }
  if (options.active == 0 || options.active > options.connections) options.active = options.connections;
  if (optind < argc || options.connections < 1 || options.paths < 1) {
    fputs(USAGE, stderr);
    return 2;
  }
#ifndef WITH_TLS
  if (options.tls || options.mix) {
    fputs("sigma-load: built without TLS\n", stderr);
    return 2;
  }
#endif
  if (options.mix && !options.body) options.body = LARGE_BYTES;
  signal(SIGPIPE, SIG_IGN);
  epoll_open();
  upstream_open();
  if (options.port == 0) {
    puts("ready");
    fflush(stdout);
    for (;;) epoll_turn(1000000000);
  }
  client_open();
  client_run();
  return 0;
}
