#pragma once

/// Called once from Swift so that the linker keeps the constructor.
void odi_test_main_is_linked(void);
