import HTML

/// Any bytes in any encoding become text.
func fuzzCharset(_ input: UnsafeBufferPointer<UInt8>) {
  FuzzTargets.charset(Array(input))
}
