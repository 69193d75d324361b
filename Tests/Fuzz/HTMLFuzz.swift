import HTML

/// Any bytes are a page: it is parsed, searched and read, or refused by a limit.
func fuzzHTML(_ input: UnsafeBufferPointer<UInt8>) {
  FuzzTargets.parseAndSelect(Array(input))
}
