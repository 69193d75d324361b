import HTML

/// Any bytes in any encoding become text.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  FuzzTargets.charset(Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}
