import Clocks
import EventLoops
import Fetch
import Testing

@Suite("FetchURL")
struct FetchURLTests {
  @Test(
    "an address is read and written back in one form",
    arguments: [
      ("http://a.example", "http://a.example/"), ("HTTP://A.Example:80/x", "http://a.example/x"),
      ("https://a.example:443", "https://a.example/"),
      ("https://a.example:8443/", "https://a.example:8443/"), ("http://a.example:/", "http://a.example/"),
      ("http://a.example./", "http://a.example/"),
      ("http://1.2.3.4/", "http://1.2.3.4/"), ("http://[2001:DB8::1]:81/", "http://[2001:db8::1]:81/"),
      ("http://a/?q#f", "http://a/?q"),
      ("http://a?q", "http://a/?q"), ("http://a/b/../c/./d", "http://a/c/d"), ("http://a/%2e%2E/b", "http://a/b"),
      ("http://a/../../b", "http://a/b"),
      ("http://a/상영?q=가", "http://a/%EC%83%81%EC%98%81?q=%EA%B0%80"), ("http://a/<x>\"", "http://a/%3Cx%3E%22"),
      ("http://a/a\\b", "http://a/a%5Cb"),
      ("http://한국.example/", "http://xn--3e0b707e.example/"),
      ("http://xn--3e0b707e.example/", "http://xn--3e0b707e.example/"),
      ("http://a_b.example/", "http://a_b.example/"), ("http://a/;x=1", "http://a/;x=1"),
      ("http://a//b", "http://a//b"),
    ])
  func accepted(text: String, written: String) throws {
    let url = try FetchURL(parsing: text)
    #expect(url.description == written)
    #expect(try FetchURL(parsing: written) == url)
  }

  @Test(
    "what can be read in two ways, or is none of ours, is refused",
    arguments: [
      "", "a.example", "/x", "//a.example/", "file:///etc/passwd", "ftp://a/", "javascript:alert(1)", "http:a",
      "http:/a", "http://", "http:///x",
      "http://user@a/", "http://user:pass@a/", "http://a@b@c/", "http://a.example\\@b.example/", "http://a\\b/",
      "http://a b/", "http://a\tb/",
      "http://a\n/", "http://a/\r\nX: y", "http://a\u{0}b/", "http://a\u{7F}/", "http://127.1/", "http://0x7f.1/",
      "http://0x7f000001/",
      "http://2130706433/", "http://0177.0.0.1/", "http://127.0.0.1.1/", "http://1.2.3/", "http://1.2.3.256/",
      "http://01.2.3.4/", "http://a.1/",
      "http://a.0x1/", "http://１２７.0.0.1/", "http://127。0。0。1/", "http://ⓛocalhost/", "http://a%2eb/", "http://%31/",
      "http://a..b/", "http://.a/",
      "http://-/\u{1}", "http://[::1/", "http://[1.2.3.4]/", "http://[::1]x/", "http://[fe80::1%25eth0]/",
      "http://a:b/", "http://a:0/", "http://a:65536/",
      "http://a:-1/", "http://a:80:80/", "http://a:999999999999/", "http://a,b/", "http://a!/", "http://\u{202E}a/",
      "http://a\u{200B}b/", "http://good.example@\u{5AC}evil.example/", "http://a:\u{5AC}80/", "http:/\u{5AC}/a/",
      "http://" + String(repeating: "a", count: 64) + "/", "http://" + String(repeating: "a.", count: 127) + "a/",
    ])
  func refused(text: String) {
    #expect(throws: FetchURLError.self) { try FetchURL(parsing: text) }
  }

  @Test("a very long address is refused")
  func long() {
    #expect(throws: FetchURLError.tooLong) { try FetchURL(parsing: "http://a/" + String(repeating: "x", count: 9_000)) }
  }

  @Test(
    "a location is read as what it means from here",
    arguments: [
      ("/x", "http://a/x"), ("x", "http://a/b/x"), ("../x", "http://a/x"), ("?y", "http://a/b/c?y"),
      ("//o/x", "http://o/x"), ("https://o", "https://o/"),
      ("", "http://a/b/c?d"), ("#f", "http://a/b/c?d"), (" /x y ", "http://a/x%20y"),
      ("/x?u=http://z/", "http://a/x?u=http://z/"), ("a:b", nil),
      ("http:x", nil), ("//o:x/", nil), ("/x?a:b", "http://a/x?a:b"), ("./a:b", "http://a/b/a:b"),
      ("#\u{5AC}#", "http://a/b/c?d"), ("/\u{5AC}x", "http://a/%D6%ACx"), ("?\u{5AC}", "http://a/b/c?%D6%AC"),
    ] as [(String, String?)])
  func location(text: String, meaning: String?) throws {
    let base = try FetchURL(parsing: "http://a/b/c?d#e")
    #expect((try? base.resolving(text))?.description == meaning)
  }

  @Test(
    "a site is what somebody registered",
    arguments: [
      ("http://www.cinema.co.kr/", "cinema.co.kr"), ("http://cinema.co.kr/", "cinema.co.kr"),
      ("http://a.b.cinema.kr/", "cinema.kr"),
      ("http://cinema.example/", "cinema.example"), ("http://www.dtryx.com/", "dtryx.com"),
      ("http://localhost/", "localhost"), ("http://1.2.3.4/", "1.2.3.4"),
    ])
  func site(text: String, site: String) throws {
    #expect(try FetchURL(parsing: text).site == site)
  }

  @Test("random texts are read or refused, and what is read is read again the same", arguments: [1 as UInt64, 2, 3])
  func random(seed: UInt64) {
    var generator = SeededRandom(seed: seed)
    let parts = [
      "http", "https", ":", "//", "/", "a", ".", "..", "[", "]", "::1", "@", "\\", "%", "2e", "?", "#", "한", " ", "80",
      "1", "0x", "-", "\u{0}",
    ]
    for _ in 0..<4_000 {
      let text = (0..<Int(generator.next() % 16)).map { _ in parts[Int(generator.next() % UInt64(parts.count))] }
        .joined()
      guard let url = try? FetchURL(parsing: generator.next() % 2 == 0 ? "http://" + text : text) else { continue }
      #expect((try? FetchURL(parsing: url.description)) == url, "seed \(seed): \(text)")
      _ = try? url.resolving(text)
    }
  }
}
