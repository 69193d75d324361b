#ifndef ODI_WEB_H
#define ODI_WEB_H

/// A file of the page: its path below `Services/Gateway/Web`, and what is in it.
struct odi_web_file {
  const char *_Nonnull path;
  const unsigned char *_Nonnull bytes;
  unsigned long length;
};

/// How many files there are.
unsigned long odi_web_count(void);

/// The file at an index below the count.
struct odi_web_file odi_web_file(unsigned long index);

#endif
