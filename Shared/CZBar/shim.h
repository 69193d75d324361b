#pragma once
#include <zbar.h>

// A four-character code, which the header makes with a macro that Swift cannot read: one byte of grey a square.
enum { CZBAR_GREY = 'Y' | '8' << 8 | '0' << 16 | '0' << 24 };
