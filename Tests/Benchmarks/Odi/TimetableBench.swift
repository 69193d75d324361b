import Calendars
import Contracts
import Festivals
import Glibc

/// A programme out of a file, again and again: bytes in, sessions on their days and in their rooms out.
enum TimetableBench {
  static let usage = "--file FILE [--seconds S]"

  static func run(_ arguments: Arguments) throws {
    let path: String = try arguments.value("file")
    let seconds: Double = try arguments.value("seconds", default: 1)
    let bytes = try contents(of: path)
    var options = ReadingOptions(zones: ZoneDirectory())
    options.zone = ZoneName("Europe/Brussels")
    let (start, startCPU) = (nanoseconds(), cpuMicroseconds())
    var (files, sessions) = (0, 0)
    repeat {
      sessions += try FestivalProgramme.read([bytes], options: options).sessions.count
      files += 1
    } while Double(nanoseconds() - start) < seconds * 1e9
    let took = Double(nanoseconds() - start) / 1e9
    emit(
      """
      {"ops": \(sessions), "seconds": \(took), "cpu_us": \(cpuMicroseconds() - startCPU), \
      "sessions": \(sessions / files)}
      """)
  }

  private static func contents(of path: String) throws -> [UInt8] {
    guard let file = fopen(path, "r") else { throw Arguments.Wrong(reason: "\(path) cannot be read") }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = fread(&chunk, 1, chunk.count, file)
      if count == 0 { return bytes }
      bytes += chunk[..<count]
    }
  }
}
