/// The control: a small decoder with a bug planted in it. `deploy/fuzz control` passes when the fuzzer finds it, which
/// proves that instrumentation, corpus and crash reporting work before silence about the other targets is believed.
func fuzzControl(_ input: UnsafeBufferPointer<UInt8>) {
  // The result is used: the optimiser would remove the reading with the answer that nobody wants.
  precondition(total(UnsafeRawBufferPointer(input)) >= 0)
}

/// record := 'R' · version u8 (1) · count u8 · count × byte
private func total(_ bytes: UnsafeRawBufferPointer) -> Int {
  guard bytes.count >= 3, bytes[0] == UInt8(ascii: "R"), bytes[1] == 1 else { return 0 }
  let count = Int(bytes[2])
  // The planted bug: `count` is believed although fewer bytes may follow.
  return (0..<count).reduce(0) { $0 + Int(bytes[3 + $1]) }
}
