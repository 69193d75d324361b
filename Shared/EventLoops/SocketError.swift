import CUV

/// Why a socket could not be opened, connected or resolved.
nonisolated package struct SocketError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Code: Hashable, Sendable {
    /// The text is no address. Correct the configuration.
    case invalidAddress
    /// Somebody else listens there.
    case addressInUse
    /// Nobody listens there, or the way there is closed.
    case unreachable
    /// The other side did not answer in time.
    case timedOut
    /// The name does not resolve.
    case unknownHost
    /// Out of file descriptors, memory or permission.
    case refusedBySystem
    case cancelled
  }

  package let code: Code
  package let message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  package var description: String { message }

  /// From libuv's negative error number; `doing` completes the sentence "cannot …".
  init(uv status: Int32, doing: String) {
    let code: Code =
      switch uv_errno_t(rawValue: status) {
      case UV_EADDRINUSE: .addressInUse
      case UV_ETIMEDOUT: .timedOut
      case UV_ECANCELED: .cancelled
      case UV_ECONNREFUSED, UV_ECONNRESET, UV_EHOSTUNREACH, UV_ENETUNREACH, UV_ENOENT, UV_ENOTCONN, UV_EPIPE:
        .unreachable
      case UV_EAI_NONAME, UV_EAI_NODATA, UV_EAI_FAIL, UV_EAI_AGAIN, UV_EAI_ADDRFAMILY: .unknownHost
      case UV_EINVAL, UV_EADDRNOTAVAIL, UV_EAFNOSUPPORT: .invalidAddress
      default: .refusedBySystem
      }
    self.init(code, "cannot \(doing): \(String(cString: uv_strerror(status)))")
  }
}
