import Calendars
package import Clocks
package import Contracts

/// An evening's times, reckoned backwards from a showing's start or forwards from its end.
nonisolated extension RestaurantIndex {
  package func dinner(
    _ request: DinnerPlaces, now: WallTime, guide: GuideState, named: Set<RestaurantID> = []
  ) -> DinnerPage {
    var filter = request.filter
    filter.openAt = nil
    let metresMax = Double(request.walkMinutesMax) * Walk.metresPerMinute
    let candidates = matching(filter, around: request.origin, metresMax: metresMax, named: named)
    var (sure, unsure) = ([DinnerPlace](), [DinnerPlace]())
    var (closed, tooLate) = (0, 0)
    for candidate in candidates {
      switch evening(candidate, request, now) {
      case .place(let place): if place.confidence == .unknown { unsure.append(place) } else { sure.append(place) }
      case .closed: closed += 1
      case .tooLate: tooLate += 1
      }
    }
    var page = DinnerPage(places: Array((sure + unsure).prefix(request.limit)), closed: closed, guide: guide)
    page.tooLate = tooLate
    return page
  }

  private enum Evening {
    case place(DinnerPlace)
    case closed
    /// Whoever sat down now would miss the beginning.
    case tooLate
  }

  /// The evening with one restaurant.
  private func evening(_ candidate: Candidate, _ request: DinnerPlaces, _ now: WallTime) -> Evening {
    let walk = Walk.minutes(metres: candidate.metres)
    let table: (sit: WallTime, leave: WallTime)
    switch request.mode {
    case .before:
      let leave = request.at.adding(minutes: -(walk + request.marginMinutes))
      // People sit down at ten past, not at eighteen past.
      let sit = leave.adding(minutes: -request.eatMinutes).roundedDown(toMinutes: 10)
      guard sit >= now else { return .tooLate }
      table = (sit, leave)
    case .after:
      let sit = request.at.adding(minutes: walk)
      table = (sit, sit.adding(minutes: request.eatMinutes))
    }
    var place = DinnerPlace(
      restaurant: candidate.restaurant, metres: candidate.metres, walkMinutes: walk, sitFrom: table.sit,
      leaveBy: table.leave, confidence: .unknown)
    guard candidate.restaurant.hours.confidence != .unknown else { return .place(place) }
    for interval in intervals(of: candidate.restaurant, around: table.sit) where interval.opens <= table.sit {
      // Who is open until the last guest goes is open for a dinner that begins in time.
      if let closes = interval.closes, closes < table.leave { continue }
      if interval.closes == nil, table.leave > interval.opens.adding(minutes: Self.openEndMinutes) { continue }
      if let lastOrder = interval.lastOrder, lastOrder < table.sit { continue }
      place.openUntil = interval.closes
      place.lastOrder = interval.lastOrder
      place.confidence = interval.isInferred ? .inferred : .parsed
      return .place(place)
    }
    return .closed
  }

  /// How long a place is believed to be open that does not say until when.
  private static let openEndMinutes = 6 * 60
}

nonisolated extension WallTime {
  /// The last or the first of times where it would be beyond: whoever asks may send any number for a time.
  func adding(milliseconds more: Int64) -> WallTime {
    let (sum, isOver) = milliseconds.addingReportingOverflow(more)
    return WallTime(milliseconds: isOver ? (more < 0 ? .min : .max) : sum)
  }

  func adding(minutes: Int) -> WallTime {
    let (span, isOver) = Int64(minutes).multipliedReportingOverflow(by: 60_000)
    return adding(milliseconds: isOver ? (minutes < 0 ? .min : .max) : span)
  }

  func roundedDown(toMinutes minutes: Int) -> WallTime {
    let step = Int64(minutes) * 60_000
    return adding(milliseconds: -((milliseconds % step + step) % step))
  }
}
