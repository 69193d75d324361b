import Glibc

/// Checks of what every service needs from its machine.
nonisolated extension Check {
  /// Sockets and files: a service that runs out of them turns its clients away.
  package static var openFiles: Check {
    Check("open files") {
      let limit = openFileLimit()
      return limit >= 4_096
        ? Finding(.ok, "\(limit) allowed")
        : Finding(.warning, "only \(limit) allowed, which is fewer than the connections", try: "ulimit -n 65536")
    }
  }

  package static var timeZones: Check {
    Check("time zones") {
      guard let bytes = try? contents(ofFile: "/usr/share/zoneinfo/tzdata.zi", bytesMax: 1 << 20),
        let line = String(decoding: bytes.prefix(64), as: UTF8.self).split(separator: "\n").first
      else { return Finding(.problem, "/usr/share/zoneinfo has no tzdata.zi", try: "apt-get install tzdata") }
      return Finding(.ok, String(line.drop { $0 == "#" || $0 == " " }))
    }
  }

  /// The folder that a service keeps its state in: there, writable, and with room.
  package static var storage: Check {
    Check("storage") { data in
      let path = data.path
      guard access(path, W_OK | X_OK) == 0 else {
        return Finding(
          .problem, "cannot write to \(path): \(String(cString: strerror(errno)))", try: "mkdir -p \(path)",
          fix: { try data.make() })
      }
      var facts = statvfs()
      guard statvfs(path, &facts) == 0 else { return Finding(.warning, "\(path) does not tell its room") }
      let room = Int(clamping: UInt64(facts.f_bavail) * UInt64(facts.f_frsize))
      return room >= 1_000_000_000
        ? Finding(.ok, "\(room.spokenBytes) left")
        : Finding(.warning, "only \(room.spokenBytes) left", try: "df -h \(path)")
    }
  }

  /// What HTTPS needs to know whom it talks to.
  package static var certificates: Check {
    Check("certificates") {
      let path = "/etc/ssl/certs/ca-certificates.crt"
      return access(path, R_OK) == 0
        ? Finding(.ok, path) : Finding(.problem, "\(path) is missing", try: "apt-get install ca-certificates")
    }
  }
}
