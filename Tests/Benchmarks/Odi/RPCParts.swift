import Clocks
import EventLoops
import RPC
import RPCTransport
import Wire

/// What one call at a time is made of, each part by leaving out what comes after it: the loop alone with the C peer's bytes,
/// the protocol with an answer of opaque bytes, one of cinemas, and then, in `RPCBench`, tasks that wait on either side.
enum RPCParts {
  /// Bytes of the C peer's request and reply.
  nonisolated static let (requestBytes, replyBytes) = (32, 568)

  /// Measures one part of a call, one at a time.
  static func call(_ part: String, to port: UInt16, _ window: Window) async throws {
    guard part != "bytes" else { return try await callWithBytes(to: port, window) }
    let client = ServiceClient(of: CinemasAPI.self, at: [.address(.loopback(port: port))])
    defer { client.close() }
    switch part {
    case "opaque": try await callWithoutTask(NearestBytes.sample, client, window)
    case "values": try await callWithoutTask(NearestCinemas.sample, client, window)
    default: throw Arguments.Wrong(reason: "--part \(part): give bytes, opaque or values")
    }
  }

  // MARK: The loop alone

  /// Answers each request's number of bytes with a reply's.
  static func serveBytes(on port: UInt16) async throws {
    let listener = try Listener(on: .loopback(port: port)) { stream in
      stream.handler = Answering(stream)
    }
    emit("listening \(listener.address.port ?? 0)")
    try await EventLoop.time.sleep(for: .seconds(86_400))
  }

  private final class Answering: ByteStreamHandler {
    private let stream: SocketStream
    private let reply = [UInt8](repeating: 1, count: replyBytes)
    private var missing = requestBytes

    init(_ stream: SocketStream) { self.stream = stream }

    func received(_ bytes: UnsafeRawBufferPointer) {
      missing -= bytes.count
      while missing <= 0 {
        missing += requestBytes
        stream.write(reply)
      }
    }

    func closed(_ reason: StreamEnd) {}
  }

  /// Asks again when an answer is there, in the callback that read it.
  static func callWithBytes(to port: UInt16, _ window: Window) async throws {
    let stream = try await Connector.connect(to: .loopback(port: port))
    let asking = Asking(stream, window)
    stream.handler = asking
    await withUnsafeContinuation { continuation in
      asking.whenOver = continuation
      asking.ask()
      stream.resumeReading()
    }
    asking.window.print()
    stream.close(.done)
  }

  private final class Asking: ByteStreamHandler {
    private let stream: SocketStream
    private let request = [UInt8](repeating: 1, count: requestBytes)
    private var missing = 0
    private var sent: UInt64 = 0
    var window: Window
    var whenOver: UnsafeContinuation<Void, Never>?

    init(_ stream: SocketStream, _ window: Window) {
      self.stream = stream
      self.window = window
    }

    func ask() {
      missing = replyBytes
      sent = nanoseconds()
      stream.write(request)
    }

    func received(_ bytes: UnsafeRawBufferPointer) {
      missing -= bytes.count
      guard missing == 0, let over = whenOver else { return }
      window.count()
      guard !window.sample(sentAt: sent, now: nanoseconds()) else {
        whenOver = nil
        return over.resume()
      }
      ask()
    }

    func closed(_ reason: StreamEnd) {}
  }

  // MARK: The protocol

  /// Calls whose ends are told where their frames are read: no task waits.
  static func callWithoutTask<Request: RPCRequest>(
    _ request: Request, _ client: ServiceClient<CinemasAPI>, _ window: Window
  ) async throws where Request.Service == CinemasAPI {
    // The first waits for the connection.
    _ = try await client.call(request)
    let calling = Calling(request, client, window)
    try await withUnsafeThrowingContinuation { continuation in
      calling.whenOver = continuation
      calling.call()
    }
    calling.window.print()
  }

  private final class Calling<Request: RPCRequest> where Request.Service == CinemasAPI {
    private let request: Request
    private let client: ServiceClient<CinemasAPI>
    private var sent: UInt64 = 0
    private var underWay: (any CallUnderWay)?
    var window: Window
    var whenOver: UnsafeContinuation<Void, any Error>?

    init(_ request: Request, _ client: ServiceClient<CinemasAPI>, _ window: Window) {
      self.request = request
      self.client = client
      self.window = window
    }

    func call() {
      sent = nanoseconds()
      underWay = client.begin(request, CallOptions()) { [self] result in
        do {
          _ = try result.get()
          window.count()
          if window.sample(sentAt: sent, now: nanoseconds()) { whenOver?.resume() } else { call() }
        } catch {
          whenOver?.resume(throwing: error)
        }
      }
    }
  }
}

/// The question for cinemas, answered by as many bytes as the cinemas take, of which nobody makes anything.
nonisolated struct NearestBytes: RPCRequest, WireLayout {
  typealias Service = CinemasAPI
  typealias Response = [UInt8]
  static let method: MethodID = 0xFE02
  static let safety = Safety.read

  var latitude: Double
  var longitude: Double
  var limit: UInt32

  static let sample = NearestBytes(latitude: 37.498095, longitude: 127.027610, limit: 10)
  static let reply = [UInt8](repeating: 1, count: 590)
}
