import Foundation
import JSON

/// What scripts rely on in a command's JSON: which fields there are, and of what kind.
///
/// The files in `Tests/Golden` hold it a line a field, `data[].id text`, without ids and times, which differ. What is null
/// in a sample is not told of. A field may be added; one that vanishes, is renamed or becomes another kind breaks scripts.
/// `ODI_GOLDEN=write` writes what holds now: for a new command, or with a new version of the suite.
package struct GoldenShape {
  private let lines: Set<String>

  package init(_ document: String) throws {
    var lines: Set<String> = []
    Self.note(try JSONValue(parsing: document), "", &lines)
    self.lines = lines
  }

  /// The lines of a golden file that do not hold.
  package func missing(from name: String) throws -> [String] {
    let path = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Golden/\(name).txt")
    if ProcessInfo.processInfo.environment["ODI_GOLDEN"] == "write" {
      try Data((lines.sorted().joined(separator: "\n") + "\n").utf8).write(to: path)
    }
    let wanted = try String(contentsOf: path, encoding: .utf8).split(separator: "\n").map(String.init)
    return wanted.filter { !lines.contains($0) }
  }

  private static func note(_ value: JSONValue, _ path: String, _ lines: inout Set<String>) {
    switch value {
    case .object(let object):
      for member in object { note(member.value, path.isEmpty ? member.name : "\(path).\(member.name)", &lines) }
    case .array(let values):
      lines.insert("\(path) list")
      for value in values { note(value, "\(path)[]", &lines) }
    case .string: lines.insert("\(path) text")
    case .int, .double: lines.insert("\(path) number")
    case .bool: lines.insert("\(path) flag")
    case .null: break
    }
  }
}

extension ServiceRig {
  /// What does not hold of the golden files `service-name`, each of a command's answer with `--json`.
  package func broken(_ service: String, _ commands: [(name: String, words: [String])]) async throws -> [String] {
    var broken: [String] = []
    for command in commands {
      let said = await self.command(command.words + ["--json"])
      let missing = try GoldenShape(said.output).missing(from: "\(service)-\(command.name)")
      broken += missing.map { "\(command.words.joined(separator: " ")): \($0)" }
    }
    return broken
  }
}
