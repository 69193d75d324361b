import Calendars
import Clocks
import EventLoops
import Observability

/// One visit of a site: its pages one after another as the adapter asks for them, and what they say.
package struct SiteVisit {
  package enum Limits {
    /// Rounds of asking: a calendar, its days, their films, and some to spare.
    static let rounds = 8
    /// Pages in one visit. A site of sixty days has as many.
    static let pages = 100
    /// Pages asked for at once; the host's budget makes them wait for each other, unless it is the demo world.
    static let together = 6
    /// Parts of a reading that may fail before the visit is given up.
    static let failures = 3
  }

  /// What a visit came to, before anything is published.
  package struct Findings: Sendable {
    package var reading: SourceReading?
    package var pages: [Page] = []
    package var records: [VisitRecord.PageRecord] = []
    /// Why there is no reading, or what is missing in it.
    package var problem: String?
    /// What is needed did not come: there is nothing to read.
    package var lacksReading = false
    /// The pages came, and make no sense.
    package var isBroken = false
    /// The process is ending or the lease is gone: nobody is to blame.
    package var isAborted = false

    package init() {}
  }

  let visit: Visit
  let retriever: any PageRetriever
  /// Called between pages; false ends the visit.
  let mayGoOn: () async -> Bool

  package init(_ visit: Visit, from retriever: any PageRetriever, mayGoOn: @escaping () async -> Bool = { true }) {
    self.visit = visit
    self.retriever = retriever
    self.mayGoOn = mayGoOn
  }

  package func run() async -> Findings {
    var findings = await gather()
    if !findings.lacksReading, !findings.isAborted { await read(&findings) }
    return findings
  }

  /// Fetches what the adapter asks for.
  package func gather() async -> Findings {
    var findings = Findings()
    let adapter = visit.site.reader
    var asked: Set<String> = []
    var shortfalls: [String] = []
    var unasked: String?
    for _ in 0..<Limits.rounds {
      let (pages, visit) = (findings.pages, visit)
      let requests = await Background.run { adapter.wanted(having: pages, in: visit) }
        .filter { !asked.contains($0.role) }
      let round = Array(requests.prefix(Limits.pages - asked.count))
      let cut = requests.dropFirst(round.count).count { $0.weight != .extra }
      if cut > 0 { unasked = "\(cut) pages were not asked for: a visit has at most \(Limits.pages)" }
      guard !round.isEmpty else { break }
      asked.formUnion(round.map(\.role))
      for answer in await fetch(round) {
        findings.records.append(answer.record)
        switch answer.result {
        case .success(let page): findings.pages.append(page.page)
        case .failure(let error):
          if error.kind == .cancelled { findings.isAborted = true }
          switch answer.request.weight {
          case .needed:
            findings.problem = "\(answer.request.role): \(error)"
            findings.lacksReading = true
            return findings
          case .part: shortfalls.append("\(answer.request.role): \(error)")
          case .extra: break
          }
        }
      }
      guard shortfalls.count < Limits.failures else {
        findings.problem = shortfalls.first
        findings.lacksReading = true
        return findings
      }
      guard await mayGoOn(), !findings.isAborted else {
        findings.isAborted = true
        return findings
      }
    }
    findings.problem = shortfalls.first ?? unasked
    // Parts of a programme of which none came are no programme.
    findings.lacksReading = findings.pages.isEmpty && !shortfalls.isEmpty
    return findings
  }

  /// Reads what is there. Pages may be large, so it is not done on the loop.
  package func read(_ findings: inout Findings) async {
    let (pages, visit, adapter) = (findings.pages, visit, visit.site.reader)
    let result = await Background.run { () -> Result<SourceReading, ReadingError> in
      do throws(ReadingError) { return .success(try adapter.read(pages, in: visit)) } catch { return .failure(error) }
    }
    switch result {
    case .success(let reading): findings.reading = reading
    case .failure(let error):
      findings.isBroken = true
      findings.problem = error.role.map { "\($0): \(error)" } ?? "\(error)"
    }
  }

  private struct Answer: Sendable {
    var request: PageRequest
    var result: Result<RetrievedPage, RetrievalError>
    var record: VisitRecord.PageRecord
  }

  /// A few at a time, answered in the order of the requests.
  private func fetch(_ requests: [PageRequest]) async -> [Answer] {
    let row = Row(requests)
    let lanes = (0..<min(Limits.together, requests.count)).map { _ in
      Task {
        while let (place, request) = row.take() { row.answers[place] = await fetch(request) }
      }
    }
    await withTaskCancellationHandler {
      for lane in lanes { await lane.value }
    } onCancel: {
      for lane in lanes { lane.cancel() }
    }
    return row.answers.compactMap { $0 }
  }

  /// Requests of one round, and their answers.
  private final class Row {
    let requests: [PageRequest]
    var answers: [Answer?]
    private var next = 0

    init(_ requests: [PageRequest]) {
      self.requests = requests
      answers = Array(repeating: nil, count: requests.count)
    }

    func take() -> (Int, PageRequest)? {
      guard next < requests.count else { return nil }
      defer { next += 1 }
      return (next, requests[next])
    }
  }

  private func fetch(_ request: PageRequest) async -> Answer {
    var record = VisitRecord.PageRecord(role: request.role, url: request.url, fetchedAt: visit.at, outcome: .error)
    do throws(RetrievalError) {
      let retrieved = try await retriever.page(request)
      record.contentType = retrieved.page.contentType
      record.fetchedAt = retrieved.page.fetchedAt
      record.url = retrieved.page.url
      record.outcome = retrieved.outcome
      record.snapshot = retrieved.snapshot
      return Answer(request: request, result: .success(retrieved), record: record)
    } catch {
      record.problem = error.description
      return Answer(request: request, result: .failure(error), record: record)
    }
  }
}
