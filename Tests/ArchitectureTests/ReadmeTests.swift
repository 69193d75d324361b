import Foundation
import Testing

/// A reader finds a file by its module's table: one that misses files sends them searching.
@Suite("README of a module")
struct ReadmeTests {
  private static let shared = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Shared")
    .standardized

  @Test("names every Swift file in a table, or the folder that it lies in")
  func filesAreNamed() throws {
    let modules = try FileManager.default.contentsOfDirectory(at: Self.shared, includingPropertiesForKeys: nil)
    var seen = 0
    for module in modules {
      let files = try Self.swiftFiles(below: module)
      guard !files.isEmpty else { continue }
      let table = FileTable(try String(contentsOf: module.appending(path: "README.md"), encoding: .utf8))
      for file in files where file != "\(module.lastPathComponent)Fuzzing.swift" {
        seen += 1
        #expect(table.names(file), "\(module.lastPathComponent)/README.md does not name \(file)")
      }
    }
    #expect(seen > 500)
  }

  @Test("names a file by its type, by the end or the beginning of its name, or by its folder")
  func forms() {
    let table = FileTable(
      """
      | File | Holds |
      |---|---|
      | `Database`, `+Backup`, `Layout…` | what it is |
      | `Policies/` | decisions |
      | `Zones` | time zones |
      Beside the table: `Absent`
      """)
    let named = [
      "Database.swift", "Database+Backup.swift", "LayoutProgram.swift", "Policies/Backoff.swift",
      "Zones/Deep/Rule.swift",
    ]
    for file in named { #expect(table.names(file), "\(file)") }
    for file in ["Absent.swift", "Database+Restore.swift", "Backoff.swift"] { #expect(!table.names(file), "\(file)") }
  }

  /// Their paths below the module.
  private static func swiftFiles(below module: URL) throws -> [String] {
    let paths = try? FileManager.default.subpathsOfDirectory(atPath: module.path)
    return (paths ?? []).filter { $0.hasSuffix(".swift") }.sorted()
  }
}

/// What a README's tables name: the code in their rows.
private struct FileTable {
  private let words: [String]

  init(_ text: String) {
    words = text.split(separator: "\n").filter { $0.hasPrefix("|") }.flatMap { row in
      row.matches(of: /`([^`]+)`/).map { String($0.1) }
    }
  }

  func names(_ path: String) -> Bool {
    let parts = path.split(separator: "/")
    let name = String(parts[parts.count - 1].dropLast(".swift".count))
    return words.contains { word in
      word == name || word == name + ".swift"
        || word.hasPrefix("+") && name.hasSuffix(word)
        || word.hasSuffix("…") && name.hasPrefix(word.dropLast())
        || parts.count > 1 && (word == parts[0] || word == "\(parts[0])/")
    }
  }
}
