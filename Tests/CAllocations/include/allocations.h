#pragma once
#include <stddef.h>
#include <stdint.h>

/// What the calling thread has asked of malloc so far: other threads do not disturb a test's count.
uint64_t odi_allocations(void);

/// The bytes of it, given back or not, as malloc rounded them.
uint64_t odi_allocated_bytes(void);

/// The bytes of it that are still in use, as malloc rounded them. Memory that one thread takes and another gives back is
/// counted for neither rightly; between two looks of one thread at its own work it is exact.
int64_t odi_live_bytes(void);
