import JSON

/// A text is refused or read; what was read is written so that it reads as what is written the same.
///
/// (Not as an equal value: 2.5e3 is written 2500, which then is a whole number.)
func fuzzJSON(_ input: UnsafeBufferPointer<UInt8>) {
  guard let value = try? JSONValue(parsing: input) else { return }
  let written = value.json
  let again = try? JSONValue(parsing: written)
  precondition(again?.json == written, "reads back as something else")
}
