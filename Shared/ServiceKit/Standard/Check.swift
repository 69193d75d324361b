import JSON

/// Something that can be well or not, for `doctor`.
nonisolated package struct Check: Sendable {
  package enum Verdict: String, Sendable { case ok, warning, problem }

  package struct Finding: Sendable {
    package let verdict: Verdict
    package let text: String
    /// A command that helps.
    package let remedy: String?
    let fix: (@MainActor @Sendable () async throws -> Void)?

    /// - Parameter fix: what `--fix` does; nothing that could lose data.
    package init(
      _ verdict: Verdict, _ text: String, try remedy: String? = nil,
      fix: (@MainActor @Sendable () async throws -> Void)? = nil
    ) {
      self.verdict = verdict
      self.text = text
      self.remedy = remedy
      self.fix = fix
    }
  }

  package let name: String
  let examine: @MainActor @Sendable (DataFolder) async -> Finding

  package init(_ name: String, examine: @escaping @MainActor @Sendable () async -> Finding) {
    self.init(name, of: { _ in await examine() })
  }

  /// A check of what the service keeps. That it could not be looked at is a problem as well.
  package init(_ name: String, of examine: @escaping @MainActor @Sendable (DataFolder) async throws -> Finding) {
    self.name = name
    self.examine = { data in
      do { return try await examine(data) } catch {
        guard let error = error as? CommandError else { return Finding(.problem, "\(error)") }
        return Finding(.problem, error.what + (error.why.map { ": \($0)" } ?? ""), try: error.remedy)
      }
    }
  }
}

/// `doctor`: runs the checks, shows what was found, and repairs what can be repaired without a question.
package struct Doctor {
  private typealias Result = (name: String, finding: Check.Finding)

  private let checks: [Check]
  private let access: ServiceAccess
  private let others: @MainActor @Sendable (Invocation, Output) async throws -> [Check]
  private static let fix = Parameter<Bool>.flag("fix", "repair what can be repaired safely")

  /// - Parameter others: checks that depend on the command line, and what other programs have found, after `checks`.
  package init(
    _ checks: [Check], of access: ServiceAccess,
    and others: @escaping @MainActor @Sendable (Invocation, Output) async throws -> [Check] = { _, _ in [] }
  ) {
    self.checks = checks
    self.access = access
    self.others = others
  }

  package func command(program: String, takes parameters: [any CommandParameter] = []) -> Command {
    Command(
      "doctor", "look for what is wrong with this installation",
      discussion: "Needs no running service. Exit code 9 tells that there is a problem; warnings are none.",
      examples: [.init("\(program) doctor --fix", "and repair what can be repaired safely")],
      takes: [Self.fix, access.dataParameter] + parameters
    ) { [self] call, output in
      let data = try access.dataFolder(call, output)
      var results: [Result] = []
      for check in try await checks + others(call, output) {
        let finding = await check.examine(data)
        let repaired = call[Self.fix] ? await repair(check, finding, data, output) : nil
        results.append((check.name, repaired ?? finding))
      }
      try show(results, output)
      return results.contains { $0.finding.verdict == .problem } ? .degraded : .done
    }
  }

  private func repair(
    _ check: Check, _ finding: Check.Finding, _ data: DataFolder, _ output: Output
  ) async -> Check.Finding? {
    guard finding.verdict != .ok, let fix = finding.fix else { return nil }
    do {
      try await fix()
      output.note("repaired: \(check.name)")
      return await check.examine(data)
    } catch {
      output.note("could not repair \(check.name): \(error)")
      return nil
    }
  }

  private func show(_ results: [Result], _ output: Output) throws(CommandError) {
    let columns = [
      Report.Column("mark", title: ""), Report.Column("check"), Report.Column("finding", shrinks: true),
      Report.Column("remedy", title: "try"), Report.Column("verdict", visible: false),
    ]
    let rows = results.map { name, finding in
      let tone = finding.verdict.tone
      return [
        Report.Cell(finding.verdict.mark, json: .bool(finding.verdict == .ok), tone), "\(name)", "\(finding.text)",
        Report.Cell(finding.remedy ?? "", json: finding.remedy.map { .string($0) } ?? .null),
        Report.Cell(finding.verdict.rawValue),
      ]
    }
    try output.write(Report(columns, rows: rows))
    func count(_ verdict: Check.Verdict) -> Int { results.count { $0.finding.verdict == verdict } }
    output.note("\(count(.ok)) ok · \(count(.warning)) warnings · \(count(.problem)) problems")
  }
}

nonisolated extension Check.Verdict {
  fileprivate var mark: String {
    switch self {
    case .ok: "✔"
    case .warning: "!"
    case .problem: "✗"
    }
  }

  fileprivate var tone: Tone {
    switch self {
    case .ok: .good
    case .warning: .warning
    case .problem: .bad
    }
  }
}
