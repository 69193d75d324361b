import CUV
import Glibc

/// A process that this one started.
package final class ChildProcess {
  /// What becomes of one of the child's standard streams.
  package enum Output {
    case discard
    case inherit
    /// Whole or partial lines as they come; an empty buffer at the end.
    case pipe((UnsafeRawBufferPointer) -> Void)
    /// An open file of ours, which stays ours to close.
    case file(Int32)
  }

  package enum Exit: Hashable, Sendable, CustomStringConvertible {
    case code(Int32)
    case signal(Int32)

    package var description: String {
      switch self {
      case .code(let code): "exited with \(code)"
      case .signal(let number): "was ended by signal \(number)"
      }
    }
  }

  package let id: Int32
  package private(set) var exit: Exit?

  private let handle: UnsafeMutablePointer<uv_process_t>
  private var waiters: [UnsafeContinuation<Exit, Never>] = []

  /// Starts `executable` with `arguments` (without its own name). `environment` replaces ours; `nil` passes ours on.
  ///
  /// - Parameters:
  ///   - input: an open file of ours to read from, which stays ours to close; without it there is nothing to read.
  ///   - ownSession: away from our terminal: what is typed there (Ctrl-C) reaches only us.
  package init(
    _ executable: String, _ arguments: [String], environment: [String: String]? = nil, directory: String? = nil,
    input: Int32? = nil, output: Output = .inherit, errors: Output = .inherit, ownSession: Bool = false
  ) throws(SocketError) {
    let `in` = Self.stdio(input.map { .file($0) } ?? .discard, inherited: 0)
    let out = Self.stdio(output, inherited: 1)
    let err = Self.stdio(errors, inherited: 2)
    handle = .allocate(capacity: 1)

    var strings = CStrings()
    var options = uv_process_options_t()
    options.file = UnsafePointer(strings.add(executable))
    options.args = strings.list([executable] + arguments)
    if let environment { options.env = strings.list(environment.map { "\($0.key)=\($0.value)" }) }
    if let directory { options.cwd = UnsafePointer(strings.add(directory)) }
    if ownSession { options.flags = UInt32(UV_PROCESS_DETACHED.rawValue) }
    options.exit_cb = { handle, code, signal in
      let child = Unmanaged<ChildProcess>.fromOpaque(handle!.pointee.data).takeUnretainedValue()
      EventLoop.callback { child.ended(signal != 0 ? .signal(signal) : .code(Int32(truncatingIfNeeded: code))) }
    }
    var stdio = [`in`.container, out.container, err.container]
    let process = handle
    let status = stdio.withUnsafeMutableBufferPointer {
      options.stdio = $0.baseAddress
      options.stdio_count = 3
      return uv_spawn(LoopHandles.loop, process, &options)
    }
    strings.free()
    id = handle.pointee.pid
    guard status == 0 else {
      out.reader?.stop()
      err.reader?.stop()
      uv_close(UnsafeMutableRawPointer(handle).assumingMemoryBound(to: uv_handle_t.self)) {
        UnsafeMutableRawPointer($0!).deallocate()
      }
      throw SocketError(uv: status, doing: "start \(executable)")
    }
    handle.pointee.data = Unmanaged.passRetained(self).toOpaque()
    out.reader?.start()
    err.reader?.start()
  }

  /// Sends a signal; does nothing once the child has ended.
  package func send(_ signal: Signal) {
    guard exit == nil else { return }
    uv_process_kill(handle, signal.rawValue)
  }

  /// Waits for the child to end.
  package func wait() async -> Exit {
    if let exit { return exit }
    return await withUnsafeContinuation { waiters.append($0) }
  }

  private func ended(_ exit: Exit) {
    self.exit = exit
    for waiter in waiters { waiter.resume(returning: exit) }
    waiters = []
    uv_close(UnsafeMutableRawPointer(handle).assumingMemoryBound(to: uv_handle_t.self)) { handle in
      let child = Unmanaged<ChildProcess>.fromOpaque(
        UnsafeMutableRawPointer(handle!).assumingMemoryBound(to: uv_process_t.self).pointee.data)
      UnsafeMutableRawPointer(handle!).deallocate()
      child.release()
    }
  }

  private static func stdio(
    _ output: Output, inherited fd: Int32
  ) -> (container: uv_stdio_container_t, reader: PipeReader?) {
    var container = uv_stdio_container_t()
    switch output {
    case .discard:
      container.flags = UV_IGNORE
      return (container, nil)
    case .inherit:
      container.flags = UV_INHERIT_FD
      container.data.fd = fd
      return (container, nil)
    case .file(let file):
      container.flags = UV_INHERIT_FD
      container.data.fd = file
      return (container, nil)
    case .pipe(let body):
      let reader = PipeReader(body)
      container.flags = uv_stdio_flags(UV_CREATE_PIPE.rawValue | UV_WRITABLE_PIPE.rawValue)
      container.data.stream = reader.handle
      return (container, reader)
    }
  }
}

/// Our end of a child's standard output.
private final class PipeReader {
  let handle = allocateHandle(UV_NAMED_PIPE)
  private let body: (UnsafeRawBufferPointer) -> Void
  private var isStopped = false
  private var chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 << 10, alignment: 1)

  init(_ body: @escaping (UnsafeRawBufferPointer) -> Void) {
    self.body = body
    uv_pipe_init(LoopHandles.loop, handle.asPipe, 0)
    handle.pointee.data = Unmanaged.passRetained(self).toOpaque()
  }

  func start() {
    uv_read_start(
      handle,
      { handle, _, buffer in
        let reader = Unmanaged<PipeReader>.fromOpaque(handle!.pointee.data).takeUnretainedValue()
        nonisolated(unsafe) let buffer = buffer!
        MainActor.assumeIsolated {
          buffer.pointee.base = reader.chunk.baseAddress!.assumingMemoryBound(to: CChar.self)
          buffer.pointee.len = reader.chunk.count
        }
      },
      { handle, count, _ in
        let reader = Unmanaged<PipeReader>.fromOpaque(UnsafeMutablePointer(handle!).pointee.data).takeUnretainedValue()
        EventLoop.callback { reader.arrived(count) }
      })
  }

  private func arrived(_ count: Int) {
    if count > 0 {
      body(UnsafeRawBufferPointer(rebasing: chunk[..<count]))
    } else if count < 0 {
      body(UnsafeRawBufferPointer(start: nil, count: 0))
      stop()
    }
  }

  func stop() {
    guard !isStopped else { return }
    isStopped = true
    uv_close(handle.asHandle) { handle in
      let reader = Unmanaged<PipeReader>.fromOpaque(handle!.pointee.data)
      UnsafeMutableRawPointer(handle!).deallocate()
      EventLoop.callback { reader.takeUnretainedValue().chunk.deallocate() }
      reader.release()
    }
  }
}

/// C strings that live until they are freed together.
private struct CStrings {
  private var strings: [UnsafeMutablePointer<CChar>] = []
  private var lists: [UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>] = []

  mutating func add(_ text: String) -> UnsafeMutablePointer<CChar> {
    let copy = strdup(text)!
    strings.append(copy)
    return copy
  }

  mutating func list(_ texts: [String]) -> UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> {
    let list = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: texts.count + 1)
    for (index, text) in texts.enumerated() { (list + index).initialize(to: add(text)) }
    (list + texts.count).initialize(to: nil)
    lists.append(list)
    return list
  }

  func free() {
    for string in strings { Glibc.free(string) }
    for list in lists { list.deallocate() }
  }
}
