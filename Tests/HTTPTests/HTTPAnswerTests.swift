import Compression
import HTTP
import Testing

@MainActor
@Suite("HTTP answers")
struct HTTPAnswerTests {
  private static let text = String(repeating: "the cinemas closest to a point, nearest first. ", count: 100)

  private let fixture = HTTPFixture(routes: { router in
    router.get("/text") { _ in .text(Self.text).cached(.minute) }
    router.get("/short") { _ in .text("short").cached(.revalidate) }
    router.get("/png") { _ in HTTPResponse(.ok, .of(file: "a.png"), Array(Self.text.utf8)) }
    router.get("/tagged") { _ in .text("x").cached(.never, tag: .given("rev-7")) }
    router.on(.post, "/text") { _ in .text(Self.text).cached(.minute) }
    router.serve([
      StaticFile("/app.js", Array(Self.text.utf8), cache: .forever), StaticFile("/s/icon.png", [1, 2, 3]),
      StaticFile("/index", Array("<p>".utf8), type: .html),
    ])
  })

  private func raw(_ request: String) -> (Reply, [UInt8])? {
    let stream = fixture.connect()
    stream.arrive(request)
    let bytes = stream.takeSent()
    guard let end = bytes.indices.first(where: { bytes[$0...].starts(with: "\r\n\r\n".utf8) }) else { return nil }
    return (Reply.all(in: bytes)[0], Array(bytes[(end + 4)...]))
  }

  @Test(
    "gzip is sent to who likes it at least as much as the plain form",
    arguments: [
      ("gzip", true), ("GZIP", true), ("deflate, gzip;q=1.0, *;q=0.5", true), ("br, gzip", true), ("*", true),
      ("x-gzip", true),
      ("gzip;q=0.001", true), ("gzip;q=0.5, identity;q=0.5", true), ("identity, *;q=0", false), ("", false),
      ("br", false),
      ("gzip;q=0", false), ("gzip;q=0.000", false), ("*;q=0", false), ("gzip;q=0, *", false),
      ("gzip;q=0.5, identity", false),
      ("gzip;q=x", false), ("gzip;q=", false), ("gzip;q=1.0000", false), ("gzip;q=-1", false), ("gzipp", false),
      (";q=1", false),
      (" gzip ; q=0.8 ", true), ("identity;q=0, gzip;q=1", true),
    ])
  func accepts(value: String, isPacked: Bool) throws {
    let (reply, body) = try #require(raw(HTTPFixture.get("/text", "Accept-Encoding: \(value)\r\n")))
    #expect(reply["Content-Encoding"] == (isPacked ? "gzip" : nil))
    #expect(reply["Vary"] == "Accept-Encoding")
    let plain = isPacked ? try CompressionFormat.gzip.decompress(body, limit: 100_000) : body
    #expect(plain == Array(Self.text.utf8))
    #expect(isPacked == (body.count < plain.count))
  }

  @Test("what is short, or packed already, is sent as it is")
  func notWorthIt() throws {
    for path in ["/short", "/png"] {
      let (reply, _) = try #require(raw(HTTPFixture.get(path, "Accept-Encoding: gzip\r\n")))
      #expect(reply["Content-Encoding"] == nil && reply["Vary"] == nil)
    }
  }

  @Test("the same bytes have the same tag, and who has them gets 304")
  func tags() throws {
    let plain = try #require(fixture.ask("GET", "/text")?["ETag"])
    let packed = try #require(raw(HTTPFixture.get("/text", "Accept-Encoding: gzip\r\n"))?.0["ETag"])
    #expect(plain.hasPrefix("\"") && plain.hasSuffix("\"") && packed == plain.dropLast() + "-gz\"")
    for condition in [plain, packed, "W/\(plain)", "\"other\", \(plain)", "*", "\(plain) , \"x\""] {
      let reply = fixture.ask("GET", "/text", "If-None-Match: \(condition)\r\n")
      #expect(reply?.status == 304 && reply?.body == "" && reply?["Content-Length"] == nil, "\(condition)")
      #expect(reply?["ETag"] == plain && reply?["Cache-Control"] == CacheControl.minute.rawValue, "\(condition)")
      #expect(reply?["Content-Type"] == nil && reply?["Vary"] == "Accept-Encoding", "\(condition)")
    }
    for condition in [
      "\"other\"", plain.dropLast() + "x\"", "\(plain.dropFirst().dropLast())", "\"", "", "\"*\"", "x*",
    ] {
      #expect(fixture.ask("GET", "/text", "If-None-Match: \(condition)\r\n")?.status == 200, "\(condition)")
    }
    #expect(fixture.ask("HEAD", "/text", "If-None-Match: \(plain)\r\n")?.status == 304)
    #expect(fixture.ask("POST", "/text", "If-None-Match: \(plain)\r\n")?.status == 200)
    #expect(fixture.ask("GET", "/tagged", "If-None-Match: \"rev-7\"\r\n")?.status == 304)
  }

  @Test("neither 304 nor HEAD compresses a body that is not sent")
  func nothingPackedInVain() throws {
    let plain = try #require(fixture.ask("GET", "/text")?["ETag"])
    let packed = "\(plain.dropLast())-gz\""
    for (has, tag) in [(plain, plain), (packed, packed), ("*", plain)] {
      let reply = fixture.ask("GET", "/text", "Accept-Encoding: gzip\r\nIf-None-Match: \(has)\r\n")
      #expect(reply?.status == 304 && reply?["ETag"] == tag && reply?["Vary"] == "Accept-Encoding", "\(has)")
    }
    let head = fixture.ask("HEAD", "/text", "Accept-Encoding: gzip\r\n")
    #expect(head?.status == 200 && head?["Content-Length"] == nil && head?["Vary"] == "Accept-Encoding")
    #expect(fixture.ask("HEAD", "/text")?["Content-Length"] == "\(Self.text.utf8.count)")
  }

  @Test("files come from memory with type, tag and a packed form, and nothing else does")
  func files() throws {
    let (script, _) = try #require(raw(HTTPFixture.get("/app.js")))
    #expect(script["Content-Type"] == "text/javascript; charset=utf-8")
    #expect(script["Cache-Control"] == "public, max-age=31536000, immutable")
    let (packed, body) = try #require(raw(HTTPFixture.get("/app.js", "Accept-Encoding: gzip\r\n")))
    #expect(packed["Content-Encoding"] == "gzip" && packed["Vary"] == "Accept-Encoding")
    #expect(try CompressionFormat.gzip.decompress(body, limit: 10_000) == Array(Self.text.utf8))
    #expect(fixture.ask("GET", "/app.js", "If-None-Match: \(packed["ETag"] ?? "")\r\n")?.status == 304)
    let icon = fixture.ask("GET", "/s/icon.png")
    #expect(icon?["Content-Type"] == "image/png" && icon?["Vary"] == nil && icon?["Cache-Control"] == "no-cache")
    #expect(fixture.ask("GET", "/index")?["Content-Security-Policy"] != nil)
    for path in ["/s/", "/s/../app.js", "/s/icon.png/", "/APP.JS"] { #expect(fixture.ask("GET", path)?.status != 200) }
  }

  @Test(
    "a file's type follows from its ending",
    arguments: [
      ("a.html", "text/html; charset=utf-8"), ("a.CSS", "text/css; charset=utf-8"),
      ("sw.js", "text/javascript; charset=utf-8"),
      ("a.webmanifest", "application/manifest+json"), ("a.b.svg", "image/svg+xml"), ("a.webp", "image/webp"),
      ("a.exe", "application/octet-stream"), ("a", "application/octet-stream"),
      ("a.ics", "text/calendar; charset=utf-8"),
    ])
  func types(name: String, type: String) { #expect(MediaType.of(file: name).text == type) }

  @Test("every kind of problem has its own slug, a status that is an error, and a title")
  func problems() {
    for kind in Problem.Kind.allCases {
      #expect((400..<600).contains(kind.status.rawValue) && !kind.title.isEmpty)
      #expect("\(kind.status.reason)" != "Other")
    }
    #expect(Set(Problem.Kind.allCases.map(\.rawValue)).count == Problem.Kind.allCases.count)
    for failure in HTTPFailure.allCases { #expect("\(failure.status.reason)" != "Other" && !failure.detail.isEmpty) }
  }

  @Test("a large body is sent whole after its head")
  func large() throws {
    let (reply, body) = try #require(raw(HTTPFixture.get("/big")))
    #expect(reply["Content-Length"] == "700000" && body.count == 700_000)
  }
}
