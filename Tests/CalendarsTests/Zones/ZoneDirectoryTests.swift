import Calendars
import Clocks
import Foundation
import Testing

@Suite("Zone directory")
struct ZoneDirectoryTests {
  @Test(
    "names that could leave the directory or hit its tables are no names",
    arguments: [
      "", "/etc/passwd", "../Asia/Seoul", "Asia/../../etc/passwd", "Asia//Seoul", "Asia/Seoul/", "asia/Seoul",
      "posix/Asia/Seoul", "right/UTC", "localtime", "posixrules", "zone.tab", "tzdata.zi", "Asia/Seoul\0",
      "Asia\\Seoul",
      "Asia/Se oul", "A/B/C/D", "Asia/서울", "Asia/./Seoul", "-Asia", "Etc/+9", String(repeating: "A", count: 65),
    ])
  func badNames(text: String) { #expect(ZoneName(text) == nil) }

  @Test(
    "real names are names",
    arguments: ["Asia/Seoul", "America/Argentina/ComodRivadavia", "Etc/GMT+9", "GMT0", "W-SU", "Africa/Dar_es_Salaam"])
  func goodNames(text: String) throws {
    let name = try #require(ZoneName(text))
    #expect(try ZoneDirectory().rules(for: name).name == text)
  }

  @Test("links lead to the zone they name")
  func links() throws {
    let zones = ZoneDirectory()
    let instant = WallTime(milliseconds: 1_790_000_000_000)
    for (link, target) in [("ROK", "Asia/Seoul"), ("Japan", "Asia/Tokyo"), ("Asia/Calcutta", "Asia/Kolkata")] {
      let one = try zones.rules(for: ZoneName(link)!)
      #expect(try one.offset(at: instant) == zones.rules(for: ZoneName(target)!).offset(at: instant))
    }
  }

  @Test("a zone that does not exist, and a folder, are errors that say what to do")
  func unknown() {
    let zones = ZoneDirectory()
    for name in ["Asia/Soul", "Asia", "Nowhere"] {
      let error = #expect(throws: ZoneError.self) { try zones.rules(for: ZoneName(name)!) }
      #expect(error?.problem == .unknown)
      #expect(error?.description.contains("Asia/Seoul") == true)
    }
  }

  @Test("no more zones are kept than the limit")
  func bounded() throws {
    var limits = ZoneDirectory.Limits()
    limits.keptMax = 3
    let zones = ZoneDirectory(limits: limits)
    for name in ["Asia/Seoul", "Asia/Tokyo", "Europe/London", "Asia/Seoul", "America/New_York", "Asia/Tokyo", "UTC"] {
      _ = try zones.rules(for: ZoneName(name)!)
      #expect(zones.keptCount <= 3)
    }
  }

  @Test("a file that is too large, or no zone file, is refused with the reason")
  func badFiles() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "odi-zones-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data(repeating: 0, count: 70_000).write(to: folder.appending(path: "Large"))
    try Data("TZif".utf8).write(to: folder.appending(path: "Short"))
    try Data().write(to: folder.appending(path: "Empty"))
    let zones = ZoneDirectory(path: folder.path)
    for (name, reason) in [("Large", "larger"), ("Short", "cut short"), ("Empty", "cut short")] {
      let error = #expect(throws: ZoneError.self) { try zones.rules(for: ZoneName(name)!) }
      #expect(error?.description.contains(reason) == true, "\(name): \(error?.description ?? "")")
    }
  }
}

@Suite("Zone file")
struct ZoneFileTests {
  static let seoul = [UInt8](FileManager.default.contents(atPath: "/usr/share/zoneinfo/Asia/Seoul")!)
  static let london = [UInt8](FileManager.default.contents(atPath: "/usr/share/zoneinfo/Europe/London")!)

  /// A file of version 1, or the footer's rule alone.
  static func file(version: UInt8 = 0, offset: Int32 = 32_400, changes: [Int32] = [], footer: String? = nil) -> [UInt8]
  {
    func big(_ value: Int32) -> [UInt8] { withUnsafeBytes(of: value.bigEndian, Array.init) }
    func header(changes: Int32) -> [UInt8] {
      Array("TZif".utf8) + [version] + [UInt8](repeating: 0, count: 15) + big(0) + big(0) + big(0) + big(changes)
        + big(1)
        + big(4)
    }
    let kind = big(offset) + [0, 0] + Array("KST\0".utf8)
    var bytes = header(changes: Int32(changes.count))
    bytes += changes.flatMap(big) + changes.map { _ in 0 } + kind
    if let footer { bytes += header(changes: 0) + kind + Array("\n\(footer)\n".utf8) }
    return bytes
  }

  @Test("version 1 has 32-bit times and no footer")
  func versionOne() throws {
    let zone = try TimeZoneRules(name: "X", tzif: Self.file(changes: [0, 100]))
    #expect(zone.offset(at: WallTime(milliseconds: 0)).seconds == 32_400)
    #expect(zone.nextChange(after: WallTime(milliseconds: 100_000)) == nil)
  }

  @Test(
    "the footer's rule holds beyond the table",
    arguments: [
      // Every form of a date, hours beyond a day, and daylight time that never ends.
      ("EST5EDT,M3.2.0,M11.1.0", "2090-07-01T00:00:00", -14_400, "2090-01-01T00:00:00", -18_000),
      ("IST-2IDT,M3.4.4/26,M10.5.0", "2090-07-01T00:00:00", 10_800, "2090-01-01T00:00:00", 7_200),
      ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2090-07-01T00:00:00", -3_600, "2090-01-01T00:00:00", -7_200),
      ("IST-1GMT0,M10.5.0,M3.5.0/1", "2090-07-01T00:00:00", 3_600, "2090-01-01T00:00:00", 0),
      ("AAA0BBB,J60/0,J300/0", "2092-02-29T12:00:00", 0, "2092-03-01T00:00:00", 3_600),
      ("AAA0BBB,59/0,300/0", "2092-02-29T00:00:00", 3_600, "2092-02-28T23:59:59", 0),
      ("XXX3EDT4,0/0,J365/23", "2090-07-01T00:00:00", -14_400, "2090-01-01T02:59:59", -14_400),
      ("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "2090-01-01T00:00:00", 39_600, "2090-07-01T00:00:00", 37_800),
      ("<+0545>-5:45", "2090-01-01T00:00:00", 20_700, "1890-07-01T00:00:00", 20_700),
    ])
  func footers(rule: String, one: String, oneOffset: Int, two: String, twoOffset: Int) throws {
    let zone = try TimeZoneRules(name: "X", tzif: Self.file(version: 0x32, footer: rule))
    let utc = TimeZoneRules.utc
    #expect(zone.offset(at: utc.instant(of: CivilDateTime(one)!)).seconds == oneOffset)
    #expect(zone.offset(at: utc.instant(of: CivilDateTime(two)!)).seconds == twoOffset)
  }

  @Test(
    "a footer that is no rule is refused",
    arguments: [
      "K-9", "KST", "KST-25", "KST-9KDT", "KST-9KDT,M3.2.0", "KST-9KDT,M13.2.0,M11.1.0", "KST-9KDT,M3.6.0,M11.1.0",
      "KST-9KDT,M3.2.7,M11.1.0", "KST-9KDT,J0,J1", "KST-9KDT,366,1", "KST-9 ", "<KST-9", "KST-9KDT,M3.2.0/168,M11.1.0",
      "KST-9:60", "KST--9",
    ])
  func badFooters(rule: String) {
    #expect(throws: ZoneFileError.self) { try TimeZoneRules(name: "X", tzif: Self.file(version: 0x32, footer: rule)) }
  }

  @Test("changes out of order, offsets out of range and leap seconds are refused")
  func contradictions() throws {
    #expect(throws: ZoneFileError.self) { try TimeZoneRules(name: "X", tzif: Self.file(changes: [100, 100])) }
    #expect(throws: ZoneFileError.self) { try TimeZoneRules(name: "X", tzif: Self.file(offset: 93_600)) }
    #expect(throws: ZoneFileError.self) { try TimeZoneRules(name: "X", tzif: Self.file(version: 0x31)) }
    let leaping = [UInt8](try #require(FileManager.default.contents(atPath: "/usr/share/zoneinfo/right/UTC")))
    #expect(throws: ZoneFileError.self) { try TimeZoneRules(name: "UTC", tzif: leaping) }
  }

  @Test("a file cut anywhere is refused, except inside what follows the footer")
  func cuts() {
    for count in 0..<Self.seoul.count {
      #expect(throws: ZoneFileError.self) { try TimeZoneRules(name: "X", tzif: Array(Self.seoul.prefix(count))) }
    }
  }

  @Test("random bytes and damaged files never trap, nor do the rules that come of them")
  func fuzz() {
    let seed: UInt64 = 20_261_121
    var generator = SeededRandom(seed: seed)
    for round in 0..<3_000 {
      var bytes = round % 2 == 0 ? Self.london : Self.seoul
      for _ in 0..<Int.random(in: 1...8, using: &generator) {
        bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
      }
      if round % 5 == 0 { bytes = Array("TZif2".utf8) + generator.bytes(upTo: 300) }
      guard let zone = try? TimeZoneRules(name: "X", tzif: bytes) else { continue }
      let instant = WallTime(
        milliseconds: Int64(bitPattern: generator.next()) >> Int64.random(in: 0...30, using: &generator))
      let meaning = zone.resolve(zone.local(at: instant))
      #expect(meaning.instant(under: .iCalendar) != nil, "seed \(seed), round \(round)")
      _ = zone.nextChange(after: instant)
    }
  }
}
