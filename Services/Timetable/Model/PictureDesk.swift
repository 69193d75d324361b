import Clocks
import Contracts
import EventLoops
import Glibc
import JSON
import Observability
import QRReading
import RPC

/// Has pictures read by a process of their own: what reads foreign bytes in C may fall, and takes nothing along.
///
/// The process is this program, `qr read --confined`. It gets the picture in a file that has no name, and has given up
/// most rights before it looks at it.
@MainActor
final class PictureDesk {
  private let program: String
  private let folder: String
  private let time: any TimeSource
  private let log: Log
  private var running = 0

  private enum Limits {
    /// Of the API.
    static let bytes = 2 << 20
    /// Each takes a core for a tenth of a second, and up to 150 MB.
    static let atOnce = 2
    static let patience: Duration = .seconds(5)
    /// 64 codes of 3 KB.
    static let answerBytes = 512 << 10
  }

  /// - Parameter folder: where pictures lie while they are read.
  init(program: String?, folder: String, time: any TimeSource, log: Log) {
    self.log = log
    self.folder = folder
    self.program = program ?? "/proc/self/exe"
    self.time = time
  }

  func codes(in picture: [UInt8]) async throws -> [CodeInPicture] {
    guard picture.count <= Limits.bytes else {
      throw RPCError(.invalidArgument, "the picture is too large; send at most \(Limits.bytes) bytes", executed: .no)
    }
    guard running < Limits.atOnce else {
      throw RPCError(.shed, "\(running) pictures are being read; try again in a moment", executed: .no)
    }
    running += 1
    defer { running -= 1 }
    let answer = try await read(picture)
    guard let tree = try? JSONValue(parsing: answer), let members = tree.object else {
      log.error("the reader of pictures answered nothing that can be read", ["bytes": .int(answer.count)])
      throw RPCError(.internal, "the reader of pictures answered nothing")
    }
    if let problem = members["problem"]?.string { throw RPCError(.invalidArgument, problem, executed: .no) }
    return (members["codes"]?.array ?? []).compactMap { code in
      code["text"]?.string.map {
        CodeInPicture(text: $0, points: code["points"]?.array?.compactMap(\.int) ?? [])
      }
    }
  }

  private func read(_ picture: [UInt8]) async throws -> [UInt8] {
    let file = try kept(picture)
    defer { close(file) }
    let answer = Said()
    let child: ChildProcess
    do {
      child = try ChildProcess(
        program, ["qr", "read", "/proc/\(getpid())/fd/\(file)", "--confined"], environment: [:],
        output: .pipe { bytes in answer.hear(bytes, most: Limits.answerBytes) }, errors: .discard, ownSession: true)
    } catch {
      log.error("the reader of pictures did not start", ["program": .string(program), "error": "\(error)"])
      throw RPCError(.unavailable, "the reader of pictures did not start")
    }
    let timer = time.after(Limits.patience) { child.send(.kill) }
    defer { timer.cancel() }
    let exit = await child.wait()
    guard exit == .code(0) else {
      // A picture may do that; many that do are an attack, or a limit that is too low.
      log.warning("a picture was not read", ["bytes": .int(picture.count), "reader": "\(exit)"])
      throw RPCError(.invalidArgument, "the picture cannot be read; send another one", executed: .no)
    }
    // Its end may be heard before its last words.
    return await answer.whole()
  }

  /// The picture in a file that has lost its name: the reader finds it among our open ones, and nobody else does.
  private func kept(_ picture: [UInt8]) throws(RPCError) -> Int32 {
    var path = Array("\(folder)/picture-XXXXXX".utf8CString)
    let file = mkstemp(&path)
    guard file >= 0 else { throw noRoom(errno) }
    // No child inherits it, the reader neither: it opens it by its number, among ours.
    _ = fcntl(file, F_SETFD, FD_CLOEXEC)
    unlink(path)
    let written = picture.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
    guard written == picture.count else {
      let error = errno
      close(file)
      throw noRoom(error)
    }
    return file
  }

  private func noRoom(_ error: Int32) -> RPCError {
    let reason = String(cString: strerror(error))
    log.error("a picture could not be kept", ["folder": .string(folder), "error": .string(reason)])
    return RPCError(.unavailable, "there is no room for a picture", executed: .no)
  }
}

/// What a child says until it closes its mouth.
@MainActor
private final class Said {
  private var bytes: [UInt8] = []
  private var isWhole = false
  private var waiter: UnsafeContinuation<[UInt8], Never>?

  func hear(_ more: UnsafeRawBufferPointer, most: Int) {
    if more.isEmpty {
      isWhole = true
      waiter?.resume(returning: bytes)
      waiter = nil
    } else if bytes.count < most {
      bytes += more
    }
  }

  func whole() async -> [UInt8] {
    if isWhole { return bytes }
    return await withUnsafeContinuation { waiter = $0 }
  }
}

/// Gives up what a reader of pictures has no use for: writing files, dumping memory, more than a few seconds, more than
/// some memory.
nonisolated func confineThisProcess() {
  func limit(_ resource: __rlimit_resource, to value: UInt) {
    var limits = rlimit(rlim_cur: value, rlim_max: value)
    setrlimit(__rlimit_resource_t(resource.rawValue), &limits)
  }
  QRReader.forgoNewPrivileges()
  limit(RLIMIT_CPU, to: 4)
  // What a picture of 50 megapixels is unpacked into, and the libraries' tables.
  limit(RLIMIT_DATA, to: 400 << 20)
  limit(RLIMIT_FSIZE, to: 0)
  limit(RLIMIT_CORE, to: 0)
}
