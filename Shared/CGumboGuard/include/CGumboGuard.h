#pragma once
#include <gumbo.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {
  GUARD_PARSED,
  GUARD_OUT_OF_MEMORY,
  GUARD_TOO_DEEP,
  GUARD_TOO_MANY_ATTRIBUTES,
  GUARD_TOO_MUCH_WORK,
  GUARD_CONFUSED,  // gumbo found itself in a state that it asserts cannot be
} guard_verdict;

typedef struct {
  size_t memory;        // bytes the arena may take from malloc
  uint32_t depth;       // elements inside each other
  uint32_t attributes;  // on one tag
  uint64_t work;        // allocations and characters, each weighted with the depth at which it was met
} guard_limits;

typedef struct guard_arena guard_arena;

// An arena for one parse, or NULL if there is no memory for it.
guard_arena *guard_arena_make(guard_limits limits);
void guard_arena_free(guard_arena *arena);

// Parses `bytes`, which must outlive the tree. The tree lives as long as the arena; after any verdict but GUARD_PARSED
// there is none and *output is NULL.
guard_verdict guard_parse(guard_arena *arena, const char *bytes, size_t count, GumboOutput **output);

// What the parse took, for tests and measurements.
size_t guard_memory(const guard_arena *arena);
uint64_t guard_work(const guard_arena *arena);
uint32_t guard_nodes(const guard_arena *arena);
