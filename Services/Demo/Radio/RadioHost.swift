import Calendars
import Clocks
import EventLoops
import HTTP
import JSON

/// The demo's radio stations: a small Icecast of its own, with melodies that it makes itself.
///
/// The sound is WAVE without an end: every browser plays it, and no encoder is needed. A player that asks for metadata
/// (`Icy-MetaData: 1`) gets the title of each melody in the stream.
final class RadioHost {
  private let time: any TimeSource
  /// What listeners' pace is measured with: the loop's.
  private let serverTime: any TimeSource
  private let players: [String: TonePlayer]
  fileprivate(set) var listeners = 0

  enum Limits {
    /// 32 KB a second each.
    static let listeners = 100
    /// A listener who is so far behind has stopped listening: 8 seconds and the burst.
    static let queuedBytes = 448 << 10
    /// As Icecast: what a new listener gets at once. Browsers look at five seconds of WAVE before they begin.
    static let burstBlocks = 24
    static let interval = 8_000
  }

  init(time: any TimeSource, serverTime: any TimeSource) {
    self.time = time
    self.serverTime = serverTime
    players = Dictionary(
      uniqueKeysWithValues: DemoStation.all.filter { $0.way != .gone }.map { ($0.id, TonePlayer($0.melodies)) })
  }

  func register(on router: inout HTTPRouter, base: @escaping @MainActor (HTTPRequest) -> String) {
    router.get("/radio/stations.json", summary: "The demo's stations, for the radio service.") { request in
      HTTPResponse(.ok, .json, Self.directory(base(request))).cached(.revalidate)
    }
    router.get("/radio/{file}") { [self] (request, file: String) in
      if let response = try stream(file, request) ?? programme(file) { return response }
      return try Self.way(file, base(request))
    }
  }

  // MARK: Streams

  private func stream(_ file: String, _ request: HTTPRequest) throws -> HTTPResponse? {
    guard file.hasSuffix(".wav"), let station = DemoStation.all.first(where: { "\($0.id).wav" == file }),
      let player = players[station.id]
    else { return nil }
    guard listeners < Limits.listeners else {
      throw Problem(.overloaded, "\(Limits.listeners) listen already; come back later")
    }
    let wantsTitles = request["icy-metadata"] == "1"
    var response = HTTPResponse(.ok, MediaType("audio/wav", isCompressible: false))
      .with("icy-name", station.nameEnglish).with("icy-genre", "demo").with("icy-pub", "0")
      .with("icy-br", "\(TonePlayer.sampleRate * 16 / 1_000)").with("Cache-Control", "no-store")
    if wantsTitles { response = response.with("icy-metaint", "\(Limits.interval)") }
    response.body = .stream(
      RadioBody(
        player, from: TonePlayer.block(at: time.wall), titles: wantsTitles, host: self, time: serverTime))
    return response
  }

  // MARK: Programmes

  /// What a station sends from yesterday to tomorrow: a broadcast an hour.
  private func programme(_ file: String) -> HTTPResponse? {
    guard file.hasSuffix(".ics"), let station = DemoStation.all.first(where: { "\($0.id).ics" == file }),
      !station.broadcasts.isEmpty
    else { return nil }
    let now = time.wall
    let this = now.milliseconds / Self.hour
    let events = (this - 24...this + 24).map { hour in
      CalendarEvent(
        uid: "\(station.id)-\(hour)@demo.example", start: .utc(WallTime(milliseconds: hour * Self.hour)),
        end: .utc(WallTime(milliseconds: (hour + 1) * Self.hour)),
        summary: station.broadcasts[Int(hour) % station.broadcasts.count])
    }
    let feed = CalendarFeed(productID: "-//Odi//Demo//EN", name: "\(station.nameEnglish) (demo)", events: events)
    return HTTPResponse(.ok, .calendar, feed.written(now: now)).cached(.revalidate)
  }

  private static let hour: Int64 = 3_600_000

  // MARK: Ways to them

  private static func way(_ file: String, _ base: String) throws -> HTTPResponse {
    let parts = file.split(separator: ".", maxSplits: 1)
    guard let station = DemoStation.all.first(where: { $0.id == parts[0] && $0.way != .gone }) else {
      throw Problem(.notFound, "nothing is on the air here; /radio/stations.json lists the stations")
    }
    let stream = "\(base)/radio/\(station.id).wav"
    switch (station.way, parts.count == 2 ? parts[1] : "") {
    case (.pls, "pls"):
      let text =
        "[playlist]\nNumberOfEntries=1\n\nTitle1=\(station.nameEnglish)\nLength1=-1\nFile1=\(stream)\nVersion=2\n"
      return HTTPResponse(.ok, MediaType("audio/x-scpls", isCompressible: false), Array(text.utf8))
    case (.m3u, "m3u"):
      let text = "#EXTM3U\r\n#EXTINF:-1,\(station.nameEnglish)\r\n\(station.id).wav\r\n"
      return HTTPResponse(.ok, MediaType("audio/x-mpegurl", isCompressible: false), Array(text.utf8))
    case (.json, "json"):
      var json = JSONWriter()
      json.object { json in
        json.array("channel_item") { json in json.object { $0.field("service_url", stream) } }
      }
      return HTTPResponse(.ok, .json, json.bytes)
    case (.xspf, ""):
      return .redirect(.found, to: "/radio/\(station.id).xspf")
    case (.xspf, "xspf"):
      let text = """
        <?xml version="1.0" encoding="UTF-8"?>
        <playlist version="1" xmlns="http://xspf.org/ns/0/"><trackList><track><title>\(station.nameEnglish)</title>\
        <location>\(stream)</location></track></trackList></playlist>
        """
      return HTTPResponse(.ok, MediaType("application/xspf+xml", isCompressible: false), Array(text.utf8))
    default:
      throw Problem(.notFound, "\(station.id) has no such address; /radio/stations.json lists them")
    }
  }

  private static func directory(_ base: String) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.field("Demo", true)
      json.array("stations") { json in
        for station in DemoStation.all {
          json.object { json in
            json.field("id", station.id)
            json.field("name", station.name)
            json.field("name_en", station.nameEnglish)
            json.field("section", station.section)
            json.field("tags", station.tags)
            json.field("language", station.language)
            json.field("address", base + station.path)
            if !station.broadcasts.isEmpty { json.field("schedule", "\(base)/radio/\(station.id).ics") }
            json.object("rights") { json in
              json.field("owner", "Odi (demo)")
              json.field("licence", "CC0-1.0")
              json.field("proof", "made by odi-demo itself, of melodies in the public domain")
              json.field("use", "relay")
            }
          }
        }
      }
    }
    return json.bytes
  }
}

/// What one listener hears, from the moment at which they came.
private final class RadioBody: HTTPStreamBody {
  private let player: TonePlayer
  private let host: RadioHost
  private let time: any TimeSource
  private var next: Int
  private let first: Int
  private var began: Instant?
  private var output: (any HTTPOutput)?
  private var timer: (any Scheduled)?
  private var titles: TitleWriter?

  init(_ player: TonePlayer, from block: Int, titles: Bool, host: RadioHost, time: any TimeSource) {
    self.player = player
    self.host = host
    self.time = time
    first = block
    next = block
    self.titles = titles ? TitleWriter(interval: RadioHost.Limits.interval) : nil
  }

  func began(_ output: any HTTPOutput) {
    self.output = output
    began = time.now
    host.listeners += 1
    write(WaveStream.header(sampleRate: TonePlayer.sampleRate))
    step()
  }

  private func step() {
    guard let output, let began else { return }
    guard output.queuedBytes < RadioHost.Limits.queuedBytes else { return draining() }
    let due = first + Int((time.now - began) / TonePlayer.blockTime) + RadioHost.Limits.burstBlocks
    while next < due {
      write(player.sound(of: next))
      next += 1
    }
    timer = time.after(TonePlayer.blockTime) { [weak self] in self?.step() }
  }

  private func write(_ bytes: [UInt8]) {
    guard titles != nil else {
      output?.write(bytes)
      return
    }
    let melody = player.melody(in: next)
    output?.write(titles!.mixed(bytes, title: melody.map { "\($0.composer) - \($0.title)" } ?? ""))
  }

  func draining() {
    timer?.cancel()
    output?.finish()
  }

  func ended() {
    timer?.cancel()
    output = nil
    if began != nil { host.listeners -= 1 }
    began = nil
  }
}

/// Mixes titles into a stream as SHOUTcast does.
nonisolated struct TitleWriter {
  let interval: Int
  private var left: Int
  private var told = ""

  init(interval: Int) {
    self.interval = interval
    left = interval
  }

  mutating func mixed(_ bytes: [UInt8], title: String) -> [UInt8] {
    var mixed: [UInt8] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let piece = rest.prefix(left)
      mixed += piece
      left -= piece.count
      rest = rest.dropFirst(piece.count)
      guard left == 0 else { break }
      mixed += title == told ? [0] : block(title)
      told = title
      left = interval
    }
    return mixed
  }

  private func block(_ title: String) -> [UInt8] {
    let text = Array("StreamTitle='\(title)';".utf8.prefix(255 * 16))
    let count = (text.count + 15) / 16
    return [UInt8(count)] + text + [UInt8](repeating: 0, count: count * 16 - text.count)
  }
}

/// RIFF WAVE whose end is not known: the sizes are the greatest that there are.
nonisolated enum WaveStream {
  static func header(sampleRate: Int) -> [UInt8] {
    func bytes(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
    let endless = bytes(0xFFFF_FFFF, 4)
    let form = bytes(16, 4) + bytes(1, 2) + bytes(1, 2) + bytes(sampleRate, 4) + bytes(sampleRate * 2, 4) + bytes(2, 2)
    return Array("RIFF".utf8) + endless + Array("WAVEfmt ".utf8) + form + bytes(16, 2) + Array("data".utf8) + endless
  }
}
