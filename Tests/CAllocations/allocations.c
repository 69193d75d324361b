// Counts allocations of the test process from inside: the executable's malloc comes before libc's.

#include "allocations.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>

static __thread uint64_t allocations;
static __thread uint64_t allocated_bytes;
static __thread int64_t live_bytes;

uint64_t odi_allocations(void) { return allocations; }
uint64_t odi_allocated_bytes(void) { return allocated_bytes; }
int64_t odi_live_bytes(void) { return live_bytes; }

// A sanitizer brings a malloc of its own; under it nothing is counted.
#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

static void *note(void *block) {
  allocations += 1;
  if (block) {
    const size_t size = malloc_usable_size(block);
    allocated_bytes += size;
    live_bytes += (int64_t)size;
  }
  return block;
}

void *malloc(size_t size) { return note(__libc_malloc(size)); }

void *calloc(size_t count, size_t size) { return note(__libc_calloc(count, size)); }

void *realloc(void *old, size_t size) {
  if (old) live_bytes -= (int64_t)malloc_usable_size(old);
  return note(__libc_realloc(old, size));
}

void *memalign(size_t alignment, size_t size) { return note(__libc_memalign(alignment, size)); }

void *aligned_alloc(size_t alignment, size_t size) { return note(__libc_memalign(alignment, size)); }

int posix_memalign(void **result, size_t alignment, size_t size) {
  void *block = note(__libc_memalign(alignment, size));
  if (!block) return ENOMEM;
  *result = block;
  return 0;
}

void free(void *block) {
  if (block) live_bytes -= (int64_t)malloc_usable_size(block);
  __libc_free(block);
}

#endif
