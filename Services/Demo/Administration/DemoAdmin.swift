import Calendars
import Clocks
package import RPC

/// Answers the administrators' requests about the demo.
package struct DemoAdmin {
  private let world: DemoWorld

  package init(world: DemoWorld) { self.world = world }

  package func register(on router: RPCRouter) {
    router.on(TurnKnob.self) { (request: TurnKnob, _: borrowing CallContext) in try turn(request) }
    router.on(Behave.self) { (request: Behave, _: borrowing CallContext) in
      try check(request.cinema)
      world.behave(request.cinema)
      return report
    }
    router.on(ReadKnobs.self) { (_: ReadKnobs, _: borrowing CallContext) in report }
    router.on(ChangeSchedule.self) { (request: ChangeSchedule, _: borrowing CallContext) in try change(request) }
  }

  private func turn(_ request: TurnKnob) throws -> [KnobReport] {
    try check(request.cinema)
    let period = request.seconds.map { Duration.seconds(max(1, $0)) } ?? Knobs.longest
    world.knobs.turn(request.misbehaviour, at: request.cinema, for: period)
    return report
  }

  private func change(_ request: ChangeSchedule) throws -> ChangeReport {
    try check(request.cinema)
    guard let kind = ScheduleChange.Kind(rawValue: request.kind) else {
      let kinds = ScheduleChange.Kind.allCases.map(\.rawValue).joined(separator: ", ")
      throw RPCError(.invalidArgument, "kind is \(request.kind); give one of \(kinds)", executed: .no)
    }
    let date = try request.date.map { text in
      guard let date = CivilDate(text) else {
        throw RPCError(.invalidArgument, "date is \(text); write it like 2026-11-23", executed: .no)
      }
      return date
    }
    do throws(ChangeError) {
      let change = try world.change(kind, at: request.cinema, on: date)
      return ChangeReport(
        cinema: change.cinema, kind: kind.rawValue, date: change.date.description, title: change.title,
        start: change.start.description, was: change.was?.description)
    } catch {
      throw RPCError(.failedPrecondition, error.description, executed: .no)
    }
  }

  private func check(_ cinema: String?) throws {
    guard let cinema, world.cinema(cinema) == nil else { return }
    throw RPCError(.notFound, "there is no cinema \(cinema); odi-demo list shows them", executed: .no)
  }

  private var report: [KnobReport] {
    let now = world.time.now
    return world.knobs.active.map {
      KnobReport(cinema: $0.cinema, misbehaviour: $0.misbehaviour, secondsLeft: Int(($0.until - now) / .seconds(1)))
    }
  }
}
