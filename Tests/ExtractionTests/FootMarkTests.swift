import Extraction
import Testing

/// Marks behind times, and the legend below that says on which days they are meant.
@Suite("Foot marks")
struct FootMarkTests {
  private let days = [21, 22, 23, 24, 25, 26, 27]

  /// The days on which "Silt" is told, of a week from Saturday the 21st in which "Bolt" plays every day.
  private func told(_ time: String, _ legend: String) throws -> [Int] {
    let page =
      "<h3>Programme 21/11 to 27/11/2026</h3><table><tr><td>Silt</td><td>\(time)</td></tr>"
      + "<tr><td>Bolt</td><td>20:30</td></tr></table><p>\(legend)</p>"
    let lines = try reading(
      "<html><head><title>Moss Cinema</title></head><body>\(page)</body></html>", zone: "Europe/London",
      at: "2026-11-20T09:00:00Z"
    ).lines
    #expect(lines.filter { $0.hasSuffix("T20:30:00Z Bolt") }.count == 7)
    return lines.filter { $0.hasSuffix(" Silt") }.compactMap { Int($0.dropFirst(8).prefix(2)) }
  }

  @Test(
    "a mark's time is shown on the days that its legend says",
    arguments: [
      ("14:00<sup>C</sup>", "C – only Tuesday", [24]), ("14:00<sup>C</sup>", "C - Somente terça", [24]),
      ("14:00<sup><b>C</b></sup>", "<b>C</b> - only Sat (21/11), Sun (22/11)", [21, 22]),
      ("14:00*", "* nur Sonntag", [22]), ("14:00**", "* nur Sonntag<br>** nur Montag", [23]),
      ("14:00*", "*Sat + Sun only", [21, 22]), ("14:00 C", "C: Saturday 21/11", [21]),
      ("14:00<sup>D</sup>", "D - Exceto quinta (26/11), terça (24/11)", [21, 22, 23, 25, 27]),
      ("14:00*", "* except Friday", [21, 22, 23, 24, 25, 26]),
      ("14:00*", "*- Seans o godz. 14:00 dla grup zorganizowanych, po zgłoszeniu", []),
      ("14:00*", "* school groups only", []),
    ])
  func legends(time: String, legend: String, days: [Int]) throws {
    #expect(try told(time, legend) == days)
  }

  @Test(
    "a mark without a legend of days means none",
    arguments: [
      ("14:00<sup>C</sup>", "C – with subtitles"), ("14:00*", "* Fridays are discount days for members"),
      ("14:00", "C – only Tuesday"), ("14:00<sup>B</sup>", "C – only Tuesday"),
      ("14:00<sup>C</sup>", "C – only Tuesday</p><p>C – only Friday"),
    ])
  func none(time: String, legend: String) throws {
    #expect(try told(time, legend) == days)
  }
}
