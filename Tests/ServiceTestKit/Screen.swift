package import ServiceKit
import Synchronization

/// A terminal, or a pipe, that remembers what was written to it.
package final class Screen: Sendable {
  /// How a command ended, and what it wrote.
  package struct Result: Sendable {
    package let code: ExitCode
    package let output: String
    package let errors: String

    package init(code: ExitCode, output: String, errors: String) {
      self.code = code
      self.output = output
      self.errors = errors
    }
  }

  private struct State {
    var output = ""
    var errors = ""
    var answers: [String] = []
  }

  private let state = Mutex(State())

  package init() {}

  package var output: String { state.withLock { $0.output } }
  package var errors: String { state.withLock { $0.errors } }

  package func terminal(
    isTerminal: Bool = false, width: Int = 80, environment: [String: String] = [:], answers: [String] = []
  ) -> Terminal {
    state.withLock { $0.answers = answers }
    return Terminal(
      inputIsTerminal: isTerminal, outputIsTerminal: isTerminal, errorIsTerminal: isTerminal, width: width,
      environment: environment, writeOutput: { text in self.state.withLock { $0.output += text } },
      writeError: { text in self.state.withLock { $0.errors += text } },
      readLine: { self.state.withLock { $0.answers.isEmpty ? nil : $0.answers.removeFirst() } })
  }
}
