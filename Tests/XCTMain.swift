import Testing

/// Runs the tests. With a main of their own nobody has to look for XCTest's, of which there are none, in an index of all code.
@main struct Main {
  static func main() async { await Testing.__swiftPMEntryPoint() as Never }
}
