/// Something that is probably wrong with a list.
package struct Finding: Hashable, Sendable {
  package enum Severity: String, Sendable { case problem, warning }

  package let severity: Severity
  /// `near-duplicate`
  package let rule: String
  /// Where it was written, or of which record.
  package let place: String
  package let text: String

  package init(_ severity: Severity, _ rule: String, at place: String, _ text: String) {
    self.severity = severity
    self.rule = rule
    self.place = place
    self.text = text
  }
}

extension DraftProblems {
  /// Each as something that is wrong with a file.
  package func findings(_ severity: Finding.Severity = .problem, _ rule: String = "unreadable") -> [Finding] {
    problems.map { Finding(severity, rule, at: place, $0) }
  }
}

extension [Finding] {
  package var problemCount: Int { count { $0.severity == .problem } }

  /// `25 cinemas · 1 problems · 2 warnings`
  package func summary(_ records: Int, _ name: String) -> String {
    "\(records) \(name) · \(problemCount) problems · \(count - problemCount) warnings"
  }
}
