import Calendars
import Clocks

/// Any bytes are a zone file: refused, or rules that answer for any instant and agree with themselves.
func fuzzZone(_ input: UnsafeBufferPointer<UInt8>) {
  let bytes = Array(input)
  guard let rules = try? TimeZoneRules(name: "Fuzz/Fuzz", tzif: bytes) else { return }
  for instant in [-6_000_000_000_000, -1, 0, 1_800_000_000_000, 30_000_000_000_000].map(WallTime.init(milliseconds:)) {
    _ = rules.abbreviation(at: instant)
    _ = rules.isDaylight(at: instant)
    _ = rules.resolve(rules.local(at: instant))
    if let next = rules.nextChange(after: instant) { precondition(next > instant, "the next change lies behind") }
  }
}
