#pragma once

#include <stdbool.h>
#include <stddef.h>

/// The queue of Swift jobs of one process, and the thread that runs them.
///
/// Jobs that are pushed on the loop's own thread go to a ring without a lock. Jobs from other threads go to a second
/// ring behind a mutex, and the first of a batch wakes the loop.

/// Makes the calling thread the one that runs jobs. `wake` is called from other threads and must be thread-safe.
void odi_executor_begin(void (*wake)(void));

bool odi_executor_is_loop_thread(void);

/// Takes a Swift job, from any thread.
void odi_executor_push(void *job);

/// Runs up to `limit` jobs as the main executor, those included that these jobs push. Returns how many still wait.
/// A call from within a running job does nothing.
size_t odi_executor_drain(size_t limit);

/// Runs the job that was pushed last, before all others, until it waits or ends. Also from within a running job. On
/// another thread than the loop's it does nothing: the loop will get to the job.
void odi_executor_run_newest(void);

/// How many pools (arenas) malloc makes for all threads of this process. Before those threads, or it comes too late for
/// them.
void odi_memory_pools(int count);

/// Gives memory back that nobody uses and that malloc holds for later, and calls `done`. It takes milliseconds, on a
/// thread that ends with it; if there is none, on this one.
void odi_memory_give_back(void (*done)(void *context), void *context);
