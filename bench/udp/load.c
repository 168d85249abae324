/* sigma-datagrams: clients and the node of a proxy of UDP in one thread, for a processor of their own. The node sends each datagram back.
 * Prints one JSON object. See ../README.md. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <getopt.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define BATCH 64
#define BYTES_MAX 65507
#define PIDS_MAX 8
#define LOST_NANOS 500000000L

static const char USAGE[] =
    "Usage: sigma-datagrams --listen PORT --port PROXY [options]\n"
    "  --sockets N    clients, each with an address of its own (64)\n"
    "  --bytes N      of a datagram (512)\n"
    "  --rate N       datagrams a second, open loop (0: closed loop, one of each client under way)\n"
    "  --seconds S, --warmup S   measured time (5), time before it (1)\n"
    "  --pid PID      process whose processor time counts; may be repeated\n";

static int sockets = 64, bytes = 512, pids[PIDS_MAX], pid_count;
static double rate, seconds = 5, warmup = 1;
static int polling, *clients;
static long *sent_at;
static uint64_t sent, received;

static void die(const char *what) {
  perror(what);
  exit(1);
}

static long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000L + time.tv_nsec;
}

static int open_socket(int port, int connects) {
  int fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0), size = 4 << 20;
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  if (fd < 0) die("socket");
  setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
  if (connects ? connect(fd, (struct sockaddr *)&address, sizeof address) : bind(fd, (struct sockaddr *)&address, sizeof address)) die("address");
  return fd;
}

static void watch(int fd, uint32_t index) {
  struct epoll_event event = {.events = EPOLLIN, .data.u32 = index};
  if (epoll_ctl(polling, EPOLL_CTL_ADD, fd, &event)) die("epoll_ctl");
}

static void echo(int node) {
  static char room[BATCH][BYTES_MAX];
  static struct sockaddr_in from[BATCH];
  struct iovec parts[BATCH];
  struct mmsghdr messages[BATCH];
  for (int i = 0; i < BATCH; i++) {
    parts[i] = (struct iovec){room[i], BYTES_MAX};
    messages[i].msg_hdr = (struct msghdr){.msg_name = &from[i], .msg_namelen = sizeof from[i], .msg_iov = &parts[i], .msg_iovlen = 1};
  }
  int count = recvmmsg(node, messages, BATCH, MSG_DONTWAIT, NULL);
  for (int i = 0; i < count; i++) parts[i].iov_len = messages[i].msg_len;
  for (int done = 0, step; done < count; done += step) {
    step = sendmmsg(node, messages + done, count - done, 0);
    if (step <= 0) step = 1;
  }
}

static void ask(int client) {
  static char datagram[BYTES_MAX];
  sent_at[client] = now();
  if (send(clients[client], datagram, bytes, 0) == bytes) sent++;
}

static void hear(int client) {
  static char datagram[BYTES_MAX];
  while (recv(clients[client], datagram, sizeof datagram, 0) >= 0) {
    received++;
    if (rate == 0) ask(client);
  }
}

/* Processor time of the proxy: user, kernel, in ticks. */
static void used(long *user, long *kernel) {
  *user = *kernel = 0;
  for (int i = 0; i < pid_count; i++) {
    char path[64], text[1024];
    snprintf(path, sizeof path, "/proc/%d/stat", pids[i]);
    FILE *file = fopen(path, "r");
    if (!file) continue;
    size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[length] = 0;
    long u, k;
    char *after = strrchr(text, ')');
    if (after && sscanf(after + 2, "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %ld %ld", &u, &k) == 2) *user += u, *kernel += k;
  }
}

/* Nanoseconds that the threads of the proxy ran, which the kernel knows better than its ticks. */
static long ran(void) {
  long sum = 0;
  for (int i = 0; i < pid_count; i++) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task", pids[i]);
    DIR *tasks = opendir(path);
    if (!tasks) continue;
    for (struct dirent *task; (task = readdir(tasks));) {
      char name[512];
      snprintf(name, sizeof name, "/proc/%d/task/%s/schedstat", pids[i], task->d_name);
      FILE *file = fopen(name, "r");
      if (!file) continue;
      long nanos;
      if (fscanf(file, "%ld", &nanos) == 1) sum += nanos;
      fclose(file);
    }
    closedir(tasks);
  }
  return sum;
}

static void run(int node, double time, double per_second) {
  long begin = now(), end = begin + (long)(time * 1e9), next_check = begin + LOST_NANOS;
  uint64_t asked = 0;
  for (long at = begin; at < end; at = now()) {
    if (per_second > 0) {
      for (uint64_t due = (uint64_t)((at - begin) / 1e9 * per_second); asked < due; asked++) ask((int)(asked % sockets));
    } else if (at >= next_check) {
      next_check = at + LOST_NANOS;
      for (int i = 0; i < sockets; i++)
        if (at - sent_at[i] > LOST_NANOS) ask(i);
    }
    struct epoll_event events[BATCH];
    int count = epoll_wait(polling, events, BATCH, 0);
    for (int i = 0; i < count; i++) {
      if (events[i].data.u32 == UINT32_MAX) echo(node);
      else hear((int)events[i].data.u32);
    }
  }
}

int main(int argc, char **argv) {
  enum { LISTEN, PORT, SOCKETS, BYTES, RATE, SECONDS, WARMUP, PID };
  static const struct option known[] = {{"listen", 1, 0, LISTEN}, {"port", 1, 0, PORT}, {"sockets", 1, 0, SOCKETS}, {"bytes", 1, 0, BYTES},
      {"rate", 1, 0, RATE}, {"seconds", 1, 0, SECONDS}, {"warmup", 1, 0, WARMUP}, {"pid", 1, 0, PID}, {0}};
  int listens = 0, port = 0;
  for (int option; (option = getopt_long(argc, argv, "", known, NULL)) != -1;) {
    switch (option) {
      case LISTEN: listens = atoi(optarg); break;
      case PORT: port = atoi(optarg); break;
      case SOCKETS: sockets = atoi(optarg); break;
      case BYTES: bytes = atoi(optarg); break;
      case RATE: rate = atof(optarg); break;
      case SECONDS: seconds = atof(optarg); break;
      case WARMUP: warmup = atof(optarg); break;
      case PID:
        if (pid_count < PIDS_MAX) pids[pid_count++] = atoi(optarg);
        break;
      default: fputs(USAGE, stderr); return 2;
    }
  }
  if (!listens || !port || sockets < 1 || bytes < 1 || bytes > BYTES_MAX) {
    fputs(USAGE, stderr);
    return 2;
  }
  polling = epoll_create1(0);
  int node = open_socket(listens, 0);
  watch(node, UINT32_MAX);
  clients = calloc(sockets, sizeof *clients);
  sent_at = calloc(sockets, sizeof *sent_at);
  for (int i = 0; i < sockets; i++) watch(clients[i] = open_socket(port, 1), (uint32_t)i);
  run(node, warmup, rate);
  long user, kernel, user_end, kernel_end, begin = now(), ran_before = ran();
  uint64_t sent_before = sent, received_before = received;
  used(&user, &kernel);
  run(node, seconds, rate);
  used(&user_end, &kernel_end);
  long ran_nanos = ran() - ran_before;
  double took = (now() - begin) / 1e9, ticks = sysconf(_SC_CLK_TCK);
  uint64_t in_time = received - received_before, asked = sent - sent_before;
  double closed = rate;
  rate = 1; /* Nothing more is asked; what is under way may come. */
  run(node, 1, 0);
  rate = closed;
  long lost = (long)asked - (long)(received - received_before);
  printf("{\"perSecond\": %.0f, \"sent\": %lu, \"received\": %lu, \"lost\": %ld, \"userMicros\": %.3f, \"kernelMicros\": %.3f, \"micros\": %.3f, \"core\": %.3f}\n", in_time / took,
      (unsigned long)asked, (unsigned long)(received - received_before), lost < 0 ? 0 : lost, (user_end - user) / ticks * 1e6 / (in_time ? in_time : 1),
      (kernel_end - kernel) / ticks * 1e6 / (in_time ? in_time : 1), ran_nanos / 1e3 / (in_time ? in_time : 1), (user_end - user + kernel_end - kernel) / ticks / took);
  return 0;
}
