#define _GNU_SOURCE
#include "executor.h"

#include <link.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

// The runtime's own entry points: a job runs "as" an executor, which is a pair of words in Swift's calling convention.
#define SWIFTCALL __attribute__((swiftcall))
typedef struct {
  void *identity;
  uintptr_t implementation;
} executor_ref;
extern SWIFTCALL executor_ref swift_task_getMainExecutor(void);
extern SWIFTCALL void swift_job_run(void *job, executor_ref executor);

typedef struct {
  void **slots;
  size_t head, count, capacity;  // capacity is a power of two
} ring;

static ring local;   // touched by the loop's thread only
static ring remote;  // behind `lock`
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void (*wake_loop)(void);
static bool draining;
static _Thread_local bool is_loop_thread;

static void ring_push(ring *queue, void *job) {
  if (queue->count == queue->capacity) {
    size_t capacity = queue->capacity ? queue->capacity * 2 : 256;
    void **slots = malloc(capacity * sizeof(void *));
    // A job that is lost is a task that never resumes: there is nothing better to do without memory.
    if (!slots) abort();
    for (size_t i = 0; i < queue->count; i++)
      slots[i] = queue->slots[(queue->head + i) & (queue->capacity - 1)];
    free(queue->slots);
    *queue = (ring){.slots = slots, .head = 0, .count = queue->count, .capacity = capacity};
  }
  queue->slots[(queue->head + queue->count) & (queue->capacity - 1)] = job;
  // Atomic because `take_remote` looks at it without the lock.
  __atomic_store_n(&queue->count, queue->count + 1, __ATOMIC_RELAXED);
}

static void *ring_pop(ring *queue) {
  void *job = queue->slots[queue->head];
  queue->head = (queue->head + 1) & (queue->capacity - 1);
  __atomic_store_n(&queue->count, queue->count - 1, __ATOMIC_RELAXED);
  return job;
}

void odi_executor_begin(void (*wake)(void)) {
  is_loop_thread = true;
  wake_loop = wake;
}

bool odi_executor_is_loop_thread(void) { return is_loop_thread; }

void odi_executor_push(void *job) {
  if (is_loop_thread) {
    ring_push(&local, job);
    return;
  }
  pthread_mutex_lock(&lock);
  bool first = remote.count == 0;
  ring_push(&remote, job);
  pthread_mutex_unlock(&lock);
  if (first && wake_loop) wake_loop();
}

static void take_remote(void) {
  // Without the lock this may miss a push that is under way; its wake-up brings the loop back here.
  if (__atomic_load_n(&remote.count, __ATOMIC_RELAXED) == 0) return;
  pthread_mutex_lock(&lock);
  while (remote.count) ring_push(&local, ring_pop(&remote));
  pthread_mutex_unlock(&lock);
}

size_t odi_executor_drain(size_t limit) {
  if (draining) return local.count;
  take_remote();
  if (local.count == 0) return 0;
  draining = true;
  executor_ref main_executor = swift_task_getMainExecutor();
  for (size_t ran = 0; local.count && ran < limit; ran++)
    swift_job_run(ring_pop(&local), main_executor);
  draining = false;
  return local.count;
}

void odi_executor_run_newest(void) {
  if (!is_loop_thread || local.count == 0) return;
  size_t last = local.count - 1;
  void *job = local.slots[(local.head + last) & (local.capacity - 1)];
  __atomic_store_n(&local.count, last, __ATOMIC_RELAXED);
  bool was_draining = draining;
  draining = true;
  swift_job_run(job, swift_task_getMainExecutor());
  draining = was_draining;
}

// What is mapped from a file and cannot be written is read from it again when it is touched; mostly it never is.
static int give_back_code(struct dl_phdr_info *object, size_t size, void *unused) {
  (void)size, (void)unused;
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  for (int number = 0; number < object->dlpi_phnum; number++) {
    const ElfW(Phdr) *part = &object->dlpi_phdr[number];
    if (part->p_type != PT_LOAD || (part->p_flags & PF_W)) continue;
    uintptr_t begin = (object->dlpi_addr + part->p_vaddr) & ~(page - 1);
    uintptr_t end = (object->dlpi_addr + part->p_vaddr + part->p_memsz + page - 1) & ~(page - 1);
    // It is advice: where the kernel does not take it, as for its own page of code, everything stays as it is.
    (void)madvise((void *)begin, end - begin, MADV_DONTNEED);
  }
  return 0;
}

typedef struct {
  void (*done)(void *context);
  void *context;
} giving;

static void *give_back(void *given) {
  giving own = *(giving *)given;
  free(given);
  malloc_trim(0);
  dl_iterate_phdr(give_back_code, NULL);
  own.done(own.context);
  return NULL;
}

void odi_memory_pools(int count) { mallopt(M_ARENA_MAX, count); }

void odi_memory_give_back(void (*done)(void *context), void *context) {
  giving *given = malloc(sizeof *given);
  if (!given) abort();
  *given = (giving){done, context};

  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&attributes, 256 << 10);
  // Signals are for the loop's thread; a new thread inherits what is blocked when it is made.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread;
  if (pthread_create(&thread, &attributes, give_back, given) != 0) give_back(given);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
}
