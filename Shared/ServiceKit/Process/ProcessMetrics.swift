import Glibc
package import Observability
import Synchronization

/// What the kernel knows of this process, under the names that Prometheus' own libraries use.
nonisolated package enum ProcessMetrics {
  package static func register(in metrics: Metrics) {
    let processor = metrics.timeCounter("process_cpu_seconds_total", "Processor time, user and system.")
    let memory = metrics.gauge("process_resident_memory_bytes", "Memory in use.")
    let virtual = metrics.gauge("process_virtual_memory_bytes", "Address space.")
    let open = metrics.gauge("process_open_fds", "File descriptors in use.")
    let openMax = metrics.gauge("process_max_fds", "File descriptors that may be in use.")
    let start = metrics.gauge("process_start_time_seconds", "When it began, in seconds since 1970.")
    let told = Mutex(Duration.zero)
    metrics.beforeReading {
      guard let reading = ProcessReading.ofThisProcess() else { return }
      told.withLock { told in
        processor.add(reading.processorTime - told)
        told = reading.processorTime
      }
      memory.set(reading.residentBytes)
      virtual.set(reading.virtualBytes)
      start.set(reading.startedAt)
      open.set(openFileCount())
      openMax.set(openFileLimit())
    }
  }
}

/// `/proc/self/stat`, as far as we want it.
nonisolated struct ProcessReading: Equatable {
  var processorTime: Duration
  var virtualBytes: Int
  var residentBytes: Int
  /// Seconds since 1970.
  var startedAt: Double

  static func ofThisProcess() -> ProcessReading? {
    guard let stat = try? contents(ofFile: "/proc/self/stat", bytesMax: 4_096),
      let system = try? contents(ofFile: "/proc/stat", bytesMax: 1 << 20)
    else { return nil }
    return ProcessReading(
      stat: String(decoding: stat, as: UTF8.self), system: String(decoding: system, as: UTF8.self),
      ticksPerSecond: Int(sysconf(Int32(_SC_CLK_TCK))), pageBytes: Int(sysconf(Int32(_SC_PAGESIZE))))
  }

  init(processorTime: Duration, virtualBytes: Int, residentBytes: Int, startedAt: Double) {
    self.processorTime = processorTime
    self.virtualBytes = virtualBytes
    self.residentBytes = residentBytes
    self.startedAt = startedAt
  }

  init?(stat: String, system: String, ticksPerSecond: Int, pageBytes: Int) {
    // A program's name stands in parentheses and may hold some itself: only the last one closes it.
    guard let close = stat.lastIndex(of: ")"), ticksPerSecond > 0 else { return nil }
    let fields = stat[stat.index(after: close)...].split(separator: " ").map { Int($0) }
    guard fields.count > 21, let user = fields[11], let kernel = fields[12], let start = fields[19],
      let virtual = fields[20], let pages = fields[21],
      let boot = system.split(separator: "\n").first(where: { $0.hasPrefix("btime ") }).flatMap({ Int($0.dropFirst(6)) }
      )
    else { return nil }
    self.init(
      processorTime: .milliseconds((user + kernel) * 1_000 / ticksPerSecond), virtualBytes: virtual,
      residentBytes: pages * pageBytes, startedAt: Double(boot) + Double(start) / Double(ticksPerSecond))
  }
}

/// How many file descriptors this process has open.
nonisolated func openFileCount() -> Int {
  guard let folder = opendir("/proc/self/fd") else { return 0 }
  defer { closedir(folder) }
  var count = 0
  while readdir(folder) != nil { count += 1 }
  // Not counted: the two that stand for folders, and the one that this reads.
  return max(0, count - 3)
}

/// How many file descriptors this process may have open.
nonisolated func openFileLimit() -> Int {
  var limit = rlimit()
  guard getrlimit(openFilesResource, &limit) == 0 else { return 0 }
  return Int(clamping: limit.rlim_cur)
}

/// Raises the number of open files to what the system allows and forbids memory dumps, which would hold secrets.
nonisolated func setProcessLimits() {
  var limit = rlimit()
  if getrlimit(openFilesResource, &limit) == 0 {
    limit.rlim_cur = limit.rlim_max
    setrlimit(openFilesResource, &limit)
  }
  var none = rlimit(rlim_cur: 0, rlim_max: 0)
  setrlimit(Int32(RLIMIT_CORE.rawValue), &none)
}

nonisolated private let openFilesResource = Int32(RLIMIT_NOFILE.rawValue)
