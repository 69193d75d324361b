#include "web.h"

// One block a file. Tests/CWebTests compares the list with the folder.

static const unsigned char file_0[] = {
#embed "../../Services/Gateway/Web/app.css"
};
static const unsigned char file_1[] = {
#embed "../../Services/Gateway/Web/i18n/en.json"
};
static const unsigned char file_2[] = {
#embed "../../Services/Gateway/Web/i18n/ja.json"
};
static const unsigned char file_3[] = {
#embed "../../Services/Gateway/Web/i18n/ko.json"
};
static const unsigned char file_4[] = {
#embed "../../Services/Gateway/Web/icons/icon-192.png"
};
static const unsigned char file_5[] = {
#embed "../../Services/Gateway/Web/icons/icon-512.png"
};
static const unsigned char file_6[] = {
#embed "../../Services/Gateway/Web/icons/icon-maskable.png"
};
static const unsigned char file_7[] = {
#embed "../../Services/Gateway/Web/icons/icon.svg"
};
static const unsigned char file_8[] = {
#embed "../../Services/Gateway/Web/icons/screen-narrow.webp"
};
static const unsigned char file_9[] = {
#embed "../../Services/Gateway/Web/icons/screen-wide.webp"
};
static const unsigned char file_10[] = {
#embed "../../Services/Gateway/Web/js/api.js"
};
static const unsigned char file_11[] = {
#embed "../../Services/Gateway/Web/js/app.js"
};
static const unsigned char file_12[] = {
#embed "../../Services/Gateway/Web/js/bookmarks.js"
};
static const unsigned char file_13[] = {
#embed "../../Services/Gateway/Web/js/dom.js"
};
static const unsigned char file_14[] = {
#embed "../../Services/Gateway/Web/js/env.js"
};
static const unsigned char file_15[] = {
#embed "../../Services/Gateway/Web/js/geo.js"
};
static const unsigned char file_16[] = {
#embed "../../Services/Gateway/Web/js/i18n.js"
};
static const unsigned char file_17[] = {
#embed "../../Services/Gateway/Web/js/kinds.js"
};
static const unsigned char file_18[] = {
#embed "../../Services/Gateway/Web/js/live-leader.js"
};
static const unsigned char file_19[] = {
#embed "../../Services/Gateway/Web/js/live-stream.js"
};
static const unsigned char file_20[] = {
#embed "../../Services/Gateway/Web/js/live-worker.js"
};
static const unsigned char file_21[] = {
#embed "../../Services/Gateway/Web/js/live.js"
};
static const unsigned char file_22[] = {
#embed "../../Services/Gateway/Web/js/parts.js"
};
static const unsigned char file_23[] = {
#embed "../../Services/Gateway/Web/js/pieces.js"
};
static const unsigned char file_24[] = {
#embed "../../Services/Gateway/Web/js/player.js"
};
static const unsigned char file_25[] = {
#embed "../../Services/Gateway/Web/js/time.js"
};
static const unsigned char file_26[] = {
#embed "../../Services/Gateway/Web/js/views/bookmarks.js"
};
static const unsigned char file_27[] = {
#embed "../../Services/Gateway/Web/js/views/cinema.js"
};
static const unsigned char file_28[] = {
#embed "../../Services/Gateway/Web/js/views/dinner.js"
};
static const unsigned char file_29[] = {
#embed "../../Services/Gateway/Web/js/views/discover.js"
};
static const unsigned char file_30[] = {
#embed "../../Services/Gateway/Web/js/views/door.js"
};
static const unsigned char file_31[] = {
#embed "../../Services/Gateway/Web/js/views/festival-grid.js"
};
static const unsigned char file_32[] = {
#embed "../../Services/Gateway/Web/js/views/festival.js"
};
static const unsigned char file_33[] = {
#embed "../../Services/Gateway/Web/js/views/festivals.js"
};
static const unsigned char file_34[] = {
#embed "../../Services/Gateway/Web/js/views/film.js"
};
static const unsigned char file_35[] = {
#embed "../../Services/Gateway/Web/js/views/import.js"
};
static const unsigned char file_36[] = {
#embed "../../Services/Gateway/Web/js/views/map.js"
};
static const unsigned char file_37[] = {
#embed "../../Services/Gateway/Web/js/views/nearby.js"
};
static const unsigned char file_38[] = {
#embed "../../Services/Gateway/Web/js/views/plan.js"
};
static const unsigned char file_39[] = {
#embed "../../Services/Gateway/Web/js/views/radio.js"
};
static const unsigned char file_40[] = {
#embed "../../Services/Gateway/Web/js/views/search.js"
};
static const unsigned char file_41[] = {
#embed "../../Services/Gateway/Web/js/views/session.js"
};
static const unsigned char file_42[] = {
#embed "../../Services/Gateway/Web/js/views/settings.js"
};
static const unsigned char file_43[] = {
#embed "../../Services/Gateway/Web/js/views/status.js"
};
static const unsigned char file_44[] = {
#embed "../../Services/Gateway/Web/js/views/tonight.js"
};
static const unsigned char file_45[] = {
#embed "../../Services/Gateway/Web/manifest.webmanifest"
};
static const unsigned char file_46[] = {
#embed "../../Services/Gateway/Web/map/base.json"
};
static const unsigned char file_47[] = {
#embed "../../Services/Gateway/Web/shell.html"
};
static const unsigned char file_48[] = {
#embed "../../Services/Gateway/Web/sw.js"
};

static const struct odi_web_file files[] = {
  {"app.css", file_0, sizeof file_0},
  {"i18n/en.json", file_1, sizeof file_1},
  {"i18n/ja.json", file_2, sizeof file_2},
  {"i18n/ko.json", file_3, sizeof file_3},
  {"icons/icon-192.png", file_4, sizeof file_4},
  {"icons/icon-512.png", file_5, sizeof file_5},
  {"icons/icon-maskable.png", file_6, sizeof file_6},
  {"icons/icon.svg", file_7, sizeof file_7},
  {"icons/screen-narrow.webp", file_8, sizeof file_8},
  {"icons/screen-wide.webp", file_9, sizeof file_9},
  {"js/api.js", file_10, sizeof file_10},
  {"js/app.js", file_11, sizeof file_11},
  {"js/bookmarks.js", file_12, sizeof file_12},
  {"js/dom.js", file_13, sizeof file_13},
  {"js/env.js", file_14, sizeof file_14},
  {"js/geo.js", file_15, sizeof file_15},
  {"js/i18n.js", file_16, sizeof file_16},
  {"js/kinds.js", file_17, sizeof file_17},
  {"js/live-leader.js", file_18, sizeof file_18},
  {"js/live-stream.js", file_19, sizeof file_19},
  {"js/live-worker.js", file_20, sizeof file_20},
  {"js/live.js", file_21, sizeof file_21},
  {"js/parts.js", file_22, sizeof file_22},
  {"js/pieces.js", file_23, sizeof file_23},
  {"js/player.js", file_24, sizeof file_24},
  {"js/time.js", file_25, sizeof file_25},
  {"js/views/bookmarks.js", file_26, sizeof file_26},
  {"js/views/cinema.js", file_27, sizeof file_27},
  {"js/views/dinner.js", file_28, sizeof file_28},
  {"js/views/discover.js", file_29, sizeof file_29},
  {"js/views/door.js", file_30, sizeof file_30},
  {"js/views/festival-grid.js", file_31, sizeof file_31},
  {"js/views/festival.js", file_32, sizeof file_32},
  {"js/views/festivals.js", file_33, sizeof file_33},
  {"js/views/film.js", file_34, sizeof file_34},
  {"js/views/import.js", file_35, sizeof file_35},
  {"js/views/map.js", file_36, sizeof file_36},
  {"js/views/nearby.js", file_37, sizeof file_37},
  {"js/views/plan.js", file_38, sizeof file_38},
  {"js/views/radio.js", file_39, sizeof file_39},
  {"js/views/search.js", file_40, sizeof file_40},
  {"js/views/session.js", file_41, sizeof file_41},
  {"js/views/settings.js", file_42, sizeof file_42},
  {"js/views/status.js", file_43, sizeof file_43},
  {"js/views/tonight.js", file_44, sizeof file_44},
  {"manifest.webmanifest", file_45, sizeof file_45},
  {"map/base.json", file_46, sizeof file_46},
  {"shell.html", file_47, sizeof file_47},
  {"sw.js", file_48, sizeof file_48},
};

unsigned long odi_web_count(void) { return sizeof files / sizeof files[0]; }

struct odi_web_file odi_web_file(unsigned long index) { return files[index]; }
