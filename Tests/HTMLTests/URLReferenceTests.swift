import HTML
import Testing

@Suite("URLReference")
struct URLReferenceTests {
  @Test(
    "resolves as RFC 3986 has it (5.4)",
    arguments: [
      ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
      ("//g", "http://g/"),
      ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q#s"),
      ("g#s", "http://a/b/c/g#s"),
      ("g?y#s", "http://a/b/c/g?y#s"), (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"),
      ("", "http://a/b/c/d;p?q"),
      (".", "http://a/b/c/"), ("./", "http://a/b/c/"), ("..", "http://a/b/"), ("../", "http://a/b/"),
      ("../g", "http://a/b/g"),
      ("../..", "http://a/"), ("../../g", "http://a/g"), ("../../../g", "http://a/g"), ("/./g", "http://a/g"),
      ("/../g", "http://a/g"),
      ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"), ("g..", "http://a/b/c/g.."), ("./../g", "http://a/b/g"),
      ("g/./h", "http://a/b/c/g/h"),
      ("g/../h", "http://a/b/c/h"), ("g;x=1/../y", "http://a/b/c/y"), ("g?y/../x", "http://a/b/c/g?y/../x"),
      ("https:x", "https:x"),
    ])
  func rfc(reference: String, expected: String) {
    #expect(URLReference.resolve(reference, against: "http://a/b/c/d;p?q") == expected)
  }

  @Test(
    "and as pages write it",
    arguments: [
      (" /a b ", "https://x.example/a%20b"), ("\\a\\b", "https://x.example/a/b"),
      ("/상영", "https://x.example/%EC%83%81%EC%98%81"),
      ("/a\nb", "https://x.example/ab"), ("?q=가", "https://x.example/p?q=%EA%B0%80"),
      ("//한국.example/x", "https://한국.example/x"),
      ("/%7Ea", "https://x.example/%7Ea"), ("/a%2e%2e/b", "https://x.example/a%2e%2e/b"),
      ("/a/%2E%2e/b", "https://x.example/b"),
    ])
  func lenient(reference: String, expected: String) {
    #expect(URLReference.resolve(reference, against: "https://x.example/p") == expected)
  }

  @Test("nothing is resolved against what is not absolute")
  func relativeBase() {
    #expect(URLReference.resolve("a", against: "/b") == nil)
  }
}
