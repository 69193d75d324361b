import CUV
import Glibc

/// Turns names into addresses on libuv's thread pool.
package enum Resolver {
  /// More addresses than this for one name are not looked at.
  package static let addressesMax = 64

  /// The addresses of `host`, without duplicates, in the order that the system prefers. A numeric host is not looked up.
  package static func addresses(of host: String, port: UInt16) async throws(SocketError) -> [SocketAddress] {
    if let address = IPAddress(host) { return [.ip(address, port: port)] }
    guard !host.isEmpty, host.utf8.count <= 253, !host.utf8.contains(0) else {
      throw SocketError(.invalidAddress, "“\(host)” is no host name: give one of 1 to 253 characters")
    }
    let lookup = Lookup(port: port)
    let result = await withTaskCancellationHandler {
      await lookup.run(host)
    } onCancel: {
      Task { @MainActor in lookup.cancel() }
    }
    return try result.get()
  }
}

private final class Lookup {
  private let port: UInt16
  private let request = UnsafeMutablePointer<uv_getaddrinfo_t>.allocate(capacity: 1)
  private var waiter: UnsafeContinuation<Result<[SocketAddress], SocketError>, Never>?

  init(port: UInt16) { self.port = port }

  func run(_ host: String) async -> Result<[SocketAddress], SocketError> {
    await withUnsafeContinuation { continuation in
      waiter = continuation
      request.pointee.data = Unmanaged.passRetained(self).toOpaque()
      var hints = addrinfo()
      hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
      let status = uv_getaddrinfo(
        LoopHandles.loop, request,
        { request, status, answer in
          let lookup = Unmanaged<Lookup>.fromOpaque(request!.pointee.data).takeUnretainedValue()
          nonisolated(unsafe) let list = answer
          EventLoop.callback { lookup.answered(status, list) }
        }, host, nil, &hints)
      if status != 0 { answered(status, nil) }
    }
  }

  func cancel() {
    guard waiter != nil else { return }
    uv_cancel(UnsafeMutableRawPointer(request).assumingMemoryBound(to: uv_req_t.self))
  }

  private func answered(_ status: Int32, _ answer: UnsafeMutablePointer<addrinfo>?) {
    var found: [SocketAddress] = []
    var next = answer
    while let entry = next, found.count < Resolver.addressesMax {
      if let raw = entry.pointee.ai_addr, let address = SocketAddress(raw), case .ip(let ip, _) = address {
        let withPort = SocketAddress.ip(ip, port: port)
        if !found.contains(withPort) { found.append(withPort) }
      }
      next = entry.pointee.ai_next
    }
    uv_freeaddrinfo(answer)
    request.deallocate()
    let waiter = waiter
    self.waiter = nil
    if status != 0 {
      waiter?.resume(returning: .failure(SocketError(uv: status, doing: "resolve the name")))
    } else if found.isEmpty {
      waiter?.resume(returning: .failure(SocketError(.unknownHost, "the name has no address")))
    } else {
      waiter?.resume(returning: .success(found))
    }
    Unmanaged.passUnretained(self).release()
  }
}
