#pragma once
#include <errno.h>
#include <sys/prctl.h>
#include <zbar.h>

// A four-character code, which the header makes with a macro that Swift cannot read: one byte of grey a square.
enum { CZBAR_GREY = 'Y' | '8' << 8 | '0' << 16 | '0' << 24 };

// From now on nothing that this thread starts gets more rights than it has. prctl takes any number of arguments, which
// Swift cannot call.
static inline int czbar_no_new_privileges(void) {
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 ? 0 : errno;
}
