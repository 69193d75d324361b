import Calendars
import Extraction

private let zones = ZoneDirectory()

/// The first line is a site's rule, the rest a page: it is run, and another is proposed.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  ExtractionFuzzing.rule(Array(UnsafeBufferPointer(start: start, count: count)), zones: zones)
  return 0
}
