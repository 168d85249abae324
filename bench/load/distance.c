/* How far two processors are from each other: how long a cache line takes there and back, at best, since others may run meanwhile. */
#define _GNU_SOURCE
#include "load.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TIMES = 50, TIME_NANOS = 1000 * 1000, BATCH = 100 };

static _Alignas(128) atomic_ulong line;
static atomic_bool over;

static void pin(int core) {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  CPU_SET(core, &cores);
  if (sched_setaffinity(0, sizeof cores, &cores) < 0) die("sched_setaffinity");
}

/* Answers each odd number with the next even one. */
static void *answer(void *core) {
  pin(*(int *)core);
  while (!atomic_load_explicit(&over, memory_order_relaxed)) {
    unsigned long asked = atomic_load_explicit(&line, memory_order_acquire);
    if (asked & 1) atomic_store_explicit(&line, asked + 1, memory_order_release);
  }
  return NULL;
}

static double exchange(void) {
  uint64_t begun = now_nanos(), spent = 0;
  unsigned long count = 0;
  for (; spent < TIME_NANOS; spent = now_nanos() - begun) {
    for (int i = 0; i < BATCH; i++, count++) {
      unsigned long asked = 2 * count + 1;
      atomic_store_explicit(&line, asked, memory_order_release);
      while (atomic_load_explicit(&line, memory_order_acquire) == asked) continue;
    }
  }
  return (double)spent / (double)count;
}

void distance_print(int from, int to) {
  pthread_t other;
  int failed = pthread_create(&other, NULL, answer, &to);
  if (failed) {
    fprintf(stderr, "sigma-load: pthread_create: %s\n", strerror(failed));
    exit(1);
  }
  pin(from);
  double nanos = exchange();
  for (int i = 1; i < TIMES; i++) {
    double again = exchange();
    if (again < nanos) nanos = again;
  }
  atomic_store(&over, true);
  pthread_join(other, NULL);
  printf("{\"nanos\": %.1f}\n", nanos);
}
