/// A record as somebody wrote it: texts by column, before anybody has looked whether they make sense.
package struct DraftTexts: Sendable {
  private var texts: [String: String] = [:]

  package init() {}

  /// An empty text is no text. To set one says that there is none; nil says nothing of it.
  package subscript(column: String) -> String? {
    get { texts[column].flatMap { $0.isEmpty ? nil : $0 } }
    set { texts[column] = newValue }
  }

  package subscript<Field: RawRepresentable<String>>(field: Field) -> String? {
    get { self[field.rawValue] }
    set { self[field.rawValue] = newValue }
  }

  /// Whether anything is said of it, be it that there is none.
  package func tells(_ column: String) -> Bool { texts[column] != nil }

  /// Leaves as it is kept whatever is not said.
  ///
  /// - Parameter lasting: what a record always has, so that nothing clears it.
  package mutating func complete<Field: RawRepresentable<String> & CaseIterable>(
    lasting: Field, from kept: (Field) -> String?
  ) {
    for field in Field.allCases where !tells(field.rawValue) || field == lasting && self[field] == nil {
      self[field] = kept(field)
    }
  }
}

/// All that is wrong with one draft.
package struct DraftProblems: Error, Hashable, Sendable {
  package var place: String
  package var problems: [String]
  /// The columns that they are about, where somebody asks for that.
  package var columns: Set<String>

  package init(place: String, problems: [String], columns: Set<String> = []) {
    self.place = place
    self.problems = problems
    self.columns = columns
  }

  /// Lines of a file that should hold one JSON object each.
  package static func ofLines(_ lines: [Int], in name: String) -> [DraftProblems] {
    lines.map { DraftProblems(place: "\(name):\($0)", problems: ["this line is no JSON object"]) }
  }

  package var line: String { "\(place): \(problems.joined(separator: "; "))" }
}

/// A file that could not be read at all.
package struct UnreadableFile: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}
