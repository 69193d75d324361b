import Extraction

/// Any bytes are a printed title: its film's name is told apart from its marks.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  ExtractionFuzzing.title(Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}
