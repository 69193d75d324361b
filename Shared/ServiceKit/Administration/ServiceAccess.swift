package import EventLoops
import Glibc
package import RPC
import RPCTransport

/// How a command finds the running service and asks it: at `--host`, or on the socket in the data folder.
///
///     let locator = ServiceAccess(to: "locator")
///     Command("get", "…", takes: [id] + locator.parameters) { call, output in
///       let cinema = try await locator.ask(CinemaByID(id: call[id]), call, output)
///
/// Its options are found as the service finds its settings: the command line, the environment, the file, the default.
package struct ServiceAccess {
  package let service: String
  private let wording: @Sendable (RPCError) -> CommandError?

  private static let host = Parameter<SocketAddress?>.optionalOption(
    "host", "where the service's administrators are answered, unix:/path")
  private static let data = Parameter<String?>.optionalOption(
    "data", "the folder that the service keeps its state in", completion: .directories)

  /// A person is waiting, and the service is on this machine.
  package static let patience: Duration = .seconds(5)

  /// - Parameter wording: what an operator is told of a failure that means something else to them than to the service's
  ///   other callers.
  package init(to service: String, wording: @escaping @Sendable (RPCError) -> CommandError? = { _ in nil }) {
    self.service = service
    self.wording = wording
  }

  /// What a command has to take to use this.
  package var parameters: [any CommandParameter] { [Self.host, Self.data] }

  /// The option that says where the state is, for commands that need no running service.
  package var dataParameter: any CommandParameter { Self.data }

  package func dataFolder(_ call: Invocation, _ output: Output) throws(CommandError) -> DataFolder {
    try dataFolder(call[Self.data], output.terminal.environment)
  }

  package func address(_ call: Invocation, _ output: Output) throws(CommandError) -> SocketAddress {
    if let host = call[Self.host] { return host }
    return try address(data: call[Self.data], output.terminal.environment)
  }

  private func dataFolder(_ path: String?, _ environment: [String: String]) throws(CommandError) -> DataFolder {
    if let path { return DataFolder(path) }
    return DataFolder(try settings.readOne(StandardSettings.data, environment))
  }

  func address(data: String?, _ environment: [String: String]) throws(CommandError) -> SocketAddress {
    if let set = try settings.readOne(StandardSettings.adminListen, environment) { return set }
    return try dataFolder(data, environment).adminSocket(of: service)
  }

  /// What is offered for a value while it is typed, asked of the running service; nothing if it does not answer at once.
  package func completion<Request: RPCRequest>(
    asking request: Request, _ words: @escaping @Sendable (Request.Response) -> [String]
  ) -> Completion {
    .dynamic { [self] typed, given in
      let host = given[Self.host.spec.name].flatMap { SocketAddress(argument: $0) }
      guard let address = try? host ?? address(data: given[Self.data.spec.name], processEnvironment()) else {
        return []
      }
      let options = CallOptions(timeout: .milliseconds(500), mayRetry: false)
      let answer = try? await ask(request, at: address, options)
      return answer.map(words)?.filter { $0.hasPrefix(typed) } ?? []
    }
  }

  /// A client that need not have reached anybody yet.
  package func client<Service: RPCService>(
    of _: Service.Type = Service.self, _ call: Invocation, _ output: Output
  ) throws(CommandError) -> any RPCClient<Service> {
    client(of: Service.self, at: try address(call, output))
  }

  func client<Service: RPCService>(of _: Service.Type, at address: SocketAddress) -> ServiceClient<Service> {
    ServiceClient(of: Service.self, at: [.address(address)], as: "odi-\(service)")
  }

  /// One request over a connection of its own, which ends with it: a command may ask thousands of times.
  func ask<Request: RPCRequest>(
    _ request: Request, at address: SocketAddress, _ options: CallOptions
  ) async throws(RPCError) -> Request.Response {
    let client = client(of: Request.Service.self, at: address)
    defer { client.close() }
    return try await client.call(request, options)
  }

  /// One request, told as commands tell their errors.
  package func ask<Request: RPCRequest>(
    _ request: Request, _ call: Invocation, _ output: Output, timeout: Duration = patience
  ) async throws(CommandError) -> Request.Response {
    let address = try address(call, output)
    do throws(RPCError) {
      return try await ask(request, at: address, CallOptions(timeout: timeout, mayRetry: false))
    } catch {
      throw explain(error, address)
    }
  }

  /// One request to another service of the same data folder: `--host` is this service's own.
  package func ask<Request: RPCRequest>(
    neighbour request: Request, _ call: Invocation, _ output: Output
  ) async throws(CommandError) -> Request.Response {
    let neighbour = ServiceAccess(to: Request.Service.name)
    let address = try dataFolder(call, output).adminSocket(of: neighbour.service)
    do throws(RPCError) {
      return try await ask(request, at: address, CallOptions(timeout: Self.patience, mayRetry: false))
    } catch {
      throw neighbour.explain(error, address)
    }
  }

  /// One request for a check, to the service of a data folder; nil if it does not run. One that runs and does not answer
  /// is no such service.
  package func ask<Request: RPCRequest>(
    ifRunning request: Request, in data: DataFolder
  ) async throws(CommandError) -> Request.Response? {
    let address = try data.adminSocket(of: service)
    do throws(RPCError) {
      return try await ask(request, at: address, CallOptions(timeout: Self.patience, mayRetry: false))
    } catch {
      var failure = explain(error, address)
      if error.code == .unavailable {
        // Where nobody listens, nobody runs.
        guard (try? Listener.checkFree(address)) == nil else { return nil }
        failure.what = "odi-\(service) runs and does not answer"
      }
      throw failure
    }
  }

  /// A failed call of this service as a command tells it.
  package func explain(_ error: RPCError, _ address: SocketAddress) -> CommandError {
    var failure = wording(error) ?? CommandError(error)
    if error.code == .unavailable, error.origin != service {
      failure.what = "cannot reach odi-\(service) at \(address)"
      failure.remedy = suite(around: address).map { "odi ps --data \($0)" } ?? "odi-\(service) serve"
    }
    if error.code == .unimplemented, let (number, owner) = WorkerPlace.reader(at: address) {
      failure.what = "this is worker \(number), which only reads"
      failure.why = nil
      failure.remedy = "the same with --host \(owner)"
    }
    return failure
  }

  /// The folder of a suite that the service's socket is in; nil if the service is started by itself there.
  private func suite(around address: SocketAddress) -> String? {
    guard case .unix(let path) = address, path.hasSuffix("/run/\(service).sock") else { return nil }
    let folder = String(path.dropLast("/run/\(service).sock".utf8.count))
    return access("\(folder)/run/odi.lock", F_OK) == 0 ? folder : nil
  }

  private var settings: ConfigurationOptions { ConfigurationOptions(of: service, []) }
}
