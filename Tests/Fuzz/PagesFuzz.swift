import Calendars
import Extraction

private let zones = ZoneDirectory()

/// Any bytes are a page or a feed: its screenings are read, or it is refused by name.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  ExtractionFuzzing.page(Array(UnsafeBufferPointer(start: start, count: count)), zones: zones)
  return 0
}
