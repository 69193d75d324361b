import AudioStreams
import Testing

/// Playlists as stations have them, and what only looks like one.
@Suite("Playlists")
struct PlaylistTests {
  private func read(_ text: String, _ type: String? = nil) -> AudioDocument {
    AudioDocument(Array(text.utf8), mediaType: type)
  }

  private func addresses(_ text: String, _ type: String? = nil) -> [String]? {
    guard case .playlist(_, let entries) = read(text, type) else { return nil }
    return entries.map(\.address)
  }

  @Test(
    "a PLS gives its first file, whatever line it stands on",
    arguments: [
      "[playlist]\nFile1=http://a.example/s\nTitle1=A\n",
      "[playlist]\r\nNumberOfEntries=1\r\nFile1=http://a.example/s\r\n",
      "[Playlist]\nVersion=2\nLength1=-1\nTitle1=x\nfile1 = http://a.example/s\n", "FILE1=http://a.example/s",
      "\u{FEFF}[playlist]\n\nFile2=http://b.example/\nFile1=http://a.example/s",
    ])
  func pls(text: String) {
    #expect(addresses(text)?.first == "http://a.example/s")
    #expect(addresses(text, "audio/mpeg")?.first == "http://a.example/s", "whatever the server calls it")
  }

  @Test("a PLS without a file is a playlist of nothing, and other settings are none")
  func noFile() {
    #expect(addresses("[playlist]\nNumberOfEntries=0\n") == [])
    #expect(addresses("Filename=http://a.example/\nProfile1=x") == nil)
  }

  @Test("titles stand beside their own addresses")
  func titles() {
    guard case .playlist(.pls, let entries) = read("[playlist]\nTitle2=B\nFile2=http://b.example/\nFile1=http://a/\n")
    else { return #expect(Bool(false), "no playlist") }
    #expect(entries == [.init(address: "http://a/"), .init(address: "http://b.example/", title: "B")])
  }

  @Test("an M3U is a list with or without its header, relative addresses only with it")
  func m3u() {
    #expect(
      addresses("#EXTM3U\n#EXTINF:-1,Eins\nhttp://a.example/s\n\nlive/b.mp3\n") == ["http://a.example/s", "live/b.mp3"])
    #expect(addresses("http://a.example/s\rhttp://b.example/s") == ["http://a.example/s", "http://b.example/s"])
    #expect(addresses("# only a comment\nsomething else") == nil)
    #expect(addresses("Not found") == nil)
  }

  @Test("an XSPF gives its locations with their references replaced, and its comments do not count")
  func xspf() {
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <playlist version="1" xmlns="http://xspf.org/ns/0/"><trackList>
      <!-- <track><location>http://old.example/</location></track> -->
      <track><title>한국 &amp; world</title><location> http://a.example/?a=1&amp;b=&#50; </location></track>
      <track><location><![CDATA[http://b.example/?x&y]]></location></track>
      </trackList></playlist>
      """
    guard case .playlist(.xspf, let entries) = read(text) else { return #expect(Bool(false), "no playlist") }
    #expect(
      entries == [
        .init(address: "http://a.example/?a=1&b=2", title: "한국 & world"), .init(address: "http://b.example/?x&y"),
      ])
  }

  @Test("a broadcaster's JSON gives the stream's address before others in it")
  func json() {
    #expect(
      addresses(#"{"channel_item":[{"channel_code":"23","service_url":"https://a.example/live.m3u8?t=1"}]}"#)
        == ["https://a.example/live.m3u8?t=1"])
    #expect(
      addresses(#"{"url":"https://page.example/","x":{"streamURL":"http://s.example/"}}"#)
        == ["http://s.example/", "https://page.example/"])
    #expect(addresses(#"{"channel_item":[]}"#) == [], "JSON without an address is a list of none")
    #expect(read(#"{"channel_item":[{"#) == .unknown)
  }

  @Test("a page for people is told from everything else")
  func page() {
    #expect(read("<!DOCTYPE html><html><body>listen.pls File1=x</body></html>") == .page)
    #expect(read("\n <HTML><head></head>", "audio/mpeg") == .page)
    #expect(read("Welcome", "text/html") == .page)
    #expect(read("") == .nothing && read(" \r\n") == .nothing)
  }

  @Test("a playlist of renditions offers sound alone before pictures, then the best")
  func master() throws {
    let text = """
      #EXTM3U
      #EXT-X-STREAM-INF:BANDWIDTH=1728000,RESOLUTION=640x360,CODECS="avc1.4d401f,mp4a.40.2"
      video.m3u8
      #EXT-X-STREAM-INF:BANDWIDTH=64000,CODECS="mp4a.40.5"
      low.m3u8
      #EXT-X-STREAM-INF:CODECS="mp4a.40.2",BANDWIDTH=128000
      high.m3u8
      """
    guard case .master(let master) = read(text) else { return #expect(Bool(false), "no master") }
    #expect(master.variants.map(\.address) == ["video.m3u8", "low.m3u8", "high.m3u8"])
    #expect(master.best?.address == "high.m3u8" && master.variants[0].hasPictures)
  }

  @Test("a bandwidth that nobody can mean is none", arguments: ["9223372036854775807", "-1", "0", "x"])
  func absurdBandwidth(told: String) throws {
    guard case .master(let master) = read("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=\(told)\na.m3u8") else {
      return #expect(Bool(false), "no master")
    }
    #expect(master.variants.map(\.bandwidth) == [nil])
  }

  @Test("a playlist of segments tells how they are to be read")
  func media() {
    let text = """
      #EXTM3U
      #EXT-X-VERSION:7
      #EXT-X-TARGETDURATION:10
      #EXT-X-MAP:URI="init.mp4"
      #EXT-X-KEY:METHOD=AES-128,URI="k"
      #EXTINF:9.9,
      a.m4s
      #EXTINF:9.9,
      b.m4s
      """
    guard case .media(let media) = read(text) else { return #expect(Bool(false), "no media") }
    #expect(media.segments == ["a.m4s", "b.m4s"] && media.targetSeconds == 10 && media.head == "init.mp4")
    #expect(media.isEncrypted && !media.hasEnded)
  }

  @Test("of an endless list only so many addresses are kept")
  func bounded() {
    let text = "#EXTM3U\n" + String(repeating: "http://a.example/s\n", count: 5_000)
    #expect(addresses(text)?.count == AudioDocument.Limits.entries)
  }
}
