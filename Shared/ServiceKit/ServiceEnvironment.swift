package import Clocks
package import EventLoops
import JSON
package import Observability

/// What a service is put together from: everything that comes from outside it.
package final class ServiceEnvironment {
  package let service: String
  package let build: BuildInfo
  package private(set) var configuration: Configuration
  /// Where the service keeps its state.
  package let data: DataFolder
  /// Where calls are to be taken.
  package let listen: SocketAddress
  /// Where administrators are to be answered.
  package let adminListen: SocketAddress
  /// What this process is if it answers beside the one that owns the service's state.
  package let worker: WorkerPlace?
  /// Whether other processes take calls at the same port.
  let sharesPort: Bool
  /// Where calls are taken, once they are.
  var callAddress: SocketAddress?
  package let time: any TimeSource
  package let log: Log
  package let metrics: Metrics
  package let traces: Traces
  package let readiness: Readiness
  /// The service's long work, for those who ask how far it is or want it to end.
  package let jobs: Jobs
  private var reloads: [(Configuration) throws -> Void] = []
  /// Names of the settings that can be changed while the service runs.
  private var followed: Set<String> = []
  /// What all the others were taken from.
  private let started: Configuration
  private var failed: ((any ServicePart, any Error) -> Void)?
  private var stopped: (() -> Void)?

  package init(
    service: String, build: BuildInfo, configuration: Configuration, data: DataFolder, listen: SocketAddress,
    adminListen: SocketAddress, time: any TimeSource, log: Log, metrics: Metrics, traces: Traces, readiness: Readiness,
    worker: WorkerPlace? = nil, sharesPort: Bool = false
  ) {
    self.service = service
    self.build = build
    self.configuration = configuration
    started = configuration
    self.data = data
    self.listen = listen
    self.adminListen = adminListen
    self.worker = worker
    self.sharesPort = sharesPort
    self.time = time
    self.log = log
    self.metrics = metrics
    self.traces = traces
    self.readiness = readiness
    jobs = Jobs(time: time)
  }

  /// Called when the settings have been read again and are valid. What one throws is told to whoever asked, and leaves the
  /// others' work done: ``ReloadError`` where a file that the settings name is wrong.
  /// - Parameter settings: those that `body` puts in force; of a change of any other it is told that it was not taken
  package func onReload(
    of settings: [any AnySetting] = [], _ body: @escaping (Configuration) throws -> Void
  ) {
    followed.formUnion(settings.map(\.spec.name))
    reloads.append(body)
  }

  /// Ends the service in good order, because a part of it can no longer work.
  package func fail(_ part: any ServicePart, _ error: any Error) { failed?(part, error) }

  /// Ends the service in good order.
  package func stop() { stopped?() }

  /// How the settings are read as they were at the start; set by who read them.
  package var readAgain: (() throws(ConfigurationError) -> Configuration)?

  /// Reads the settings again and hands them on. Returns what is wrong with them, or with the files that they name: there
  /// holds what was read before.
  func reread() -> [String] {
    guard let readAgain else { return ["this process has no settings to read again"] }
    do throws(ConfigurationError) {
      let problems = reload(try readAgain())
      if problems.isEmpty { log.info("settings read again") }
      return problems
    } catch {
      for problem in error.problems {
        log.error("settings are wrong; the old ones hold", ["problem": .string(problem)])
      }
      return error.problems
    }
  }

  /// The file of settings as this process lives by it, for one that is to join it.
  var fileInForce: JSONValue { configuration.file(since: started, following: followed) }

  /// Each setting as this process lives by it: of those that were changed since, only some are taken up while it runs.
  var settingsInForce: [Configuration.Entry] {
    zip(started.entries, configuration.entries).map { followed.contains($0.spec.name) ? $1 : $0 }
  }

  func onStop(_ body: @escaping () -> Void) { stopped = body }
  func onFailure(_ body: @escaping (any ServicePart, any Error) -> Void) { failed = body }

  /// Hands on settings that were read again. Returns what the parts found wrong.
  @discardableResult
  package func reload(_ new: Configuration) -> [String] {
    var problems = new.changes(since: started, but: followed).map {
      "\($0) was changed, which holds when odi-\(service) is started again"
    }
    for problem in problems { log.warning("a setting is read at the start only", ["problem": .string(problem)]) }
    configuration = new
    for body in reloads {
      do { try body(new) } catch {
        log.error("a part did not take what was read again", ["error": "\(error)"])
        problems += (error as? ReloadError)?.problems ?? ["\(error)"]
      }
    }
    return problems
  }
}

/// Files that were read again and are wrong: a sentence for each.
nonisolated package struct ReloadError: Error, CustomStringConvertible {
  package let problems: [String]
  package init(_ problems: [String]) { self.problems = problems }
  package var description: String { problems.joined(separator: "; ") }
}
