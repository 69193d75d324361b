import Calendars
import Clocks
import Extraction
import Glibc
import JSON
import Testing

/// A page with what a reader must find on it: `NAME` and `NAME.json` side by side.
///
///     {"zone": "Asia/Seoul", "at": "2026-11-20T09:00:00+09:00", "url": …, "unread": ["…"],
///      "screenings": [{"start": "2026-11-21T10:20:00+09:00", "title": "…", "venue": "…"}]}
struct LabelledPage {
  let name: String
  let bytes: [UInt8]
  let label: JSONValue

  static func all(in folder: String) throws -> [LabelledPage] {
    let names = try Folder.names(in: folder)
    return try names.filter { names.contains($0 + ".json") }.map { name in
      LabelledPage(
        name: name, bytes: try Folder.bytes(of: "\(folder)/\(name)"),
        label: try JSONValue(parsing: try Folder.bytes(of: "\(folder)/\(name).json")))
    }
  }

  func read(zones: ZoneDirectory) throws -> Extraction {
    let zone = try zones.rules(for: #require(ZoneName(label["zone"]?.string ?? "UTC")))
    let at = try #require(Timestamp(label["at"]?.string ?? ""))
    return try PageReader(zone: zone, capturedAt: at.instant, zones: zones)
      .read(bytes, as: PageSource(url: label["url"]?.string))
  }

  /// Start and title of each screening; the venue too where the label has one.
  func score(of found: Extraction) -> PageScore {
    var score = PageScore(name: name)
    var left: [String: [FoundScreening]] = [:]
    score.reason = found.reason
    score.confidences = found.screenings.map(\.confidence)
    for screening in found.screenings {
      left[PageScore.key(screening.title, screening.start.description), default: []].append(screening)
    }
    for wanted in label["screenings"]?.array ?? [] {
      score.expected += 1
      let title = wanted["title"]?.string ?? ""
      let start = wanted["start"]?.string ?? ""
      guard var same = left[PageScore.key(title, start)], !same.isEmpty else {
        score.missing.append("\(start) \(title)")
        continue
      }
      let venue = wanted["venue"]?.string
      guard
        let place = same.firstIndex(where: {
          venue == nil || PageScore.folded($0.venue ?? "") == PageScore.folded(venue!)
        })
      else {
        score.missing.append("\(start) \(title) at \(venue ?? "")")
        continue
      }
      same.remove(at: place)
      left[PageScore.key(title, start)] = same
      score.found += 1
    }
    let extra = left.values.flatMap(\.self).sorted { $0.start < $1.start }
    score.extra = extra.map { "\($0.start) \($0.title) at \($0.venue ?? "no venue")" }
    score.wrongConfidences = extra.map(\.confidence)
    for wanted in label["unread"]?.array?.compactMap(\.string) ?? []
    where !found.unread.contains(where: { $0.what.contains(wanted) }) {
      score.missing.append("unread: \(wanted)")
    }
    return score
  }
}

/// How much of a page was found, and how much that is not on it.
struct PageScore {
  let name: String
  var expected = 0
  var found = 0
  var missing: [String] = []
  var extra: [String] = []
  /// Of all that was told, and of what of it was wrong.
  var confidences: [Double] = []
  var wrongConfidences: [Double] = []
  var reason: String?

  /// Case, punctuation and accents aside; a start as its instant.
  static func key(_ title: String, _ start: String) -> String {
    let instant = Timestamp(start).map { String($0.instant.milliseconds) } ?? start
    return folded(title) + "|" + instant
  }

  static func folded(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.lowercased().unicodeScalars.filter { $0.properties.isAlphabetic || $0.properties.numericType != nil }))
  }
}

extension [PageScore] {
  var recall: Double { share(of: map(\.expected).reduce(0, +)) }
  var precision: Double { share(of: map { $0.found + $0.extra.count }.reduce(0, +)) }

  private func share(of whole: Int) -> Double {
    whole == 0 ? 1 : Double(map(\.found).reduce(0, +)) / Double(whole)
  }

  var report: String { report(upTo: 3) }

  func report(upTo most: Int) -> String {
    let lines = filter { !$0.missing.isEmpty || !$0.extra.isEmpty }.map { score in
      "\(score.name): \(score.found) of \(score.expected), \(score.extra.count) extra"
        + (score.reason.map { "\n   \($0)" } ?? "")
        + score.missing.prefix(most).map { "\n   missing \($0)" }.joined()
        + score.extra.prefix(most).map { "\n   extra \($0)" }.joined()
    }
    return (["recall \(recall), precision \(precision)"] + lines).joined(separator: "\n")
  }

  /// Of what is told with at least each confidence, the share that is right.
  var calibration: [(from: Double, told: Int, right: Double)] {
    [0.5, 0.6, 0.7, 0.8, 0.9, 0.95].map { least in
      let told = flatMap(\.confidences).count { $0 >= least }
      let wrong = flatMap(\.wrongConfidences).count { $0 >= least }
      return (least, told, told == 0 ? 1 : Double(told - wrong) / Double(told))
    }
  }
}

/// Files, without Foundation.
enum Folder {
  struct Failure: Error { let path: String }

  static func pages(_ name: String) -> String {
    let here = "\(#filePath)".split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    return "\(here)/Pages/\(name)"
  }

  static func names(in path: String) throws -> [String] {
    guard let folder = opendir(path) else { throw Failure(path: path) }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }

  static func bytes(of path: String) throws -> [UInt8] {
    guard let file = fopen(path, "rb") else { throw Failure(path: path) }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&part, 1, part.count, file), count > 0 { bytes += part[..<count] }
    return bytes
  }
}
