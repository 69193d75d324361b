// What every peer shares: its command line, the measured window, and the one line of JSON it prints.
#pragma once

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

struct bench_options {
  int port;         // of the server; 0 lets a server choose one
  int connections;  // of a client
  int outstanding;  // calls in flight on each connection
  double seconds;   // of the measured window
  double warmup;    // before it
};

// PROGRAM server|client [--port P] [--connections C] [--outstanding N] [--seconds S] [--warmup W]
static inline struct bench_options bench_parse(int argc, char **argv) {
  struct bench_options o = {0, 1, 1, 1.0, 0.2};
  for (int i = 2; i + 1 < argc; i += 2) {
    const char *name = argv[i], *value = argv[i + 1];
    if (!strcmp(name, "--port")) o.port = atoi(value);
    else if (!strcmp(name, "--connections")) o.connections = atoi(value);
    else if (!strcmp(name, "--outstanding")) o.outstanding = atoi(value);
    else if (!strcmp(name, "--seconds")) o.seconds = atof(value);
    else if (!strcmp(name, "--warmup")) o.warmup = atof(value);
    else fprintf(stderr, "%s: no option %s\n", argv[0], name), exit(2);
  }
  return o;
}

static inline void bench_listening(int port) {
  printf("listening %d\n", port);
  fflush(stdout);
}

static inline uint64_t bench_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static inline double bench_cpu_us(void) {
  struct rusage u;
  getrusage(RUSAGE_SELF, &u);
  return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1e6 + (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

// A closed loop counts every reply and times one slot of each connection, so that the clock is not what is measured
// where calls are cheap; with one call outstanding that is every call.
enum { BENCH_SAMPLES_MAX = 1 << 20 };

struct bench_window {
  uint64_t opens, closes, opened, ended;
  uint64_t total, total_at_open, total_at_close;
  double cpu_at_open, cpu_at_close;
  uint32_t *samples;  // nanoseconds
  size_t count;
  int phase;  // 0 warming up, 1 measuring, 2 over
};

static inline struct bench_window bench_window_from(const struct bench_options *o) {
  struct bench_window w;
  memset(&w, 0, sizeof w);
  w.opens = bench_now() + (uint64_t)(o->warmup * 1e9);
  w.closes = w.opens + (uint64_t)(o->seconds * 1e9);
  w.samples = (uint32_t *)malloc(BENCH_SAMPLES_MAX * sizeof *w.samples);
  return w;
}

// Call when a timed slot's reply arrived at `now`, sent at `sent`. True once the window is over.
static inline int bench_sample(struct bench_window *w, uint64_t sent, uint64_t now) {
  if (w->phase == 1 && w->count < BENCH_SAMPLES_MAX) w->samples[w->count++] = (uint32_t)(now - sent);
  if (w->phase == 0 && now >= w->opens) {
    w->phase = 1;
    w->opened = now;
    w->total_at_open = w->total;
    w->cpu_at_open = bench_cpu_us();
  } else if (w->phase == 1 && now >= w->closes) {
    w->phase = 2;
    w->ended = now;
    w->total_at_close = w->total;
    w->cpu_at_close = bench_cpu_us();
  }
  return w->phase == 2;
}

static inline int bench_ascending(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

// `text` is the sum of all bytes of all strings of one reply: it proves that every candidate moved the same data.
static inline void bench_print(struct bench_window *w, uint64_t text) {
  qsort(w->samples, w->count, sizeof *w->samples, bench_ascending);
  double p50 = w->count ? w->samples[w->count / 2] / 1e3 : 0;
  double p99 = w->count ? w->samples[w->count - 1 - w->count / 100] / 1e3 : 0;
  uint64_t ops = w->total_at_close - w->total_at_open;
  printf("{\"ops\": %llu, \"total\": %llu, \"seconds\": %.6f, \"p50_us\": %.3f, \"p99_us\": %.3f, \"cpu_us\": %.0f, "
         "\"text\": %llu}\n",
         (unsigned long long)ops, (unsigned long long)w->total, (double)(w->ended - w->opened) / 1e9, p50, p99,
         w->cpu_at_close - w->cpu_at_open, (unsigned long long)text);
  fflush(stdout);
}
