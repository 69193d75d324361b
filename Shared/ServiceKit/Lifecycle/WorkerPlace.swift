package import EventLoops
import Glibc
package import RPC
import RPCTransport

/// A process beside the one that owns a service's state: it takes calls at the same port and answers what only reads.
nonisolated package struct WorkerPlace: Sendable {
  /// From 2: the owner is the first.
  package let number: Int
  /// Where the owner takes calls, and so does this one.
  let calls: SocketAddress
  /// Where the owner answers administrators.
  private let owner: SocketAddress

  /// `2 127.0.0.1:7101`: what the owner tells one that it starts.
  static let variable = "ODI_WORKER"
  /// Where a worker finds the file of settings as its siblings live by it. It may have been changed since they began.
  static let fileVariable = "ODI_WORKER_CONFIG"
  static func text(_ number: Int, _ calls: SocketAddress) -> String { "\(number) \(calls)" }

  /// With the owner. Each has all that is read in its memory, and more cores than this are more machines.
  package static let countMax = 32

  /// Of one process: its loop's and the runtime's, the database's, libuv's pool, and half as many again.
  package static let threadsMax = 12

  /// How far a worker's operations port is from the one's before it. The suite's own ports are within a hundred of each
  /// other, so no worker's is one of them.
  package static let portStep = 100

  /// Nil for a process that nobody told that it is one.
  init?(_ environment: [String: String], owner: SocketAddress) throws(CommandError) {
    guard let text = environment[Self.variable] else { return nil }
    let words = text.split(separator: " ").map(String.init)
    guard words.count == 2, let number = Int(words[0]), (2...Self.countMax).contains(number),
      let calls = try? SocketAddress(parsing: words[1])
    else {
      throw CommandError(
        .usage, "\(Self.variable) is \(text), which no service says to a worker of its own",
        try: "unset \(Self.variable)")
    }
    self.number = number
    self.calls = calls
    self.owner = owner
  }

  /// What a process listens for at an address of its own.
  enum Purpose {
    case administrators, operations

    fileprivate var option: String {
      switch self {
      case .administrators: "--admin-listen"
      case .operations: "--operations-listen"
      }
    }
  }

  private static let remedy = "--workers 1"

  /// Refuses what cannot be shared out among `count` processes, before any of them is begun.
  /// - Parameter tasks: how many threads they may have together, if that has a limit.
  package static func check(
    _ count: Int, calls: SocketAddress, administrators: SocketAddress, operations: SocketAddress, tasks: Int?
  ) throws(CommandError) {
    guard case .ip = calls else {
      throw CommandError(
        .usage, "workers share a port, and calls are taken at \(calls)", try: "--listen 127.0.0.1:PORT, or \(remedy)")
    }
    if let tasks, count * threadsMax > tasks {
      throw CommandError(
        .usage, "\(count) workers do not fit in the \(tasks) threads that the system gives here",
        why: "each takes up to \(threadsMax)",
        try: "--workers \(max(tasks / threadsMax, 1)), or a higher TasksMax, pids.max or ulimit -u")
    }
    _ = try own(administrators, for: .administrators, of: count)
    _ = try own(operations, for: .operations, of: count)
  }

  /// This process's own address in the place of one of the owner's.
  func own(_ address: SocketAddress, for purpose: Purpose) throws(CommandError) -> SocketAddress {
    try Self.own(address, for: purpose, of: number)
  }

  /// `run/locator.sock-2`, port 8201 for 8101; a port that the kernel chooses is chosen for each.
  static func own(
    _ address: SocketAddress, for purpose: Purpose, of number: Int
  ) throws(CommandError) -> SocketAddress {
    switch address {
    case .ip(_, 0): return address
    case .ip(let ip, let port):
      guard let own = UInt16(exactly: Int(port) + (number - 1) * portStep) else {
        throw CommandError(
          .usage, "\(number) workers have no ports for \(purpose) from \(port) on",
          why: "each is \(portStep) after the last", try: "\(purpose.option) with a lower port, or \(remedy)")
      }
      return .ip(ip, port: own)
    case .unix(let path):
      return try .unix(fitting: "\(path)-\(number)", orElse: "--data with a shorter path, or \(remedy)")
    }
  }

  /// Which worker answers administrators at a socket, and where its owner does; nil for a socket that is no worker's.
  static func reader(at address: SocketAddress) -> (number: Int, owner: SocketAddress)? {
    guard case .unix(let path) = address, let dash = path.lastIndex(of: "-"), path[..<dash].hasSuffix(".sock"),
      let number = Int(path[path.index(after: dash)...]), (2...countMax).contains(number)
    else { return nil }
    return (number, .unix(path: String(path[..<dash])))
  }

  /// What `top` shows of it, which was begun by a path that says nothing. The kernel keeps 15 bytes.
  func nameProcess(_ service: String) {
    let file = open("/proc/self/comm", O_WRONLY | O_CLOEXEC)
    guard file >= 0 else { return }
    defer { close(file) }
    let name = Array("odi-\(service)-\(number)".utf8)
    _ = write(file, name, name.count)
  }

  /// A client of the owner, who is asked what this process cannot know.
  @MainActor package func client<Service: RPCService>(of _: Service.Type = Service.self) -> any RPCClient<Service> {
    ServiceClient(of: Service.self, at: [.address(owner)], as: "worker \(number)")
  }
}
