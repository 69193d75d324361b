import Calendars
import Testing

@Suite("Zone alias")
struct ZoneAliasTests {
  @Test(
    "what programs write for a zone leads to its name",
    arguments: [
      ("Asia/Seoul", "Asia/Seoul"), ("\"Asia/Seoul\"", "Asia/Seoul"), (" Asia/Seoul ", "Asia/Seoul"),
      ("/freeassociation.sourceforge.net/Asia/Seoul", "Asia/Seoul"),
      ("/mozilla.org/20050126_1/America/Argentina/Ushuaia", "America/Argentina/Ushuaia"),
      ("/citadel.org/20250101_1/Europe/London", "Europe/London"), ("Korea Standard Time", "Asia/Seoul"),
      ("tokyo standard time", "Asia/Tokyo"), ("W. Europe Standard Time", "Europe/Berlin"),
      ("Pacific Standard Time (Mexico)", "America/Tijuana"), ("UTC", "UTC"), ("Z", "UTC"), ("GMT", "UTC"),
      ("Etc/GMT-9", "Etc/GMT-9"), ("Japan", "Japan"),
    ])
  func names(text: String, name: String) {
    #expect(ZoneAlias(text) == .name(ZoneName(name)!), "\(text)")
  }

  @Test(
    "an offset is only an offset",
    arguments: [
      ("GMT+0900", 32_400), ("UTC+9", 32_400), ("UTC-03:30", -12_600), ("+09:00", 32_400),
      ("(UTC+09:00) Seoul", 32_400),
      ("(GMT-05.00) Eastern Time (US & Canada)", -18_000), ("(UTC) Coordinated Universal Time", 0),
    ])
  func offsets(text: String, seconds: Int) { #expect(ZoneAlias(text) == .offset(UTCOffset(seconds: seconds)!)) }

  @Test(
    "what could be anything is nothing",
    arguments: [
      "", "IST", "EST", "KST", "(", "(UTC+09:00", "Seoul, Korea", "../../etc/passwd", "(UTC+99:00) X", "/a/b/c", "서울",
    ])
  func refusals(text: String) { #expect(ZoneAlias(text) == nil) }

  @Test("the odd names of Windows lead to zones of this machine")
  func windowsTable() throws {
    let zones = ZoneDirectory()
    for name in ["Aus Central W. Standard Time", "UTC-11", "Greenland Standard Time", "FLE Standard Time", "UTC+13"] {
      guard case .name(let zone) = ZoneAlias(name) else {
        Issue.record("\(name) is not in the table")
        continue
      }
      _ = try zones.rules(for: zone)
    }
  }
}
