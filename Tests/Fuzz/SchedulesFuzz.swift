import Calendars
import Extraction

private let zones = ZoneDirectory()

/// Any bytes are a feed in XML.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  ExtractionFuzzing.feed(Array(UnsafeBufferPointer(start: start, count: count)), type: "application/xml", zones: zones)
  return 0
}
