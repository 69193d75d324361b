// Cap'n Proto's two-party RPC: one event loop and one thread on each side. The client touches every string, because a
// reply that nobody reads costs Cap'n Proto nothing.

#include <capnp/ez-rpc.h>

#include <memory>
#include <string>
#include <vector>

#include "bench.h"
#include "cinemas.capnp.h"
#include "cinemas.h"

namespace {

class Service final : public Cinemas::Server {
  kj::Promise<void> nearest(NearestContext context) override {
    auto list = context.getResults().initCinemas(3);
    for (unsigned i = 0; i < 3; i++) {
      const auto &cinema = cinemas[i];
      list[i].setId(cinema.id);
      list[i].setName(cinema.name);
      list[i].setAddress(cinema.address);
      list[i].setWebsite(cinema.website);
      list[i].setLatitude(cinema.latitude);
      list[i].setLongitude(cinema.longitude);
      list[i].setMetres(cinema.metres);
      list[i].setScreens(cinema.screens);
    }
    return kj::READY_NOW;
  }
};

int serve(const bench_options &options) {
  capnp::EzRpcServer server(kj::heap<Service>(), "127.0.0.1", options.port);
  auto &scope = server.getWaitScope();
  bench_listening(static_cast<int>(server.getPort().wait(scope)));
  kj::NEVER_DONE.wait(scope);
}

bench_window window;
uint64_t text;
size_t touched;

uint64_t text_of_reply(capnp::List<Cinema>::Reader list) {
  uint64_t sum = 0;
  for (auto cinema : list)
    for (auto string : {cinema.getId(), cinema.getName(), cinema.getAddress(), cinema.getWebsite()})
      sum += text_of(string.begin(), string.size());
  return sum;
}

kj::Promise<void> callForever(Cinemas::Client &client, bool timed, uint64_t sent) {
  auto request = client.nearestRequest();
  request.setLatitude(37.498095);
  request.setLongitude(127.027610);
  request.setLimit(10);
  return request.send().then([&client, timed, sent](capnp::Response<Cinemas::NearestResults> &&reply) {
    auto list = reply.getCinemas();
    KJ_REQUIRE(list.size() == 3);
    for (auto cinema : list)
      touched += cinema.getId().size() + cinema.getName().size() + cinema.getAddress().size() + cinema.getWebsite().size();
    window.total++;
    if (!text) text = text_of_reply(list);
    uint64_t now = sent;
    if (timed) {
      now = bench_now();
      if (bench_sample(&window, sent, now)) {
        bench_print(&window, text);
        _Exit(touched == 0);
      }
    }
    return callForever(client, timed, now);
  });
}

int call(const bench_options &options) {
  std::vector<std::unique_ptr<capnp::EzRpcClient>> connections;
  std::vector<std::unique_ptr<Cinemas::Client>> clients;
  for (int i = 0; i < options.connections; i++) {
    connections.push_back(std::make_unique<capnp::EzRpcClient>("127.0.0.1", options.port));
    clients.push_back(std::make_unique<Cinemas::Client>(connections.back()->getMain<Cinemas>()));
  }
  window = bench_window_from(&options);
  kj::Vector<kj::Promise<void>> loops;
  for (auto &client : clients)
    for (int j = 0; j < options.outstanding; j++) loops.add(callForever(*client, j == 0, bench_now()));
  kj::joinPromises(loops.releaseAsArray()).wait(connections.front()->getWaitScope());
  return 1;
}

}  // namespace

int main(int argc, char **argv) {
  auto options = bench_parse(argc, argv);
  std::string verb = argc > 1 ? argv[1] : "";
  if (verb == "server") return serve(options);
  if (verb == "client") return call(options);
  if (verb == "version")
    return printf("Cap'n Proto %d.%d.%d\n", CAPNP_VERSION / 1000000, CAPNP_VERSION / 1000 % 1000, CAPNP_VERSION % 1000), 0;
  fprintf(stderr, "usage: rpc_capnp server|client|version [--port P] …\n");
  return 2;
}
