import EventLoops

/// Where the answer to one request goes: once, at once or later.
///
/// A handler that need not wait for anything but an event answers from there and costs no task; one that waits begins
/// one. When the client is gone, or was told that it took too long, `abandoned` is called and answers are dropped.
package final class HTTPReply {
  package let request: HTTPRequest
  /// Stops what works for an answer that nobody waits for any more.
  package var abandoned: (@MainActor () -> Void)?

  let isLast: Bool
  /// Nil once it is answered or abandoned.
  private var connection: HTTPConnection?

  init(_ request: HTTPRequest, on connection: HTTPConnection, isLast: Bool) {
    self.request = request
    self.connection = connection
    self.isLast = isLast
  }

  nonisolated deinit {}

  package func answer(_ response: consuming HTTPResponse) { over()?.answer(self, response) }

  /// Answers with the problem that an error is.
  package func fail(_ error: any Error) { over()?.fail(self, error) }

  /// Answers with what a task brings, which runs at once until it first waits.
  package func begin(_ work: @escaping @MainActor () async throws -> HTTPResponse) {
    guard connection != nil else { return }
    let task = EventLoop.begin { [self] in
      do {
        answer(try await work())
      } catch {
        fail(error)
      }
    }
    if connection != nil { abandoned = { task.cancel() } }
  }

  func abandon() {
    connection = nil
    abandoned.take()?()
  }

  private func over() -> HTTPConnection? {
    abandoned = nil
    return connection.take()
  }
}
