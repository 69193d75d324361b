#include "testmain.h"

// `swift test` runs a main of its own, so the loop becomes the executor before any main does.
extern void odi_test_process_starts(void);

__attribute__((constructor)) static void start(void) { odi_test_process_starts(); }

void odi_test_main_is_linked(void) {}
