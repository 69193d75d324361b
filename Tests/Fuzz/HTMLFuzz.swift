import HTML

/// Any bytes are a page: it is parsed, searched and read, or refused by a limit.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  FuzzTargets.parseAndSelect(Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}
