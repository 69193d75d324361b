package import Calendars
package import Contracts
package import Drafts

/// What a file held: drafts of cinemas, and the rows that could not be read at all.
nonisolated package struct DraftReading: Sendable {
  package var drafts: [CinemaDraft] = []
  package var problems: [DraftProblems] = []
  /// What was taken differently than it was written, or not at all, though nothing is wrong.
  package var remarks: [DraftProblems] = []

  package init() {}

  /// The cinemas of the rows that are right; the others are told in `problems`.
  package func checked(zones: ZoneDirectory) -> (cinemas: [Cinema], problems: [DraftProblems]) {
    var cinemas: [Cinema] = []
    var problems = problems
    for draft in drafts {
      do throws(DraftProblems) {
        cinemas.append(try draft.cinema(zones: zones))
      } catch {
        problems.append(error)
      }
    }
    return (cinemas, problems)
  }

  /// The cinemas of a file in which every row has to be right.
  package func cinemas(zones: ZoneDirectory) throws(DraftProblems) -> [Cinema] {
    let (cinemas, problems) = checked(zones: zones)
    if let first = problems.first { throw first }
    return cinemas
  }
}
