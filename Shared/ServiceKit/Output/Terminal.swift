import Glibc

/// What a command is attached to: where it reads and writes, and who looks at it.
///
/// A value, so that a test is a terminal of any kind without having one.
nonisolated package struct Terminal: Sendable {
  package var inputIsTerminal: Bool
  package var outputIsTerminal: Bool
  package var errorIsTerminal: Bool
  /// Columns of the terminal; of no importance when the output is none.
  package var width: Int
  package var environment: [String: String]
  package var writeOutput: @Sendable (String) -> Void
  package var writeError: @Sendable (String) -> Void
  package var readLine: @Sendable () -> String?

  package init(
    inputIsTerminal: Bool, outputIsTerminal: Bool, errorIsTerminal: Bool, width: Int, environment: [String: String],
    writeOutput: @escaping @Sendable (String) -> Void, writeError: @escaping @Sendable (String) -> Void,
    readLine: @escaping @Sendable () -> String?
  ) {
    self.inputIsTerminal = inputIsTerminal
    self.outputIsTerminal = outputIsTerminal
    self.errorIsTerminal = errorIsTerminal
    self.width = width
    self.environment = environment
    self.writeOutput = writeOutput
    self.writeError = writeError
    self.readLine = readLine
  }

  /// Whether to colour what goes to a stream, by the rules that all programs share.
  package func wantsColour(_ choice: ColourChoice, isTerminal: Bool) -> Bool {
    switch choice {
    case .always: return true
    case .never: return false
    case .auto:
      if let value = environment["NO_COLOR"], !value.isEmpty { return false }
      if let value = environment["CLICOLOR_FORCE"], !value.isEmpty, value != "0" { return true }
      return isTerminal && environment["TERM"] != "dumb"
    }
  }
}

nonisolated package enum ColourChoice: String, CaseIterable, ArgumentValue { case auto, always, never }

// MARK: - This process

nonisolated extension Terminal {
  /// The terminal, files or pipes that this process was started with.
  package static func ofProcess() -> Terminal {
    Terminal(
      inputIsTerminal: isatty(STDIN_FILENO) == 1, outputIsTerminal: isatty(STDOUT_FILENO) == 1,
      errorIsTerminal: isatty(STDERR_FILENO) == 1, width: columns(), environment: processEnvironment(),
      writeOutput: { write($0, to: STDOUT_FILENO) }, writeError: { write($0, to: STDERR_FILENO) },
      readLine: { Swift.readLine() })
  }

  private static func columns() -> Int {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  private static func write(_ text: String, to file: Int32) {
    var text = text
    text.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)
      while !rest.isEmpty {
        let count = Glibc.write(file, rest.baseAddress, rest.count)
        if count >= 0 {
          rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        } else if errno == EAGAIN {
          var wait = pollfd(fd: file, events: Int16(POLLOUT), revents: 0)
          poll(&wait, 1, -1)
        } else if errno != EINTR {
          // `… | head` has seen enough: end as a program does that SIGPIPE ends, without a word.
          if errno == EPIPE { _exit(ExitCode.brokenPipe.rawValue) }
          return
        }
      }
    }
  }
}

/// The environment that this process was started with.
nonisolated package func processEnvironment() -> [String: String] {
  var environment: [String: String] = [:]
  var next = environ
  while let entry = next.pointee {
    let pair = String(cString: entry).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    if pair.count == 2 { environment[String(pair[0])] = String(pair[1]) }
    next += 1
  }
  return environment
}
