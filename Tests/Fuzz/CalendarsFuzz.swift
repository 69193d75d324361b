import Calendars

/// Printed times, feeds, zone files and fixed forms, by the first byte: whatever is read is consistent and is written so
/// that it reads as the same.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  CalendarsFuzzing.run(Array(UnsafeBufferPointer(start: start, count: count)), zones: zones)
  return 0
}

private let zones = ZoneDirectory()
