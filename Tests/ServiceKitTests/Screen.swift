import ServiceKit
import Synchronization

/// A terminal, or a pipe, that remembers what was written to it.
final class Screen: Sendable {
  private struct State {
    var output = ""
    var errors = ""
    var answers: [String] = []
  }

  private let state = Mutex(State())

  var output: String { state.withLock { $0.output } }
  var errors: String { state.withLock { $0.errors } }

  func terminal(
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
