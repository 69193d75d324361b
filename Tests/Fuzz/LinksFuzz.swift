import Fetch

private let base = try! FetchURL(parsing: "http://cinema.example:8080/a/b?c")

/// Any text is an address, a reference to one, or neither; an address is written so that it reads as the same.
func fuzzLinks(_ input: UnsafeBufferPointer<UInt8>) {
  let text = String(decoding: input, as: UTF8.self)
  for url in [try? FetchURL(parsing: text), try? base.resolving(text)].compactMap(\.self) {
    precondition((try? FetchURL(parsing: url.description)) == url, "\(url) reads as something else")
    precondition(url.description.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "\(url) cannot be sent as it is")
    _ = url.site
  }
}
