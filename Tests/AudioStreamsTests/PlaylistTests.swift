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

  @Test("SHOUTcast's own name for the web's protocol is the web's")
  func icy() {
    #expect(addresses("[playlist]\nFile1=icy://a.example:8000/s\n") == ["http://a.example:8000/s"])
    #expect(addresses("ICY://a.example/s\n") == ["http://a.example/s"])
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

  @Test(
    "what is sent as an M3U is one, also without its header: its addresses may be relative",
    arguments: ["audio/x-mpegurl", "audio/mpegurl", "application/vnd.apple.mpegurl", "Application/x-mpegURL"])
  func m3uByType(type: String) {
    for body in ["mp3", "/mp3", "stream.mp3", "//host.example/mp3", "# radio\r\nlive/a.aac\r\n"] {
      #expect(addresses(body, type)?.count == 1, "\(body)")
      #expect(addresses(body) == nil, "\(body)")
      #expect(addresses(body, "audio/mpeg") == nil, "\(body)")
    }
    #expect(addresses("Not found", type) == [])
    #expect(read("<!doctype html><title>x</title>", type) == .page)
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

  private func entries(_ text: String) -> [PlaylistEntry]? {
    guard case .playlist(_, let entries) = read(text) else { return nil }
    return entries
  }

  @Test("a line of an M3U tells title and heading, whatever stands in quotes before them")
  func described() {
    let text = """
      #EXTM3U url-tvg="http://x.example/epg.xml"
      #EXTINF:-1 tvg-id="j" tvg-logo="http://l.example/a,b.png" group-title="Jazz, Blues" radio="true",Jazz FM, London
      #EXTVLCOPT:http-user-agent=foo
      http://jazz.example/stream|User-Agent=Mozilla/5.0
      #EXTINF:0 tvg-name="Named" group-title="",
      #EXTGRP:Talk
      https://named.example/live.m3u8
      #EXTINF:-1,12" Mix
      http://mix.example/
      http://bare.example/
      """
    #expect(
      entries(text) == [
        .init(address: "http://jazz.example/stream", title: "Jazz FM, London", group: "Jazz, Blues"),
        .init(address: "https://named.example/live.m3u8", title: "Named", group: "Talk"),
        .init(address: "http://mix.example/", title: "12\" Mix"), .init(address: "http://bare.example/"),
      ])
  }

  @Test("a bare list may name other ways than the web's beside one that is")
  func otherSchemes() {
    #expect(addresses("mms://a.example/1\nhttp://b.example/2\n") == ["mms://a.example/1", "http://b.example/2"])
    #expect(addresses("mailto://a\n") == nil)
  }

  @Test("UTF-16 is read by its mark, and a long title is not cut inside a letter", arguments: [true, false])
  func wide(isLittle: Bool) {
    let title = String(repeating: "한", count: 300)
    let text = "\u{FEFF}#EXTM3U\r\n#EXTINF:-1,\(title)\r\nhttp://a.example/\r\n"
    let bytes = text.utf16.flatMap { unit in
      let pair = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
      return isLittle ? pair.reversed() : pair
    }
    guard case .playlist(.m3u, let entries) = AudioDocument(bytes, mediaType: nil) else {
      return #expect(Bool(false), "no playlist")
    }
    #expect(entries == [.init(address: "http://a.example/", title: String(title.prefix(166)))])
  }

  @Test("an ASX gives the references of its entries, and so does its older form")
  func asx() {
    let text = """
      <ASX VERSION="3.0"><!-- <entry><ref href="http://old.example/"/></entry> --><TITLE>All</TITLE>
      <ENTRY><TITLE>Eins &amp; Zwei</TITLE><REF HREF="http://a.example/?a=1&amp;b=2"/><ref href = 'mms://a.example/2' /></ENTRY>
      <entry><ref href=http://b.example/></entry></ASX>
      """
    #expect(
      entries(text) == [
        .init(address: "http://a.example/?a=1&b=2", title: "Eins & Zwei"),
        .init(address: "mms://a.example/2", title: "Eins & Zwei"), .init(address: "http://b.example"),
      ])
    // Another list in the place of an entry, and an entry that is its own reference.
    #expect(
      addresses(
        "<asx version=\"3.0\"><EntryRef HREF=\"http://a.example/more.asx\" /><ENTRY href=\"http://b.example/1\" />"
          + "<entry><ref href='http://c.example/'/></entry></asx>")
        == ["http://a.example/more.asx", "http://b.example/1", "http://c.example/"])
    #expect(
      addresses("[Reference]\r\nRef1=http://a.example/1?MSWMExt=.asf\r\nRef2=http://b.example/2\r\nReferrer=x\r\n")
        == ["http://a.example/1?MSWMExt=.asf", "http://b.example/2"])
  }

  @Test("elements of an XSPF may have attributes")
  func attributes() {
    let text = """
      <playlist version="1" xmlns="http://xspf.org/ns/0/"><trackList>
      <track xml:id="a"><location xml:base="http://x.example/">http://a.example/1</location><title lang="de">Eins</title></track>
      <track>\n<location>http://a.example/2</location></track></trackList></playlist>
      """
    #expect(
      entries(text) == [.init(address: "http://a.example/1", title: "Eins"), .init(address: "http://a.example/2")])
  }

  @Test("a broadcaster's JSON gives the stream's address before others in it")
  func json() {
    #expect(
      addresses(#"{"channel_item":[{"channel_code":"23","service_url":"https://a.example/live.m3u8?t=1"}]}"#)
        == ["https://a.example/live.m3u8?t=1"])
    #expect(
      addresses(#"{"url":"https://page.example/","x":{"streamURL":"http://s.example/"}}"#)
        == ["http://s.example/", "https://page.example/"])
    #expect(
      addresses(#"{"image":"https://i.example/","liveAudioUrl":"http://s.example/"}"#) == ["http://s.example/"],
      "a name with such a word in it")
    #expect(addresses(#"play({"data":{"serviceUrl":"http://a.example/s"}});"#) == ["http://a.example/s"])
    #expect(addresses(#"["http://a.example/s"]"#) == ["http://a.example/s"])
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
    #expect(addresses(text)?.count == AudioDocument.Limits.answer.entries)
  }
}
