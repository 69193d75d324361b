import Calendars
import Extraction

private let zones = ZoneDirectory()

/// Any bytes are data inside a page: JSON-LD, state, an attribute, microdata, RDFa, a cell.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  ExtractionFuzzing.parts(Array(UnsafeBufferPointer(start: start, count: count)), zones: zones)
  return 0
}
