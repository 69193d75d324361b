import EventLoops
import Fetch

/// A site whose answers a test writes: by path, and by what was asked along.
@MainActor
final class ScriptedSite {
  struct Answer {
    var status = 200
    var headers: [String] = []
    var body = ""
  }

  private var listener: Listener!
  private let script: (_ path: String, _ request: String) -> Answer
  private(set) var asked: [String] = []

  init(_ script: @escaping (_ path: String, _ request: String) -> Answer) throws {
    self.script = script
    listener = try Listener(on: .loopback()) { [unowned self] stream in
      stream.handler = Connection(self, stream)
    }
  }

  var address: SocketAddress { listener.address }

  func url(_ path: String = "/") throws -> FetchURL { try FetchURL(parsing: "http://\(address)\(path)") }

  func close() { listener.close() }

  private func answer(_ request: String, _ stream: any ByteStream) {
    let words = request.split(separator: " ")
    let path = words.count > 1 ? String(words[1]) : ""
    asked.append(path)
    let answer = script(path, request)
    let lines = ["HTTP/1.1 \(answer.status) So", "Content-Length: \(answer.body.utf8.count)", "Connection: close"]
    stream.write((lines + answer.headers).joined(separator: "\r\n") + "\r\n\r\n" + answer.body)
    stream.finish()
  }

  private final class Connection: ByteStreamHandler {
    private unowned let site: ScriptedSite
    private unowned let stream: any ByteStream
    private var bytes: [UInt8] = []

    init(_ site: ScriptedSite, _ stream: any ByteStream) {
      self.site = site
      self.stream = stream
    }

    func received(_ chunk: UnsafeRawBufferPointer) {
      bytes += chunk
      while let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) {
        let request = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
        bytes.removeFirst(end.upperBound)
        site.answer(request, stream)
      }
    }

    func drained() {}

    func closed(_ reason: StreamEnd) {}
  }
}
