// protobuf C++ on the codec benchmark's payloads. Odi's side holds the same values in Odi/CodecPayloads.swift.
//
//   codec_protobuf run [--seconds S]                one line of JSON for each case
//   codec_protobuf once --case C [--iterations N]   that case N times, to be counted from outside
//   codec_protobuf version

#include <google/protobuf/arena.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "bench.h"
#include "codec.pb.h"

namespace {

bench::Request request() {
  bench::Request request;
  request.set_lat(37.498095);
  request.set_lon(127.027610);
  request.set_limit(10);
  return request;
}

bench::Reply reply() {
  bench::Reply reply;
  auto add = [&](const char *id, const char *name, const char *address, double lat, double lon, double distance,
                 const char *website, int screens, std::vector<const char *> tags) {
    auto *cinema = reply.add_cinemas();
    cinema->set_id(id);
    cinema->set_name(name);
    cinema->set_address(address);
    cinema->set_lat(lat);
    cinema->set_lon(lon);
    cinema->set_distance_meters(distance);
    if (website) cinema->set_website(website);
    cinema->set_screens(screens);
    for (auto tag : tags) cinema->add_tags(tag);
  };
  add("hanbit-01", "한빛시네마", "서울특별시 서초구 누리대로 백이십삼 한빛빌딩 지하층", 37.4979, 127.0276, 212.5,
      "https://hanbit-cinema.example/seoul", 3, {"art", "4k", "cafe"});
  add("narae-arthouse", "나래아트하우스", "서울특별시 강남구 도담로 사십오길 나래타워 육층 우측", 37.5012, 127.0396, 845.25,
      nullptr, 2, {"indie", "35mm"});
  add("cinema-mirinae-3", "미리내극장 삼호", "서울특별시 강남구 가람대로 칠십일 미리내회관 이층", 37.5045, 127.0489, 1734.75,
      "https://cinema-mirinae.example/theatres/gangnam/screens?from=locator", 5, {"atmos", "imax", "family", "late"});
  return reply;
}

bench::Schedule schedule() {
  static const char *titles[] = {"밤의 도서관", "바람이 머무는 역", "The Lighthouse Keeper", "여름의 끝에서", "달팽이 우체국", "Paper Boats"};
  bench::Schedule schedule;
  for (int i = 0; i < 40; i++) {
    auto *screening = schedule.add_screenings();
    screening->set_film_id("film-" + std::to_string(1000 + i % 6));
    screening->set_title(titles[i % 6]);
    screening->set_starts_at(804000000.0 + i * 1500);
    screening->set_screen(std::to_string(i % 5 + 1) + "관");
    if (i % 3) screening->set_seats_left(20 + i);
    if (i % 4) screening->set_booking_url("https://tickets.example/book/" + std::to_string(50000 + i));
    (*screening->mutable_attributes())["lang"] = "ko";
    (*screening->mutable_attributes())["format"] = i % 2 ? "2D" : "4K";
  }
  return schedule;
}

bench::Blob blob() {
  std::string bytes(65536, 0);
  for (size_t i = 0; i < bytes.size(); i++) bytes[i] = static_cast<char>(i * 31 + 7);
  bench::Blob blob;
  blob.set_data(bytes);
  return blob;
}

bench::Doubles doubles() {
  bench::Doubles doubles;
  for (int i = 0; i < 10000; i++) doubles.add_values(i * 1.25);
  return doubles;
}

uint64_t sink;

struct Case {
  std::string name, candidate;
  size_t bytes;
  std::function<void(uint64_t)> run;  // so many times
};

template <class Message>
void add(std::vector<Case> &cases, const std::string &payload, Message made) {
  auto *message = new Message(std::move(made));
  auto *bytes = new std::string(message->SerializeAsString());
  size_t size = bytes->size();
  cases.push_back({payload + ".encode", "protobuf-cpp", size, [=](uint64_t times) {
    static std::string buffer;  // reused, as a connection would
    for (uint64_t i = 0; i < times; i++) {
      message->SerializeToString(&buffer);
      sink += buffer.size();
    }
  }});
  cases.push_back({payload + ".decode", "protobuf-cpp", size, [=](uint64_t times) {
    for (uint64_t i = 0; i < times; i++) {
      Message fresh;
      sink += fresh.ParseFromString(*bytes);
    }
  }});
  cases.push_back({payload + ".decode", "protobuf-cpp-reused", size, [=](uint64_t times) {
    static Message reused;
    for (uint64_t i = 0; i < times; i++) sink += reused.ParseFromString(*bytes);
  }});
  cases.push_back({payload + ".decode", "protobuf-cpp-arena", size, [=](uint64_t times) {
    for (uint64_t i = 0; i < times; i++) {
      google::protobuf::Arena arena;
      sink += google::protobuf::Arena::CreateMessage<Message>(&arena)->ParseFromString(*bytes);
    }
  }});
}

// The median of batches of some two milliseconds.
double nanoseconds(const Case &c, double seconds) {
  uint64_t batch = 1, took = 0;
  while (took < 2000000) {
    batch *= 2;
    auto start = bench_now();
    c.run(batch);
    took = bench_now() - start;
  }
  std::vector<double> batches;
  for (auto end = bench_now() + static_cast<uint64_t>(seconds * 1e9); batches.size() < 5 || bench_now() < end;) {
    auto start = bench_now();
    c.run(batch);
    batches.push_back(static_cast<double>(bench_now() - start) / static_cast<double>(batch));
  }
  std::sort(batches.begin(), batches.end());
  return batches[batches.size() / 2];
}

}  // namespace

int main(int argc, char **argv) {
  std::string verb = argc > 1 ? argv[1] : "", wanted;
  double seconds = 0.1;
  uint64_t iterations = 0;
  for (int i = 2; i + 1 < argc; i += 2) {
    std::string name = argv[i];
    if (name == "--seconds") seconds = atof(argv[i + 1]);
    else if (name == "--iterations") iterations = strtoull(argv[i + 1], nullptr, 10);
    else if (name == "--case") wanted = argv[i + 1];
    else return fprintf(stderr, "no option %s\n", argv[i]), 2;
  }
  if (verb == "version") return printf("protobuf %d\n", GOOGLE_PROTOBUF_VERSION), 0;
  std::vector<Case> cases;
  add(cases, "request", request());
  add(cases, "reply", reply());
  add(cases, "schedule", schedule());
  add(cases, "blob", blob());
  add(cases, "doubles", doubles());
  for (const auto &c : cases) {
    if (verb == "run") {
      printf("{\"candidate\": \"%s\", \"case\": \"%s\", \"ns\": %.2f, \"bytes\": %zu}\n", c.candidate.c_str(),
             c.name.c_str(), nanoseconds(c, seconds), c.bytes);
      fflush(stdout);
    } else if (verb == "once" && c.candidate + "/" + c.name == wanted) {
      c.run(iterations);
      return sink == 0 && iterations != 0;
    }
  }
  return verb == "run" ? 0 : 2;
}
