// The reply of the RPC benchmark: three invented cinemas. Odi's side holds the same in Odi/RPCPayloads.swift.
#pragma once

#include <stdint.h>
#include <string.h>

struct cinema {
  const char *id, *name, *address, *website;
  double latitude, longitude;
  uint32_t metres, screens;
};

static const struct cinema cinemas[3] = {
    {"hanbit-seocho", "한빛시네마 서초", "서울특별시 서초구 누리대로 일백이십삼 한빛빌딩 지하 일층",
     "https://hanbit-seocho.example/visits", 37.4979, 127.0276, 212, 3},
    {"narae-art-house", "나래아트하우스", "서울특별시 강남구 도담로 사십오길 나래타워 육층 오른쪽",
     "https://narae.example/art-house", 37.5012, 127.0396, 845, 2},
    {"cinema-mirinae", "미리내극장", "서울특별시 강남구 가람대로 삼백칠십일 미리내회관 이층 안쪽",
     "https://cinema-mirinae.example/theatre/gangnam", 37.5045, 127.0489, 1734, 5},
};

static inline uint64_t text_of(const char *bytes, size_t count) {
  uint64_t sum = 0;
  for (size_t i = 0; i < count; i++) sum += (uint8_t)bytes[i];
  return sum;
}
