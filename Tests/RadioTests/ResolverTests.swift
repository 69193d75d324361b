import Clocks
import Contracts
import EventLoops
import Fetch
import Radio
import TestKit
import Testing

/// From an address to a stream, whatever stands between, and never further than it may go.
@Suite("Resolver", .serialized, .timeLimit(.minutes(5)))
@MainActor
struct ResolverTests {
  private func hosting(_ body: (StationHost) async throws -> Void) async throws {
    let host = try StationHost()
    defer { host.close() }
    host.on("/live.mp3", forever: frames, type: "audio/mpeg")
    try await body(host)
  }

  @Test("a stream without an end is heard and let go, and says what it is")
  func direct() async throws {
    try await hosting { host in
      let found = await host.resolver().resolve("\(host.base)/live.mp3")
      #expect(found.stream?.url == "\(host.base)/live.mp3" && found.stream?.kind == .progressive)
      #expect(found.stream?.codec == "mp3" && found.stream?.kilobits == 128 && found.stream?.sampleRate == 44_100)
      #expect(found.stream?.name == "Night" && found.steps.count == 1)
    }
  }

  @Test("a stream that sends silence is told from one that begins with a pause")
  func silence() async throws {
    try await hosting { host in
      let empty = [0xFF, 0xFB, 0x90, 0x44] + [UInt8](repeating: 0, count: 413)
      host.on("/silent.mp3", forever: empty, type: "audio/mpeg")
      host.on("/pause.mp3", forever: (0..<100).flatMap { _ in empty } + frames, type: "audio/mpeg")
      let silent = await host.resolver().resolve("\(host.base)/silent.mp3", listens: true)
      #expect(silent.stream?.isSilent == true && silent.stream?.codec == "mp3", "\(silent)")
      #expect(silent.steps.last?.finding.hasSuffix(", silence") == true)
      let pause = await host.resolver().resolve("\(host.base)/pause.mp3", listens: true)
      #expect(pause.stream?.isSilent == false, "\(pause)")
      #expect(await host.resolver().resolve("\(host.base)/live.mp3").stream?.isSilent == false)
      let waited = await host.resolver().resolve("\(host.base)/silent.mp3")
      #expect(waited.stream?.codec == "mp3" && waited.stream?.isSilent == nil, "who listens does not wait: \(waited)")
    }
  }

  @Test("an old server's ICY status is an answer")
  func icy() async throws {
    try await hosting { host in
      host.on("/;", forever: frames, type: "audio/mpeg", head: "ICY 200 OK")
      #expect(await host.resolver().resolve("\(host.base)/;").stream?.codec == "mp3")
    }
  }

  @Test(
    "playlists are read by what they are and not by what they are called",
    arguments: [
      "[playlist]\nNumberOfEntries=1\nTitle1=x\nFile1=BASE/live.mp3\n", "#EXTM3U\n#EXTINF:-1,x\nlive.mp3\n",
      "BASE/live.mp3\n", #"{"channel_item":[{"service_url":"BASE/live.mp3"}]}"#,
      #"<?xml version="1.0"?><playlist xmlns="http://xspf.org/ns/0/"><trackList><track><location>BASE/live.mp3</location></track></trackList></playlist>"#,
    ])
  func playlists(text: String) async throws {
    try await hosting { host in
      host.on("/list", text, type: "application/octet-stream")
      let found = await host.resolver().resolve("\(host.base)/list")
      #expect(found.stream?.url == "\(host.base)/live.mp3", "\(found)")
      #expect(host.asked == ["/list", "/live.mp3"])
    }
  }

  @Test("the next address of a playlist is tried when the first is silent")
  func choices() async throws {
    try await hosting { host in
      host.on("/list", "[playlist]\nFile1=BASE/gone\nFile2=BASE/live.mp3\n")
      let found = await host.resolver().resolve("\(host.base)/list")
      #expect(found.stream != nil && found.steps.map(\.status) == [200, 404, 200])
    }
  }

  @Test("of HLS the player gets the list of renditions, once a segment was seen to be sound")
  func hls() async throws {
    try await hosting { host in
      host.on(
        "/m.m3u8",
        "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=64000\nlow.m3u8\n#EXT-X-STREAM-INF:BANDWIDTH=128000\nhigh.m3u8\n")
      host.on("/high.m3u8", "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\n1.mp3\n#EXTINF:4,\n2.mp3\n")
      host.on("/2.mp3", only: [], type: "audio/mpeg")
      host.on("/2.mp3", forever: frames, type: "audio/mpeg")
      let found = await host.resolver().resolve("\(host.base)/m.m3u8")
      #expect(found.stream?.url == "\(host.base)/m.m3u8" && found.stream?.kind == .hls)
      #expect(found.stream?.mediaType == "application/vnd.apple.mpegurl" && found.stream?.codec == "mp3")
      #expect(host.asked == ["/m.m3u8", "/high.m3u8", "/2.mp3"])
      host.on("/dead.m3u8", "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\ngone.ts\n")
      #expect(await host.resolver().resolve("\(host.base)/dead.m3u8").stream == nil)
    }
  }

  @Test("a page for people, an error and nothing at all are told apart")
  func silent() async throws {
    try await hosting { host in
      host.on("/page", "<!doctype html><html><body>Listen!</body></html>", type: "audio/mpeg")
      host.on("/empty", "", type: "audio/mpeg")
      host.on("/away", "sorry", status: "503 Service Unavailable")
      func problem(_ path: String) async -> String { await host.resolver().resolve(host.base + path).problem ?? "" }
      #expect(await problem("/page").contains("a page for people"))
      #expect(await problem("/empty").contains("nothing came"))
      #expect(await problem("/away").contains("answers 503"))
      #expect(await problem("/gone").contains("answers 404"))
      #expect(await host.resolver().resolve("rtsp://radio.example/").stream == nil)
    }
  }

  @Test("redirects are followed so far and no further, and a playlist that leads to itself ends")
  func loops() async throws {
    try await hosting { host in
      host.on("/a", "", status: "302 Found", more: "Location: BASE/b\r\n")
      host.on("/b", "", status: "302 Found", more: "Location: BASE/live.mp3\r\n")
      #expect(await host.resolver().resolve("\(host.base)/a").stream?.url == "\(host.base)/live.mp3")
      host.on("/round", "", status: "302 Found", more: "Location: BASE/round\r\n")
      #expect(await host.resolver().resolve("\(host.base)/round").problem?.contains("more than 5 times") == true)
      host.on("/self.pls", "[playlist]\nFile1=BASE/other.m3u\n")
      host.on("/other.m3u", "#EXTM3U\nself.pls\n")
      #expect(await host.resolver().resolve("\(host.base)/self.pls").problem?.contains("leads back to itself") == true)
    }
  }

  @Test("playlists of playlists end, however they are nested or spread")
  func bounded() async throws {
    try await hosting { host in
      for level in 0..<9 { host.on("/deep\(level)", "#EXTM3U\ndeep\(level + 1)\n") }
      let deep = await host.resolver().resolve("\(host.base)/deep0")
      #expect(deep.stream == nil && deep.problem?.contains("too deep") == true)
      host.on("/wide", "#EXTM3U\n" + (0..<50).map { "gone\($0)\n" }.joined())
      let wide = await host.resolver().resolve("\(host.base)/wide")
      #expect(wide.stream == nil && wide.steps.count == 4, "three choices of a playlist are tried")
    }
  }

  @Test(
    "an address inside is not connected to, wherever it comes from",
    arguments: [
      "http://10.0.0.1/", "http://169.254.169.254/latest/meta-data/", "http://127.0.0.1:6379/", "http://[::1]/",
    ])
  func inside(address: String) async throws {
    try await hosting { host in
      host.on("/list", "[playlist]\nFile1=\(address)\n")
      host.on("/jump", "", status: "302 Found", more: "Location: \(address)\r\n")
      let before = host.fetcher.connectionsTried
      for path in ["/list", "/jump"] {
        let found = await host.resolver().resolve(host.base + path)
        #expect(found.stream == nil && found.problem?.contains("is not connected to") == true, "\(found.problem ?? "")")
      }
      #expect(await host.resolver().resolve(address).stream == nil)
      #expect(host.fetcher.connectionsTried - before <= 2, "only the host itself was connected to")
    }
  }

  @Test("text without an end is given up where no playlist is longer")
  func endlessText() async throws {
    try await hosting { host in
      host.on("/text", forever: Array("#EXTM3U\n# and so on\n".utf8), type: "audio/x-mpegurl")
      let found = await host.resolver().resolve("\(host.base)/text")
      #expect(found.stream == nil)
    }
  }

  @Test("who sends nothing is given up in time; who was heard before is known all the same")
  func slow() async throws {
    try await hosting { host in
      let time = ManualTime()
      host.use(time)
      host.on("/mute", only: [], type: "audio/mpeg")
      async let mute = host.resolver(time: time).resolve("\(host.base)/mute")
      await host.isVisited()
      time.advance(by: .seconds(7))
      #expect(await mute.problem?.contains("no complete answer within 6") == true)
    }
  }
}
