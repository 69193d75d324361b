#pragma once
#include <errno.h>
#include <gumbo.h>
#include <iconv.h>
#include <stddef.h>
#include <string.h>

// Swift reads a member of a union by copying the union; these read it in place.
static inline const GumboVector *cgumbo_children(const GumboNode *node) {
  return node->type == GUMBO_NODE_DOCUMENT ? &node->v.document.children : &node->v.element.children;
}

static inline const GumboElement *cgumbo_element(const GumboNode *node) { return &node->v.element; }

static inline const char *cgumbo_text(const GumboNode *node) { return node->v.text.text; }

static inline const GumboNode *cgumbo_child(const GumboVector *children, size_t index) { return children->data[index]; }

static inline const GumboAttribute *cgumbo_attribute(const GumboElement *element, size_t index) {
  return element->attributes.data[index];
}

static inline size_t cgumbo_length(const char *string) { return strlen(string); }

// Where the first such byte stands, or `length`.
static inline size_t cgumbo_place(const void *text, size_t length, int byte) {
  const char *found = length ? memchr(text, byte, length) : NULL;
  return found ? (size_t)(found - (const char *)text) : length;
}

// iconv reports failure as a pointer that Swift cannot spell.
static inline void *cgumbo_iconv_open(const char *from) {
  iconv_t converter = iconv_open("UTF-8", from);
  return converter == (iconv_t)-1 ? NULL : converter;
}

static inline void cgumbo_iconv_close(void *converter) { iconv_close(converter); }

typedef enum { GUMBO_TEXT_CONVERTED, GUMBO_TEXT_OUTPUT_FULL, GUMBO_TEXT_INVALID, GUMBO_TEXT_INCOMPLETE } cgumbo_conversion;

// Converts as much as it can and moves both ranges on. Without input it writes what the converter still holds.
static inline cgumbo_conversion cgumbo_iconv(
    void *converter, const char **input, size_t *input_left, char **output, size_t *output_left) {
  if (iconv(converter, *input_left ? (char **)input : NULL, input_left, output, output_left) != (size_t)-1) return GUMBO_TEXT_CONVERTED;
  switch (errno) {
    case E2BIG: return GUMBO_TEXT_OUTPUT_FULL;
    case EINVAL: return GUMBO_TEXT_INCOMPLETE;
    default: return GUMBO_TEXT_INVALID;
  }
}
