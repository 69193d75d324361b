import JSON

/// A text is refused or read; what was read is written so that it reads as what is written the same.
///
/// (Not as an equal value: 2.5e3 is written 2500, which then is a whole number.)
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard let value = try? JSONValue(parsing: UnsafeBufferPointer(start: start, count: count)) else { return 0 }
  let written = value.json
  let again = try? JSONValue(parsing: written)
  precondition(again?.json == written, "reads back as something else")
  return 0
}
