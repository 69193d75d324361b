import Clocks
import EventLoops
import Fetch
import Glibc
import Testing

/// Sites behind TLS, served by the `openssl` tool with certificates made for the test.
@Suite("Trust in a site", .serialized)
@MainActor
struct TrustTests {
  @Test("a certificate of an authority that we trust, for this name and not too old, is trusted")
  func control() async throws {
    let outcome = try await outcome(of: .good)
    #expect(outcome == "answered")
  }

  @Test("an expired certificate is refused, and the sentence says that it has expired")
  func expired() async throws {
    let outcome = try await outcome(of: .expired)
    #expect(outcome.contains("the site cannot be trusted") && outcome.contains("expired"), "\(outcome)")
  }

  @Test("a certificate that its site signed itself is refused, and the sentence says so")
  func selfSigned() async throws {
    let outcome = try await outcome(of: .selfSigned)
    #expect(outcome.contains("the site cannot be trusted") && outcome.contains("self-signed"), "\(outcome)")
  }

  @Test("a certificate of another name is refused, and the sentence says whose name it lacks")
  func otherName() async throws {
    let outcome = try await outcome(of: .good, host: "festival.example")
    #expect(outcome.contains("the site cannot be trusted") && outcome.contains("festival.example"), "\(outcome)")
  }

  @Test("an authority that is not among those we trust is refused")
  func unknownAuthority() async throws {
    let outcome = try await outcome(of: .good, trustsAuthority: false)
    #expect(outcome.contains("the site cannot be trusted") && outcome.contains("certificate"), "\(outcome)")
  }

  private enum Certificate: String { case good, expired, selfSigned }

  /// What fetching from a site with such a certificate comes to: `answered`, or the sentence of the failure.
  private func outcome(
    of certificate: Certificate, host: String = "cinema.example", trustsAuthority: Bool = true
  ) async throws -> String {
    let folder = try KeyFolder()
    defer { folder.remove() }
    try await folder.make(expires: certificate == .expired)
    let file = certificate == .selfSigned ? "own.pem" : "site.pem"
    var output = ""
    let server = try ChildProcess(
      "openssl",
      ["s_server", "-accept", "127.0.0.1:0", "-cert", file, "-key", "site.key", "-www", "-naccept", "1"],
      directory: folder.path, output: .pipe { output += String(decoding: $0, as: UTF8.self) }, errors: .discard)
    defer { server.send(.kill) }
    while !output.contains("ACCEPT ") || !output.contains("\n"), server.exit == nil { await aTurn() }
    let line = try #require(output.split(separator: "\n").first { $0.hasPrefix("ACCEPT ") })
    let port = try #require(line.split(separator: ":").last.flatMap { UInt16($0) })

    let fetcher = Fetcher(
      addressGuard: AddressGuard(exceptions: [.ip(.loopback, port: port)]),
      authorities: trustsAuthority ? folder.path + "/authority.pem" : nil
    ) { _, port in [.ip(.loopback, port: port)] }
    defer { fetcher.close() }
    do throws(FetchError) {
      var request = try FetchRequest("https://\(host):\(port)/")
      // A busy machine lets the other process wait; what is tested is trust.
      (request.limits.connect, request.limits.total, request.limits.slowness) = (
        .seconds(60), .seconds(60), .seconds(60)
      )
      return try await fetcher.fetch(request).isSuccess ? "answered" : "answered badly"
    } catch {
      return "\(error)"
    }
  }

  private func aTurn() async {
    await withUnsafeContinuation { next in EventLoop.atEndOfTurn { next.resume() } }
  }
}

/// Keys and certificates in a folder of their own.
@MainActor
private final class KeyFolder {
  let path: String
  private static var serial = 0

  init() throws {
    Self.serial += 1
    path = "/tmp/odi-tls-\(getpid())-\(Self.serial)"
    try #require(mkdir(path, 0o700) == 0)
  }

  /// An authority, a certificate of a site that it signed, and one that the site signed itself.
  func make(expires: Bool) async throws {
    let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    let name = ["-subj", "/CN=cinema.example", "-addext", "subjectAltName=DNS:cinema.example"]
    try await openssl(
      ["req", "-x509"] + key + [
        "-keyout", "authority.key", "-out", "authority.pem", "-days", "2", "-subj", "/CN=Authority",
      ])
    try await openssl(["req"] + key + ["-keyout", "site.key", "-out", "site.csr"] + name)
    try await openssl(["req", "-x509", "-key", "site.key", "-out", "own.pem", "-days", "2"] + name)
    try await openssl([
      "x509", "-req", "-in", "site.csr", "-CA", "authority.pem", "-CAkey", "authority.key", "-CAcreateserial", "-days",
      expires ? "-1" : "2", "-copy_extensions", "copyall", "-out", "site.pem",
    ])
  }

  private func openssl(_ arguments: [String]) async throws {
    let process = try ChildProcess("openssl", arguments, directory: path, output: .discard, errors: .discard)
    #expect(await process.wait() == .code(0), "openssl \(arguments.joined(separator: " "))")
  }

  func remove() {
    for file in ["authority.key", "authority.pem", "authority.srl", "site.key", "site.csr", "site.pem", "own.pem"] {
      unlink("\(path)/\(file)")
    }
    rmdir(path)
  }
}
