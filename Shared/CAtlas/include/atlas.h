#pragma once

#include <stddef.h>

/// A file that was compiled in. It lives as long as the process.
typedef struct {
  const unsigned char *bytes;
  size_t count;
} odi_atlas_file;

odi_atlas_file odi_atlas_korea(void);
odi_atlas_file odi_atlas_london(void);
odi_atlas_file odi_atlas_films(void);
odi_atlas_file odi_atlas_people(void);
odi_atlas_file odi_atlas_stations(void);
