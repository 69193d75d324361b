#include "atlas.h"

static const unsigned char korea[] = {
#embed "korea.csv"
};

static const unsigned char london[] = {
#embed "london.csv"
};

static const unsigned char films[] = {
#embed "films.csv"
};

static const unsigned char people[] = {
#embed "people.csv"
};

static const unsigned char stations[] = {
#embed "stations.csv"
};

odi_atlas_file odi_atlas_korea(void) { return (odi_atlas_file){korea, sizeof korea}; }
odi_atlas_file odi_atlas_london(void) { return (odi_atlas_file){london, sizeof london}; }
odi_atlas_file odi_atlas_films(void) { return (odi_atlas_file){films, sizeof films}; }
odi_atlas_file odi_atlas_people(void) { return (odi_atlas_file){people, sizeof people}; }
odi_atlas_file odi_atlas_stations(void) { return (odi_atlas_file){stations, sizeof stations}; }
