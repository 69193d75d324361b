/// How a command ended, for the script that ran it.
nonisolated package enum ExitCode: Int32, Sendable, CaseIterable {
  case done = 0
  case failed = 1
  /// The command line is wrong, or a question was answered with no.
  case usage = 2
  case notFound = 3
  case unauthorised = 4
  /// The server cannot be reached.
  case unreachable = 5
  /// Something else was changed first, or is not in the state that this needs.
  case conflict = 6
  case timedOut = 7
  /// Some items failed; they are listed.
  case partial = 8
  /// It works, and it has a problem: `doctor`, `ping`, `config check`.
  case degraded = 9
  case interrupted = 130
  /// The reader of our output has gone.
  case brokenPipe = 141
  case terminated = 143

  package var meaning: String {
    switch self {
    case .done: "done"
    case .failed: "failed"
    case .usage: "wrong usage, or the question was answered with no"
    case .notFound: "not found, or empty with --exit-status"
    case .unauthorised: "not allowed"
    case .unreachable: "the server cannot be reached"
    case .conflict: "conflict with what is there"
    case .timedOut: "timed out"
    case .partial: "some items failed; they are listed"
    case .degraded: "works, with problems"
    case .interrupted: "interrupted (SIGINT)"
    case .brokenPipe: "the reader of the output has gone"
    case .terminated: "terminated (SIGTERM)"
    }
  }
}

/// Why a command did not do what was asked: what happened, why, and a command that may help.
nonisolated package struct CommandError: Error, Equatable, Sendable {
  package var code: ExitCode
  package var what: String
  package var why: String?
  /// More than one reason, a line each.
  package var details: [String]
  /// A command that can be typed as it stands.
  package var remedy: String?

  package init(_ code: ExitCode, _ what: String, why: String? = nil, details: [String] = [], try remedy: String? = nil)
  {
    self.code = code
    self.what = what
    self.why = why
    self.details = details
    self.remedy = remedy
  }

  /// One line each.
  package var lines: [String] {
    ["error: \(what)"] + (why.map { ["  why: \($0)"] } ?? []) + details.map { "  - \($0)" }
      + (remedy.map { ["  try: \($0)"] } ?? [])
  }
}
