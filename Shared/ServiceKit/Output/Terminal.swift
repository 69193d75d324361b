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
      writeOutput: { writeResult($0) }, writeError: { writeMessage($0) },
      readLine: { Swift.readLine() })
  }

  private static func columns() -> Int {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  /// Ends the process when the result cannot be written: an exit code of 0 would say that it was.
  private static func writeResult(_ text: String) {
    let failure = write(text, to: STDOUT_FILENO)
    guard failure != 0 else { return }
    // `… | head` has seen enough: end as a program does that SIGPIPE ends, without a word.
    if failure == EPIPE { _exit(ExitCode.brokenPipe.rawValue) }
    let error = CommandError(.failed, "cannot write the result", why: String(cString: strerror(failure)))
    _ = write(error.lines.map { $0 + "\n" }.joined(), to: STDERR_FILENO)
    _exit(error.code.rawValue)
  }

  /// A message that cannot be written changes nothing about what was asked for, unless its reader has gone.
  private static func writeMessage(_ text: String) {
    if write(text, to: STDERR_FILENO) == EPIPE { _exit(ExitCode.brokenPipe.rawValue) }
  }

  /// Writes all of it, and returns 0, or why that was not possible.
  private static func write(_ text: String, to file: Int32) -> Int32 {
    var text = text
    return text.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)
      while !rest.isEmpty {
        let count = Glibc.write(file, rest.baseAddress, rest.count)
        if count >= 0 {
          rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        } else if errno == EAGAIN {
          var wait = pollfd(fd: file, events: Int16(POLLOUT), revents: 0)
          poll(&wait, 1, -1)
        } else if errno != EINTR {
          return errno
        }
      }
      return 0
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
