import AudioStreams
import Testing

/// Playlists as servers send them against their own rules.
@Suite("Odd playlists")
struct OddPlaylistTests {
  private func addresses(_ text: String, _ type: String? = nil) -> [String]? {
    guard case .playlist(_, let entries) = AudioDocument(Array(text.utf8), mediaType: type) else { return nil }
    return entries.map(\.address)
  }

  @Test("quotes around the value of a PLS are no part of the address")
  func quoted() {
    #expect(addresses("[playlist]\nFile1=\"http://a.example/s\"\nTitle1='x'\n") == ["http://a.example/s"])
  }

  @Test(
    "sentences within an M3U are no addresses, and blanks in one are written as such; only where it says what it is")
  func sentences() {
    let lines = "Our stream\nhttp://a.example/my stream.mp3\n"
    #expect(addresses("#EXTM3U\n" + lines) == ["http://a.example/my%20stream.mp3"])
    #expect(addresses(lines) == nil)
  }

  @Test("letters of Windows are letters")
  func windows() {
    let bytes =
      Array("#EXTM3U\n#EXTINF:-1,".utf8) + [0x93, 0xC9, 0x74, 0xE9, 0x94] + Array("\nhttp://a.example/s\n".utf8)
    guard case .playlist(_, let entries) = AudioDocument(bytes, mediaType: nil) else {
      return #expect(Bool(false), "no playlist")
    }
    #expect(entries.map(\.title) == ["“Été”"])
  }

  @Test("a list of segments that forgot its first line is one")
  func headless() {
    let text = "#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\n1.aac\n"
    guard case .media(let media) = AudioDocument(Array(text.utf8), mediaType: nil) else {
      return #expect(Bool(false), "no list")
    }
    #expect(media.segments == ["1.aac"])
  }

  @Test("an XSPF may have a prefix, a place where its addresses begin, and several of these for one track")
  func xspf() {
    let prefixed = #"""
      <x:playlist xmlns:x="http://xspf.org/ns/0/" xml:base="http://a.example/radio/index.xspf"><x:trackList>
      <x:track><x:location>live.mp3</x:location><x:location>/low.mp3</x:location></x:track>
      <x:track><x:location>https://b.example/s</x:location></x:track></x:trackList></x:playlist>
      """#
    #expect(
      addresses(prefixed) == ["http://a.example/radio/live.mp3", "http://a.example/low.mp3", "https://b.example/s"])
  }

  @Test("places that do not end cost one look at the rest, however many they are")
  func endless() {
    let places = String(repeating: "<location>", count: 24_000)
    #expect(addresses("<playlist xmlns=\"http://xspf.org/ns/0/\"><trackList><track>\(places)") == [])
    let entry = "<asx><entry><title>" + String(repeating: "<ref>", count: 24_000)
    #expect(addresses(entry) == [])
    for one in ["<entry></entry>", "<entryref>"] {
      #expect(addresses("<asx>" + String(repeating: one, count: 17_000)) == [])
    }
  }

  @Test("an ASX may leave its quotes out and say where its addresses begin")
  func asx() {
    #expect(
      addresses("<asx version=3.0><entry><ref href=http://a.example/s?a=1&b=2/></entry></asx>")
        == ["http://a.example/s?a=1&b=2"])
    #expect(
      addresses(#"<ASX><BASE HREF="http://a.example/wm/"/><ENTRY><REF HREF="s.wma"/></ENTRY></ASX>"#)
        == ["http://a.example/wm/s.wma"])
  }

  @Test(
    "the stream of a broadcaster's JSON comes before its pictures and pages",
    arguments: [
      #"{"url":"https://a.example/","logo":{"url":"https://a.example/l.png"},"streams":[{"url":"https://s.example/live"}]}"#,
      #"{"image":{"url":"https://a.example/cover"},"url":"https://s.example/live.mp3","live":{"m3u8":"https://s.example/live"}}"#,
      #"{"media":[{"connection":[{"href":"https://s.example/live"}]}]}"#, #"call({"src":"https://s.example/live"})"#,
      #"{"logo":{"url":"https://a.example/l"},"smart":{"url":"https://s.example/live"},"art":{"url":"https://a.example/a"}}"#,
      #"{"album_art":{"url":"https://a.example/l"},"artist":{"url":"https://a.example/a"},"url":"https://s.example/live"}"#,
      #"{"album":{"art":"https://a.example/l"},"stream_start":{"url":"https://s.example/live"}}"#,
      #"{"cover_art":{"url":"https://a.example/l"},"start":{"url":"https://s.example/live"}}"#,
      #""https://s.example/live""#, #"{"page":"https://a.example/","now":{"address":"https://s.example/live.aac"}}"#,
    ])
  func json(text: String) {
    #expect(addresses(text, "text/html")?.first?.hasPrefix("https://s.example/live") == true)
  }

  @Test("an address without its scheme is one")
  func relative() {
    #expect(addresses(#"{"stream":"//s.example/live"}"#) == ["//s.example/live"])
  }

  @Test(
    "titles in a stream are told without what programs add",
    arguments: [
      ("StreamTitle = 'Ann - Day' ; StreamUrl = '';", "Ann - Day"), ("streamtitle='It's; so';", "It's; so"),
      ("StreamTitle='Ann &amp; Bea - Day &#8211; Night';", "Ann & Bea - Day – Night"),
      (#"StreamTitle='Ann - text="Long Day" song_spot="M" spotInstanceId="-1"';StreamUrl='';"#, "Ann - Long Day"),
      (#"StreamTitle='title="Long Day",artist="Ann",url="song"';"#, "Ann - Long Day"),
      (#"StreamTitle='Ann - 12" Mix';"#, #"Ann - 12" Mix"#), ("StreamTitle='';", ""),
    ])
  func titles(block: String, title: String) {
    #expect(IcyMetadata(Array(block.utf8)[...])?.text == title)
  }
}
