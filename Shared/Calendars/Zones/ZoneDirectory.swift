import Glibc
import Synchronization

/// The zones of this machine: reads `/usr/share/zoneinfo` on demand and keeps what it read.
///
/// A first question about a zone reads a file of some kilobytes, from the page cache as a rule. A service asks for the
/// zones it serves when it starts, so that this never happens between two requests.
package final class ZoneDirectory: Sendable {
  package struct Limits: Sendable {
    /// The largest zone file has 3.7 kB.
    package var fileBytesMax = 64 * 1_024
    /// A few kilobytes each; the database has some 600 names, a festival's feed seldom more than two.
    package var keptMax = 128
    package var file = TimeZoneRules.FileLimits()

    package init() {}
  }

  package let path: String
  private let limits: Limits
  private let kept = Mutex(Kept())

  private struct Kept {
    var zones: [ZoneName: TimeZoneRules] = [:]
    /// Oldest first.
    var order: [ZoneName] = []
  }

  package init(path: String = "/usr/share/zoneinfo", limits: Limits = Limits()) {
    self.path = path
    self.limits = limits
  }

  /// How many zones are in memory.
  package var keptCount: Int { kept.withLock { $0.zones.count } }

  package func rules(for name: ZoneName) throws(ZoneError) -> TimeZoneRules {
    if let known = kept.withLock({ $0.zones[name] }) { return known }
    let bytes = try read(name)
    let rules: TimeZoneRules
    do {
      rules = try TimeZoneRules(name: name.text, tzif: bytes, limits: limits.file)
    } catch {
      throw ZoneError(name: name, problem: .unreadable(error.description), path: path)
    }
    kept.withLock { kept in
      guard kept.zones.updateValue(rules, forKey: name) == nil else { return }
      kept.order.append(name)
      if kept.order.count > limits.keptMax { kept.zones[kept.order.removeFirst()] = nil }
    }
    return rules
  }

  private func read(_ name: ZoneName) throws(ZoneError) -> [UInt8] {
    let file = open("\(path)/\(name)", O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else {
      let isMissing = errno == ENOENT || errno == ENOTDIR
      throw ZoneError(
        name: name, problem: isMissing ? .unknown : .unreadable(String(cString: strerror(errno))), path: path)
    }
    defer { close(file) }
    var facts = stat()
    guard fstat(file, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
      throw ZoneError(name: name, problem: .unknown, path: path)
    }
    guard facts.st_size <= limits.fileBytesMax else {
      throw ZoneError(name: name, problem: .unreadable("it is larger than any zone file"), path: path)
    }
    let size = Int(facts.st_size)
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      while count < size {
        let got = Glibc.read(file, buffer.baseAddress! + count, size - count)
        if got < 0 && errno == EINTR { continue }
        guard got > 0 else { break }
        count += got
      }
    }
    return bytes
  }
}

/// Why there are no rules for a zone.
package struct ZoneError: Error, Hashable, CustomStringConvertible {
  package enum Problem: Hashable, Sendable {
    case unknown
    case unreadable(String)
  }

  package let name: ZoneName
  package let problem: Problem
  let path: String

  package var description: String {
    switch problem {
    case .unknown: "there is no zone \(name) in \(path); write a name like Asia/Seoul, or install tzdata"
    case .unreadable(let reason): "the zone file \(path)/\(name) cannot be used: \(reason); reinstall tzdata"
    }
  }
}
