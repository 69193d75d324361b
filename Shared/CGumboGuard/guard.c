#include "CGumboGuard.h"

#include <setjmp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct guard_chunk {
  struct guard_chunk *next, **link;  // link: the pointer that points here
  size_t size;
  size_t unused;  // keeps what follows on sixteen bytes
} guard_chunk;

// Stands before every allocation. Sixteen bytes, so that what follows is aligned for anything.
typedef struct guard_block {
  union {
    struct guard_block *next_free;
    uint32_t depth;  // of a node in the tree, 0 while it is not known
  };
  uint64_t size_class;
} guard_block;

enum {
  GUARD_CHUNK = 256 * 1024,
  GUARD_SMALL = 1024,    // up to here sizes are rounded up to 16 bytes, above to a power of two
  GUARD_LARGE = 32 * 1024,  // from here a block has a chunk to itself and goes back to malloc
  GUARD_SMALL_CLASSES = GUARD_SMALL / 16 + 1,
  GUARD_CLASSES = GUARD_SMALL_CLASSES + 8,
  GUARD_LARGE_CLASS = GUARD_CLASSES,
  // Looking where a character goes takes about as long as eight allocations do.
  GUARD_WORK_PER_CHARACTER = 8,
};

struct guard_arena {
  jmp_buf escape;
  guard_verdict verdict;
  guard_limits limits;
  size_t memory;
  uint64_t work;
  uint32_t depth;       // of the node that entered the tree last
  uint32_t attributes;  // made since the last node was
  uint32_t nodes;       // made in all
  GumboNode *pending;   // the node made last: where it went is seen when the next one is made
  guard_chunk *chunks;
  char *free_start, *free_end;
  guard_block *free_blocks[GUARD_CLASSES];
};

__attribute__((noreturn)) static void guard_leave(guard_arena *arena, guard_verdict verdict) {
  arena->verdict = verdict;
  _longjmp(arena->escape, 1);
}

static char *guard_new_chunk(guard_arena *arena, size_t size) {
  size += sizeof(guard_chunk);
  if (size > arena->limits.memory - arena->memory) guard_leave(arena, GUARD_OUT_OF_MEMORY);
  guard_chunk *chunk = malloc(size);
  if (!chunk) guard_leave(arena, GUARD_OUT_OF_MEMORY);
  arena->memory += size;
  *chunk = (guard_chunk){.next = arena->chunks, .link = &arena->chunks, .size = size};
  if (chunk->next) chunk->next->link = &chunk->next;
  arena->chunks = chunk;
  return (char *)(chunk + 1);
}

static void guard_free_chunk(guard_arena *arena, guard_chunk *chunk) {
  *chunk->link = chunk->next;
  if (chunk->next) chunk->next->link = chunk->link;
  arena->memory -= chunk->size;
  free(chunk);
}

static guard_block *guard_take(guard_arena *arena, size_t size) {
  if (size > arena->limits.memory) guard_leave(arena, GUARD_OUT_OF_MEMORY);
  size_t whole = size + sizeof(guard_block), size_class;
  guard_block *block;
  if (whole >= GUARD_LARGE) {
    size_class = GUARD_LARGE_CLASS;
    block = (guard_block *)guard_new_chunk(arena, whole);
  } else {
    if (whole <= GUARD_SMALL) {
      size_class = (whole + 15) / 16;
      whole = size_class * 16;
    } else {
      int power = 64 - __builtin_clzll((unsigned long long)whole - 1);
      size_class = GUARD_SMALL_CLASSES + (size_t)power - 11;
      whole = (size_t)1 << power;
    }
    block = arena->free_blocks[size_class];
    if (block) {
      arena->free_blocks[size_class] = block->next_free;
    } else {
      if ((size_t)(arena->free_end - arena->free_start) < whole) {
        arena->free_start = guard_new_chunk(arena, GUARD_CHUNK);
        arena->free_end = arena->free_start + GUARD_CHUNK;
      }
      block = (guard_block *)arena->free_start;
      arena->free_start += whole;
    }
  }
  block->depth = 0;
  block->size_class = size_class;
  return block;
}

// A vector of sixteen pointers is as large as a node; but a node begins with its type, which is a small number.
static bool guard_is_node(const GumboNode *candidate) {
  uint64_t head;
  memcpy(&head, candidate, sizeof head);
  return head <= GUMBO_NODE_TEMPLATE;
}

static guard_block *guard_block_of(const void *allocation) { return (guard_block *)allocation - 1; }

// Finds how deep the node made last came to stand, and remembers it in the block before the node.
static void guard_measure_pending(guard_arena *arena) {
  if (!arena->pending || !guard_is_node(arena->pending)) return;
  uint32_t steps = 0;
  const GumboNode *top = arena->pending;
  while (top->parent && !guard_block_of(top)->depth && steps <= arena->limits.depth) {
    top = top->parent;
    steps++;
  }
  uint32_t depth = steps + guard_block_of(top)->depth;
  if (depth > arena->limits.depth) guard_leave(arena, GUARD_TOO_DEEP);
  bool is_in_tree = guard_block_of(top)->depth || top->type == GUMBO_NODE_DOCUMENT;
  if (is_in_tree) guard_block_of(arena->pending)->depth = depth;
  arena->depth = depth;
}

static void *guard_allocate(void *userdata, size_t size) {
  guard_arena *arena = userdata;
  uint64_t work = 1, depth = 1 + arena->depth;
  void *allocation = guard_take(arena, size) + 1;
  if (size == sizeof(GumboNode)) {
    guard_measure_pending(arena);
    // gumbo compares the attributes of a formatting element with those of the open ones, each with each.
    if (arena->attributes > 16) work += (uint64_t)arena->attributes * arena->attributes;
    arena->attributes = 0;
    arena->nodes++;
    arena->pending = allocation;
    memset(allocation, 0, sizeof(GumboNode));
  } else if (size == sizeof(GumboAttribute)) {
    // gumbo looks through a tag's attributes for each new one.
    if (++arena->attributes > arena->limits.attributes) guard_leave(arena, GUARD_TOO_MANY_ATTRIBUTES);
  } else {
    work += size * GUARD_WORK_PER_CHARACTER;
  }
  arena->work += work * depth;
  if (arena->work > arena->limits.work) guard_leave(arena, GUARD_TOO_MUCH_WORK);
  return allocation;
}

static void guard_deallocate(void *userdata, void *allocation) {
  guard_arena *arena = userdata;
  if (!allocation) return;
  if (allocation == arena->pending) arena->pending = NULL;
  guard_block *block = guard_block_of(allocation);
  if (block->size_class == (sizeof(GumboAttribute) + sizeof(guard_block) + 15) / 16 && arena->attributes) {
    arena->attributes--;
  }
  if (block->size_class == GUARD_LARGE_CLASS) {
    guard_free_chunk(arena, (guard_chunk *)block - 1);
  } else {
    block->next_free = arena->free_blocks[block->size_class];
    arena->free_blocks[block->size_class] = block;
  }
}

guard_arena *guard_arena_make(guard_limits limits) {
  guard_arena *arena = calloc(1, sizeof *arena);
  if (arena) arena->limits = limits;
  return arena;
}

void guard_arena_free(guard_arena *arena) {
  while (arena->chunks) guard_free_chunk(arena, arena->chunks);
  free(arena);
}

size_t guard_memory(const guard_arena *arena) { return arena->memory; }
uint64_t guard_work(const guard_arena *arena) { return arena->work; }
uint32_t guard_nodes(const guard_arena *arena) { return arena->nodes; }

// The parse that this thread is in the middle of.
static _Thread_local guard_arena *parsing;

guard_verdict guard_parse(guard_arena *arena, const char *bytes, size_t count, GumboOutput **output) {
  *output = NULL;
  parsing = arena;
  if (_setjmp(arena->escape)) {
    parsing = NULL;
    return arena->verdict;
  }
  GumboOptions options = kGumboDefaultOptions;
  options.allocator = guard_allocate;
  options.deallocator = guard_deallocate;
  options.userdata = arena;
  options.max_errors = 0;
  *output = gumbo_parse_with_options(&options, bytes, count);
  parsing = NULL;
  return GUARD_PARSED;
}

// Debian's gumbo is built with its assertions, and a page can make three of them fail (a fuzzer finds them within
// a million pages). This definition comes before libc's, so a failed assertion during a parse is a verdict about the
// page; any other one ends the process as always.
__attribute__((noreturn)) void __assert_fail(
    const char *assertion, const char *file, unsigned int line, const char *function) {
  if (parsing) guard_leave(parsing, GUARD_CONFUSED);
  fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function, assertion);
  abort();
}
