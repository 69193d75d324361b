/// Who may send next: so many at once in all and so many to one host, and among hosts each in its turn.
///
/// A host with a thousand pages waiting delays another host's page by one.
nonisolated package struct HostQueue<Waiter> {
  private let total: Int
  private let perHost: Int
  private let waitingMax: Int

  private struct Line {
    var active = 0
    var waiting: [Waiter] = []
    /// How many at the front of `waiting` have gone: taking them out one by one would cost their number squared.
    var gone = 0

    var isEmpty: Bool { gone == waiting.count }
  }

  private var lines: [String: Line] = [:]
  /// Hosts with somebody waiting, the next one first.
  private var turns: [String] = []
  private var gone = 0
  package private(set) var active = 0
  package private(set) var waiting = 0

  package init(total: Int, perHost: Int, waitingMax: Int) {
    self.total = total
    self.perHost = perHost
    self.waitingMax = waitingMax
  }

  package enum Admission { case now, later, never }

  /// Asks for a place at a host. With `later`, `waiter` comes out of `next` in its turn.
  package mutating func enter(_ host: String, _ waiter: @autoclosure () -> Waiter) -> Admission {
    var line = lines[host] ?? Line()
    if active < total, line.active < perHost, line.isEmpty {
      line.active += 1
      active += 1
      lines[host] = line
      return .now
    }
    guard waiting < waitingMax else { return .never }
    if line.isEmpty { turns.append(host) }
    line.waiting.append(waiter())
    waiting += 1
    lines[host] = line
    return .later
  }

  /// Gives a place back.
  package mutating func leave(_ host: String) {
    lines[host]?.active -= 1
    active -= 1
    if let line = lines[host], line.active == 0, line.isEmpty { lines[host] = nil }
  }

  /// Who may send now, if somebody may. The place is taken for them.
  package mutating func next() -> (host: String, waiter: Waiter)? {
    // Each waiting host is asked at most once; those that are full go to the end.
    var asked = turns.count - gone
    while asked > 0, active < total {
      asked -= 1
      let host = turns[gone]
      gone += 1
      if gone > 64, gone > turns.count / 2 {
        turns.removeFirst(gone)
        gone = 0
      }
      guard var line = lines[host], !line.isEmpty else { continue }
      guard line.active < perHost else {
        turns.append(host)
        continue
      }
      let waiter = line.waiting[line.gone]
      line.gone += 1
      if line.isEmpty {
        line.waiting = []
        line.gone = 0
      } else {
        turns.append(host)
        if line.gone > 64, line.gone > line.waiting.count / 2 {
          line.waiting.removeFirst(line.gone)
          line.gone = 0
        }
      }
      line.active += 1
      lines[host] = line
      active += 1
      waiting -= 1
      return (host, waiter)
    }
    return nil
  }
}
