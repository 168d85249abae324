/* Counts, latencies, processor times, and the JSON object that tells them. */
#define _GNU_SOURCE
#include "load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* Values below 64 ns have a bucket each, others 64 buckets for each power of two: at most 1.6 % off. */
enum { SUB = 6, BUCKETS = 64 << SUB };

struct counters counters;

struct histogram {
  uint64_t buckets[BUCKETS], count, max;
};

static struct histogram latency, proxy;
static double user_begin, system_begin, user, kernel, own_begin, own;
static uint64_t begin, nanos;

static unsigned bucket_of(uint64_t value) {
  if (value < 1u << SUB) return (unsigned)value;
  unsigned power = 63u - (unsigned)__builtin_clzll(value);
  return ((power - SUB + 1) << SUB) + (unsigned)((value >> (power - SUB)) & ((1u << SUB) - 1));
}

static uint64_t bucket_value(unsigned bucket) {
  if (bucket < 1u << SUB) return bucket;
  unsigned power = (bucket >> SUB) + SUB - 1;
  return ((uint64_t)((bucket & ((1u << SUB) - 1)) + (1u << SUB)) << (power - SUB)) + (1ull << (power - SUB)) - 1;
}

static void record(struct histogram *h, uint64_t value) {
  h->buckets[bucket_of(value)]++;
  h->count++;
  if (value > h->max) h->max = value;
}

void latency_record(uint64_t value) { record(&latency, value); }

void proxy_record(uint64_t value) { record(&proxy, value); }

static double micros_at(const struct histogram *h, double quantile) {
  uint64_t seen = 0;
  for (unsigned i = 0; i < BUCKETS; i++) {
    seen += h->buckets[i];
    if (seen && (double)seen >= quantile * (double)h->count) return (double)bucket_value(i) / 1000;
  }
  return 0;
}

static void micros_print(const char *name, const struct histogram *h) {
  printf("\"%s\": {\"p50\": %.1f, \"p90\": %.1f, \"p99\": %.1f, \"p999\": %.1f, \"max\": %.1f, \"count\": %llu}, ", name,
      micros_at(h, 0.5), micros_at(h, 0.9), micros_at(h, 0.99), micros_at(h, 0.999), (double)h->max / 1000, (unsigned long long)h->count);
}

/* User and kernel time of the processes under test, all their threads included, in seconds. */
static void processor_times(double *u, double *k) {
  double tick = 1.0 / (double)sysconf(_SC_CLK_TCK);
  *u = *k = 0;
  for (int i = 0; i < options.pid_count; i++) {
    char path[64], line[1024];
    snprintf(path, sizeof path, "/proc/%d/stat", options.pids[i]);
    FILE *file = fopen(path, "r");
    if (!file || !fgets(line, sizeof line, file)) die(path);
    fclose(file);
    unsigned long utime, stime;
    if (sscanf(strrchr(line, ')') + 2, "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &utime, &stime) != 2) die(path);
    *u += (double)utime * tick;
    *k += (double)stime * tick;
  }
}

static uint64_t resident_bytes(void) {
  uint64_t sum = 0;
  for (int i = 0; i < options.pid_count; i++) {
    char path[64];
    unsigned long pages = 0;
    snprintf(path, sizeof path, "/proc/%d/statm", options.pids[i]);
    FILE *file = fopen(path, "r");
    if (!file || fscanf(file, "%*u %lu", &pages) != 1) die(path);
    fclose(file);
    sum += pages * (uint64_t)sysconf(_SC_PAGESIZE);
  }
  return sum;
}

static double own_time(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) + (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

void report_begin(void) {
  memset(&counters, 0, sizeof counters);
  memset(&latency, 0, sizeof latency);
  memset(&proxy, 0, sizeof proxy);
  own_begin = own_time();
  processor_times(&user_begin, &system_begin);
  begin = now_nanos();
}

void report_end(void) {
  nanos = now_nanos() - begin;
  processor_times(&user, &kernel);
  user -= user_begin;
  kernel -= system_begin;
  own = own_time() - own_begin;
}

void report_print(uint64_t unanswered) {
  double seconds = (double)nanos / 1e9, requests = counters.requests ? (double)counters.requests : 1;
  printf("{\"seconds\": %.3f, \"requests\": %llu, \"requestsPerSecond\": %.1f, \"bytesIn\": %llu, \"bytesOut\": %llu, ", seconds,
      (unsigned long long)counters.requests, (double)counters.requests / seconds, (unsigned long long)counters.bytes_in,
      (unsigned long long)counters.bytes_out);
  printf("\"errors\": {\"connect\": %llu, \"response\": %llu, \"broken\": %llu, \"unanswered\": %llu}, \"reconnects\": %llu, ",
      (unsigned long long)counters.errors_connect, (unsigned long long)counters.errors_status,
      (unsigned long long)counters.errors_broken, (unsigned long long)unanswered, (unsigned long long)counters.reconnects);
  printf("\"tlsResumed\": %llu, ", (unsigned long long)tls_resumed());
  micros_print("latencyMicros", &latency);
  if (options.stamps) micros_print("proxyMicros", &proxy);
  printf("\"proxy\": {\"userMicros\": %.3f, \"kernelMicros\": %.3f, \"busy\": %.3f, \"residentBytes\": %llu}, ",
      user * 1e6 / requests, kernel * 1e6 / requests, (user + kernel) / seconds, (unsigned long long)resident_bytes());
  printf("\"load\": {\"micros\": %.3f, \"busy\": %.3f}}\n", own * 1e6 / requests, own / seconds);
}
