import AudioStreams
import Testing

/// Sound by its headers, made here byte by byte.
@Suite("Formats of sound")
struct FormatTests {
  /// A frame of MPEG 1 layer III: 44,100 Hz, stereo.
  private func mp3(_ rateIndex: UInt8, _ kilobits: Int) -> [UInt8] {
    [0xFF, 0xFB, rateIndex << 4, 0x44] + [UInt8](repeating: 0x55, count: 144_000 * kilobits / 44_100 - 4)
  }

  /// A frame of ADTS: AAC-LC, 44,100 Hz, stereo.
  private func adts(_ length: Int) -> [UInt8] {
    let size = UInt8(truncatingIfNeeded: length >> 11 & 3)
    return [0xFF, 0xF1, 0x50, 0x80 | size, UInt8(length >> 3 & 0xFF), UInt8(length & 7) << 5 | 0x1F, 0xFC]
      + [UInt8](repeating: 0x21, count: length - 7)
  }

  private func ogg(_ packet: [UInt8], position: UInt64 = 0, isFirst: Bool = true) -> [UInt8] {
    let positionBytes = (0..<8).map { UInt8(truncatingIfNeeded: position >> ($0 * 8)) }
    let segments = packet.count / 255 + 1
    let lacing = [UInt8](repeating: 255, count: segments - 1) + [UInt8(packet.count % 255)]
    return Array("OggS".utf8) + [0, isFirst ? 2 : 0] + positionBytes + [UInt8](repeating: 7, count: 12)
      + [UInt8(segments)] + lacing + packet
  }

  private func format(_ bytes: [UInt8], _ type: String? = nil) -> AudioFormat? {
    if case .sound(let format) = AudioDocument(bytes, mediaType: type) { format } else { nil }
  }

  @Test("MP3 is found in the middle of a stream")
  func middle() {
    let stream = [0x00, 0xFF, 0xFB, 0x01, 0x02] + Array(mp3(9, 128).suffix(100)) + (0..<6).flatMap { _ in mp3(9, 128) }
    #expect(
      format(stream)
        == AudioFormat(codec: "mp3", mediaType: "audio/mpeg", kilobits: 128, sampleRate: 44_100, channels: 2))
  }

  @Test("a variable rate is counted over the frames")
  func variable() throws {
    let stream = (0..<10).flatMap { $0 % 2 == 0 ? mp3(9, 128) : mp3(11, 192) }
    let kilobits = try #require(format(stream)?.kilobits)
    #expect((158...162).contains(kilobits))
  }

  @Test("one header in noise makes no stream")
  func noise() {
    var noise = (0..<4_000).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 11) }
    noise.replaceSubrange(100..<104, with: [0xFF, 0xFB, 0x90, 0x44])
    noise[0] = 0
    #expect(format(noise) == nil)
    #expect(format(noise, "audio/mpeg") == nil, "whatever the server calls it")
    #expect(format(noise, "audio/aac")?.codec == "aac", "which may be framed otherwise")
    #expect(format([UInt8](repeating: 0, count: 4_000), "audio/aac") == nil)
    let tagged: [UInt8] = Array("ID3".utf8) + [4, 0, 0, 0, 1, 0, 0] + noise
    #expect(format(tagged, "audio/mpeg")?.codec == "mp3", "its tag is longer than what came of it")
  }

  @Test("AAC tells its rate by its frames, behind a tag too")
  func aac() {
    let frames = (0..<20).flatMap { _ in adts(372) }
    let expected = AudioFormat(codec: "aac", mediaType: "audio/aac", kilobits: 128, sampleRate: 44_100, channels: 2)
    #expect(format(frames) == expected)
    #expect(format(Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 3, 1, 0, 2] + frames) == expected)
  }

  @Test("silence is told of MP3 and AAC by frames that carry nothing, and of PCM by its samples")
  func silence() {
    func wave(_ samples: [Int16]) -> [UInt8] {
      Array("RIFF".utf8) + [255, 255, 255, 255] + Array("WAVEfmt ".utf8)
        + [16, 0, 0, 0, 1, 0, 1, 0, 0x80, 0x3E, 0, 0, 0, 0x7D, 0, 0, 2, 0, 16, 0] + Array("data".utf8)
        + [255, 255, 255, 255]
        + samples.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
    }
    // Side information of a granule without parts, as encoders write it: the gain alone, and scale factors shared.
    let side: [UInt8] = [
      0, 0x0F, 0xF0, 0, 0, 0x69, 0, 0, 0, 8, 0, 0, 0x0D, 0x20, 0, 0, 1, 0, 0, 1, 0xA4, 0, 0, 0, 0x20, 0, 0, 0x34, 0x80,
      0, 0, 4,
    ]
    var frame = mp3(9, 128)
    frame.replaceSubrange(4..<36, with: side)
    let silent = (0..<10).flatMap { _ in frame }
    #expect(Silence.fills(silent) == true)
    #expect(Silence.fills(silent + mp3(9, 128) + mp3(9, 128)) == false, "one frame with sound is enough")
    #expect(Silence.fills((0..<10).flatMap { _ in mp3(9, 128) }) == false)
    // Of the last of both channels' granules the length is not nothing.
    frame[4 + (20 + 3 * 59) / 8] |= 0x01
    #expect(Silence.fills((0..<10).flatMap { _ in frame }) == false)
    #expect(Silence.fills((0..<10).flatMap { _ in adts(13) }) == true)
    #expect(Silence.fills((0..<10).flatMap { _ in adts(372) }) == false)
    #expect(Silence.fills(wave([Int16](repeating: 3, count: 4_000))) == true)
    #expect(Silence.fills(wave((0..<4_000).map { $0 % 200 < 100 ? 900 : -900 })) == false)
    #expect(Silence.fills(wave([Int16](repeating: 0, count: 100))) == nil, "too little to tell")
    #expect(Silence.fills(ogg([1])) == nil && Silence.fills([]) == nil)
  }

  @Test("Ogg says what is in it")
  func inOgg() {
    let vorbis: [UInt8] =
      [1] + Array("vorbis".utf8) + [0, 0, 0, 0, 2, 0x44, 0xAC, 0, 0, 0, 0, 0, 0, 0x00, 0xEE, 0x02, 0, 0, 0, 0, 0, 0xB8]
    #expect(
      format(ogg(vorbis))
        == AudioFormat(codec: "vorbis", mediaType: "audio/ogg", kilobits: 192, sampleRate: 44_100, channels: 2))
    let head: [UInt8] = Array("OpusHead".utf8) + [1, 2, 0x38, 1, 0x80, 0xBB, 0, 0, 0, 0, 0]
    let pages = (1...4).flatMap {
      ogg([UInt8](repeating: 3, count: 7_958), position: UInt64($0) * 48_000, isFirst: false)
    }
    #expect(format(ogg(head) + pages)?.codec == "opus")
    #expect(format(ogg(head) + pages)?.kilobits == 64)
  }

  @Test("WAVE and FLAC say it in their first bytes, a WAVE without an end too")
  func headers() {
    let wave: [UInt8] =
      Array("RIFF".utf8) + [0xFF, 0xFF, 0xFF, 0xFF] + Array("WAVEfmt ".utf8)
      + [16, 0, 0, 0, 1, 0, 1, 0, 0x80, 0x3E, 0, 0, 0, 0x7D, 0, 0, 2, 0, 16, 0] + Array("data".utf8)
      + [0xFF, 0xFF, 0xFF, 0xFF]
    #expect(
      format(wave)
        == AudioFormat(codec: "pcm", mediaType: "audio/wav", kilobits: 256, sampleRate: 16_000, channels: 1))
    let flac: [UInt8] =
      Array("fLaC".utf8) + [0, 0, 0, 34] + [UInt8](repeating: 0, count: 10) + [0x0A, 0xC4, 0x42, 0xF0, 0, 0]
    #expect(format(flac)?.sampleRate == 44_100 && format(flac)?.channels == 2)
  }

  @Test("the sound inside a transport stream is found")
  func transport() {
    let sound = (0..<30).flatMap { _ in adts(372) }
    var packets: [UInt8] = []
    var rest = sound[...]
    while !rest.isEmpty {
      let isFirst = packets.isEmpty
      let header: [UInt8] = [0x47, isFirst ? 0x41 : 0x01, 0x00, 0x10]
      let start: [UInt8] = isFirst ? [0, 0, 1, 0xC0, 0, 0, 0x80, 0x80, 5, 0x21, 0, 1, 0, 1] : []
      let piece = rest.prefix(184 - start.count)
      rest = rest.dropFirst(piece.count)
      packets += header + start + piece
      packets += [UInt8](repeating: 0xFF, count: (188 - packets.count % 188) % 188)
    }
    let found = format(packets)
    #expect(found?.codec == "aac" && found?.mediaType == "video/mp2t" && found?.sampleRate == 44_100)
  }
}

@Suite("ICY metadata")
struct IcyTests {
  private func block(_ text: String) -> [UInt8] {
    let count = (text.utf8.count + 15) / 16
    return [UInt8(count)] + Array(text.utf8) + [UInt8](repeating: 0, count: count * 16 - text.utf8.count)
  }

  @Test("a title is found wherever the bytes are cut, and the sound comes out whole")
  func cuts() throws {
    let sound = (0..<40).map { UInt8($0) }
    let stream =
      Array(sound[..<16]) + block("StreamTitle='한영애 - 누구 없소';StreamUrl='';") + Array(sound[16..<32]) + [0]
      + Array(sound[32...])
    for cut in 0...stream.count {
      var reader = try #require(IcyReader(interval: 16))
      let found = reader.sound(of: Array(stream[..<cut])) + reader.sound(of: Array(stream[cut...]))
      #expect(found == sound)
      #expect(reader.latest?.text == "한영애 - 누구 없소")
    }
  }

  @Test(
    "a title ends where nothing else fits",
    arguments: [
      ("StreamTitle='It's a song';", "It's a song"), ("StreamTitle='a';b';StreamUrl='x';", "a';b"),
      ("StreamTitle='';StreamUrl='';", ""), ("StreamTitle='cut off", "cut off"), ("streamtitle='low';", "low"),
      ("StreamTitle='Evil\u{1B}[31m\n - \u{85}B';", "Evil [31m  -  B"),
      ("StreamTitle='a\u{2028}b\u{202E}c\u{2066}d\u{2069}e\u{200D}f';", "a b c d e\u{200D}f"),
    ])
  func quotes(text: String, title: String) {
    #expect(IcyMetadata(Array(text.utf8)[...])?.text == title)
  }

  @Test("what is no UTF-8 is read as Latin-1, and what has no title is none")
  func encodings() {
    let bytes: [UInt8] = Array("StreamTitle='Bj".utf8) + [0xF6] + Array("rk';".utf8)
    #expect(IcyMetadata(bytes[...])?.text == "Björk")
    #expect(IcyMetadata(Array("StreamUrl='x';".utf8)[...]) == nil)
    #expect(IcyReader(interval: 0) == nil && IcyReader(interval: 1 << 30) == nil)
  }

  @Test("the artist stands before the first dash with blanks around it")
  func dashes() {
    #expect(SungTitle("A-ha - Take On Me - Live").artist == "A-ha")
    #expect(SungTitle("A-ha - Take On Me - Live").title == "Take On Me - Live")
    #expect(SungTitle("뉴스").artist == nil)
  }
}
