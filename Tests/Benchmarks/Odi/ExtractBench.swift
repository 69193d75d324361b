import Calendars
import Clocks
import Extraction
import Glibc

/// Reads one page again and again, or lists once what is found on it.
enum ExtractBench {
  static let usage = "--page FILE [--zone ZONE] [--at TIME] [--seconds S] [--list true]"

  static func run(_ arguments: Arguments) throws {
    let bytes = try contents(of: try arguments.value("page"))
    let zones = ZoneDirectory()
    guard let name = ZoneName(try arguments.value("zone", default: "Europe/London")),
      let at = Timestamp(try arguments.value("at", default: "2026-11-20T09:00:00Z"))
    else { throw Arguments.Wrong(reason: "--zone or --at cannot be read") }
    let reader = PageReader(zone: try zones.rules(for: name), capturedAt: at.instant, zones: zones)
    if try arguments.value("list", default: false) { return try list(reader.read(bytes)) }
    let seconds: Double = try arguments.value("seconds", default: 1)
    // A page that is refused by name is done with, as one that is read.
    var found = 0
    do { found = try reader.read(bytes).screenings.count } catch { emit("odi-bench: \(error)", to: STDERR_FILENO) }
    let (start, cpu) = (nanoseconds(), cpuMicroseconds())
    var pages = 0
    repeat {
      _ = try? reader.read(bytes)
      pages += 1
    } while Double(nanoseconds() - start) / 1e9 < seconds
    let spent = Double(nanoseconds() - start) / 1e9
    emit(
      """
      {"pages": \(pages), "bytes": \(bytes.count), "seconds": \(spent), "cpu_us": \(cpuMicroseconds() - cpu), \
      "found": \(found), "peak_kb": \(peakKilobytes())}
      """)
  }

  /// `2026-11-21T18:30:00Z<tab>Title`, sorted: instants, so that others can be compared.
  private static func list(_ found: Extraction) throws {
    let lines = found.screenings.map { screening in
      let start = screening.start.instant.map { "\(Timestamp($0))" } ?? screening.start.description
      return "\(start)\t\(screening.title)"
    }
    for line in lines.sorted() { emit(line) }
  }

  private static func peakKilobytes() -> Int {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return usage.ru_maxrss
  }

  private static func contents(of path: String) throws -> [UInt8] {
    guard let file = fopen(path, "rb") else { throw Arguments.Wrong(reason: "\(path) cannot be opened") }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&part, 1, part.count, file), count > 0 { bytes += part[..<count] }
    return bytes
  }
}
