import Clocks
import Crypto
package import EventLoops
import Glibc
import Observability
package import RPC
import RPCTransport

/// The part of a service that takes calls: from other services where it listens, from administrators on a unix socket.
package final class CallServer: ServicePart {
  nonisolated package let name = "calls"
  private let environment: ServiceEnvironment
  private let server: RPCServer
  private var resting: (any Scheduled)?
  /// Where calls are taken, once they are.
  package private(set) var address: SocketAddress?

  /// - Parameters:
  ///   - router: with the service's handlers; the administrators' are added here.
  ///   - callsAtOnce: how many calls are never too many, where they rather wait for each other than compete.
  package init(_ router: RPCRouter, in environment: ServiceEnvironment, callsAtOnce: Int? = nil) {
    self.environment = environment
    AdminHandlers(environment: environment).register(on: router)
    var limits = ServerLimits()
    limits.drain = environment.configuration[StandardSettings.drainTime]
    limits.listener.reusePort = environment.sharesPort
    if let callsAtOnce {
      limits.concurrency.floor = callsAtOnce
      limits.concurrency.initial = max(limits.concurrency.initial, callsAtOnce)
    }
    server = RPCServer(
      router, build: environment.build.version, secret: environment.configuration[StandardSettings.sharedSecret],
      limits: limits, time: environment.time, log: environment.log, metrics: environment.metrics,
      traces: environment.traces)
    server.health.ask = { [readiness = environment.readiness] in readiness.health }
    environment.readiness.onChange { [health = server.health] _ in health.changed() }
    server.onRest = { [weak self] in self?.rest() }
  }

  package func start() async throws {
    if case .unix(let path) = environment.adminListen { try makeFolder(of: path) }
    try server.listen(on: environment.adminListen)
    address = try listen()
    environment.callAddress = address
    environment.log.info(
      "taking calls",
      ["at": .string(address?.description ?? ""), "administrators": .string("\(environment.adminListen)")])
  }

  /// Takes the port, or says who has it.
  private func listen() throws(SocketError) -> SocketAddress {
    do throws(SocketError) {
      if environment.sharesPort, environment.worker == nil { try Listener.checkFree(environment.listen) }
      return try server.listen(on: environment.listen)
    } catch {
      guard error.code == .addressInUse, let port = environment.listen.port, let socket = ListeningSockets.now()[port]
      else { throw error }
      throw SocketError(
        .addressInUse, "\(error); \(socket.ownerText); end that process, or --listen with another port")
    }
  }

  package func drain() async {
    server.onRest = nil
    resting?.cancel()
    await server.drain()
  }

  /// An import or an export of megabytes leaves as much behind in pieces that nobody may need for days.
  private func rest() {
    resting?.cancel()
    resting = environment.time.after(Self.rests) { Task { await Background.giveMemoryBack() } }
  }

  /// The parts of a long file follow each other within less.
  private static let rests: Duration = .seconds(5)
}

/// Makes the folders that a file needs, for its owner alone.
nonisolated func makeFolder(of path: String) throws {
  let folders = path.split(separator: "/").dropLast()
  for count in 1...max(folders.count, 1) where count <= folders.count {
    let folder = (path.hasPrefix("/") ? "/" : "") + folders.prefix(count).joined(separator: "/")
    guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
      throw CommandError(.failed, "cannot make the folder \(folder)", why: String(cString: strerror(errno)))
    }
  }
}
