import JSON

/// What this binary is made of.
nonisolated package struct BuildInfo: Sendable {
  package var version: String
  /// The revision of the source, where whoever built it said so.
  package var revision: String?
  /// Versions of the libraries that it runs with, asked of them.
  package var libraries: [(name: String, version: String)]

  package init(version: String, revision: String? = nil, libraries: [(name: String, version: String)] = []) {
    self.version = version
    self.revision = revision
    self.libraries = libraries
  }

  /// The suite is built and released as one: its programs have one version.
  package static func ofSuite(libraries: [(name: String, version: String)] = []) -> BuildInfo {
    BuildInfo(version: "0.1.0", libraries: libraries)
  }

  static var swift: String {
    #if compiler(>=6.4)
    "6.4 or later"
    #elseif compiler(>=6.3)
    "6.3"
    #else
    "6.2"
    #endif
  }

  static var mode: String {
    #if DEBUG
    "debug"
    #else
    "release"
    #endif
  }

  func command(program: String) -> Command {
    Command("version", "tell what this program is made of") { [self] _, output in
      let fields = [
        ("program", program), ("version", version), ("revision", revision), ("swift", Self.swift), ("build", Self.mode),
      ]
      let cells = fields.map { (Report.Column($0.0), Report.Cell.text($0.1)) }
      let libraries = libraries.map { (Report.Column($0.name), Report.Cell.text($0.version)) }
      try output.write(Report(item: cells + libraries))
      return .done
    }
  }
}
