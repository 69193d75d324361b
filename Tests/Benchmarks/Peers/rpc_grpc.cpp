// gRPC C++ as its users write it for speed: asynchronous completion queues, one thread on each side.

#include <grpcpp/grpcpp.h>

#include <memory>
#include <optional>
#include <vector>

#include "bench.h"
#include "cinemas.grpc.pb.h"
#include "cinemas.h"

namespace {

// Calls the server has asked for in advance, so that a burst never waits for the next request object.
constexpr int preposted = 512;

struct ServerCall {
  enum { waiting, answering } state = waiting;
  std::unique_ptr<grpc::ServerContext> context;
  bench::NearestRequest request;
  std::optional<grpc::ServerAsyncResponseWriter<bench::NearestReply>> writer;

  void wait(bench::Cinemas::AsyncService &service, grpc::ServerCompletionQueue *queue) {
    state = waiting;
    writer.reset();
    context = std::make_unique<grpc::ServerContext>();
    writer.emplace(context.get());
    service.RequestNearest(context.get(), &request, &*writer, queue, queue, this);
  }

  void answer() {
    state = answering;
    bench::NearestReply reply;
    for (const auto &cinema : cinemas) {
      auto *to = reply.add_cinemas();
      to->set_id(cinema.id);
      to->set_name(cinema.name);
      to->set_address(cinema.address);
      to->set_website(cinema.website);
      to->set_latitude(cinema.latitude);
      to->set_longitude(cinema.longitude);
      to->set_metres(cinema.metres);
      to->set_screens(cinema.screens);
    }
    writer->Finish(reply, grpc::Status::OK, this);
  }
};

int serve(const bench_options &options) {
  bench::Cinemas::AsyncService service;
  grpc::ServerBuilder builder;
  int port = 0;
  builder.AddListeningPort("127.0.0.1:" + std::to_string(options.port), grpc::InsecureServerCredentials(), &port);
  builder.RegisterService(&service);
  auto queue = builder.AddCompletionQueue();
  auto server = builder.BuildAndStart();
  if (!server) return 1;
  std::vector<ServerCall> calls(preposted);
  for (auto &call : calls) call.wait(service, queue.get());
  bench_listening(port);
  void *tag;
  bool ok;
  while (queue->Next(&tag, &ok)) {
    auto *call = static_cast<ServerCall *>(tag);
    if (ok && call->state == ServerCall::waiting) call->answer();
    else call->wait(service, queue.get());
  }
  return 0;
}

struct ClientCall {
  bench::Cinemas::Stub *stub;
  bool timed;
  uint64_t sent = 0;
  std::optional<grpc::ClientContext> context;
  bench::NearestRequest request;
  bench::NearestReply reply;
  grpc::Status status;
  std::unique_ptr<grpc::ClientAsyncResponseReader<bench::NearestReply>> reader;

  void start(grpc::CompletionQueue &queue) {
    reader.reset();
    context.emplace();
    request.set_latitude(37.498095);
    request.set_longitude(127.027610);
    request.set_limit(10);
    reader = stub->AsyncNearest(&*context, request, &queue);
    reader->Finish(&reply, &status, this);
  }
};

uint64_t text_of_reply(const bench::NearestReply &reply) {
  uint64_t sum = 0;
  for (const auto &cinema : reply.cinemas())
    for (const auto *string : {&cinema.id(), &cinema.name(), &cinema.address(), &cinema.website()})
      sum += text_of(string->data(), string->size());
  return sum;
}

int call(const bench_options &options) {
  grpc::CompletionQueue queue;
  std::vector<std::unique_ptr<bench::Cinemas::Stub>> stubs;
  std::vector<std::unique_ptr<ClientCall>> calls;
  for (int i = 0; i < options.connections; i++) {
    grpc::ChannelArguments arguments;
    arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);  // a connection of its own for each channel
    auto channel = grpc::CreateCustomChannel(
        "127.0.0.1:" + std::to_string(options.port), grpc::InsecureChannelCredentials(), arguments);
    if (!channel->WaitForConnected(std::chrono::system_clock::now() + std::chrono::seconds(5))) return 1;
    stubs.push_back(bench::Cinemas::NewStub(channel));
    for (int j = 0; j < options.outstanding; j++) {
      calls.push_back(std::make_unique<ClientCall>());
      calls.back()->stub = stubs.back().get();
      calls.back()->timed = j == 0;
    }
  }
  auto window = bench_window_from(&options);
  for (auto &call : calls) {
    call->sent = bench_now();
    call->start(queue);
  }
  uint64_t text = 0;
  void *tag;
  bool ok;
  while (queue.Next(&tag, &ok)) {
    auto *call = static_cast<ClientCall *>(tag);
    if (!ok || !call->status.ok() || call->reply.cinemas_size() != 3) {
      fprintf(stderr, "call failed: %s\n", call->status.error_message().c_str());
      return 1;
    }
    window.total++;
    if (!text) text = text_of_reply(call->reply);
    if (call->timed) {
      auto now = bench_now();
      if (bench_sample(&window, call->sent, now)) {
        bench_print(&window, text);
        _Exit(0);  // calls are in flight: tearing them down is not what is measured
      }
      call->sent = now;
    }
    call->start(queue);
  }
  return 1;
}

}  // namespace

int main(int argc, char **argv) {
  auto options = bench_parse(argc, argv);
  std::string verb = argc > 1 ? argv[1] : "";
  if (verb == "server") return serve(options);
  if (verb == "client") return call(options);
  if (verb == "version") return printf("gRPC %s, protobuf %d\n", grpc::Version().c_str(), GOOGLE_PROTOBUF_VERSION), 0;
  fprintf(stderr, "usage: rpc_grpc server|client|version [--port P] …\n");
  return 2;
}
