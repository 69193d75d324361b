import HTTP
import Testing

/// Requests that servers disagree about, and what each of ours must become.
///
/// A probe is one request; a valid GET follows it on the same connection. Only `.accept` may reach it.
struct Probe: CustomTestStringConvertible, Sendable {
  enum Want: Sendable, Equatable {
    /// The body that must arrive.
    case accept(String)
    case refuse(UInt16)
  }

  let name: String
  let bytes: [UInt8]
  let want: Want

  init(_ name: String, _ text: String, _ want: Want) {
    self.name = name
    bytes = Array(text.utf8)
    self.want = want
  }

  init(_ name: String, bytes: [UInt8], _ want: Want) {
    self.name = name
    self.bytes = bytes
    self.want = want
  }

  var testDescription: String { name }

  /// A POST with these header lines and five bytes of body.
  static func post(_ name: String, _ lines: String, _ want: Want) -> Probe { .post(name, lines, "hello", want) }

  /// A POST with these header lines and this body.
  static func post(_ name: String, _ lines: String, _ body: String, _ want: Want) -> Probe {
    Probe(name, "POST /echo HTTP/1.1\r\nHost: a\r\n\(lines)\r\n\r\n\(body)", want)
  }

  /// A chunked POST.
  static func chunked(_ name: String, _ body: String, _ want: Want) -> Probe {
    .post(name, "Transfer-Encoding: chunked", body, want)
  }

  /// A GET with this header line.
  static func field(_ name: String, _ line: String, _ want: Want = .accept("")) -> Probe {
    Probe(name, "GET / HTTP/1.1\r\nHost: a\r\n\(line)\r\n\r\n", want)
  }

  /// A GET with this request line.
  static func line(_ name: String, _ line: String, _ want: Want = .accept("")) -> Probe {
    Probe(name, "\(line)\r\nHost: a\r\n\r\n", want)
  }

  /// A GET with this as its whole Host line.
  static func host(_ name: String, _ value: String, _ want: Want = .accept("")) -> Probe {
    Probe(name, "GET / HTTP/1.1\r\nHost: \(value)\r\n\r\n", want)
  }
}

extension Probe {
  private static let long = String(repeating: "x", count: 100_000)

  /// The table against which the server libraries were compared, row by row.
  static let compared: [Probe] = [
    .post("ok POST CL", "Content-Length: 5", .accept("hello")),
    .chunked("ok POST chunked", "5\r\nhello\r\n0\r\n\r\n", .accept("hello")),
    .post("CL + TE", "Content-Length: 6\r\nTransfer-Encoding: chunked", "0\r\n\r\nX", .refuse(400)),
    .post("TE + CL", "Transfer-Encoding: chunked\r\nContent-Length: 6", "0\r\n\r\nX", .refuse(400)),
    .post("dup CL 5/6", "Content-Length: 5\r\nContent-Length: 6", .refuse(400)),
    .post("dup CL 5/5", "Content-Length: 5\r\nContent-Length: 5", .refuse(400)),
    .post("CL list '5, 5'", "Content-Length: 5, 5", .refuse(400)),
    .post("CL +5", "Content-Length: +5", .refuse(400)),
    .post("CL -5", "Content-Length: -5", .refuse(400)),
    .post("CL 5x", "Content-Length: 5x", .refuse(400)),
    .post("CL empty", "Content-Length:", .refuse(400)),
    .post("CL 2^64+5", "Content-Length: 18446744073709551621", .refuse(400)),
    .post("TE xchunked", "Transfer-Encoding: xchunked", "5\r\nhello\r\n0\r\n\r\n", .refuse(501)),
    .post("TE chunked, identity", "Transfer-Encoding: chunked, identity", "5\r\nhello\r\n0\r\n\r\n", .refuse(400)),
    .post("TE gzip, chunked", "Transfer-Encoding: gzip, chunked", "5\r\nhello\r\n0\r\n\r\n", .refuse(501)),
    .post("TE twice", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", "0\r\n\r\n", .refuse(400)),
    Probe(
      "TE in HTTP/1.0", "POST /echo HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", .refuse(400)),
    Probe("bare LF all lines", "POST /echo HTTP/1.1\nHost: a\nContent-Length: 5\n\nhello", .refuse(400)),
    Probe("bare LF one hdr", "POST /echo HTTP/1.1\r\nHost: a\nContent-Length: 5\r\n\r\nhello", .refuse(400)),
    Probe("versionless + LF", "POST /echo\nHost: a\r\nContent-Length: 5\r\n\r\nhello", .refuse(400)),
    .post("bare CR in value", "X: a\rb\r\nContent-Length: 5", .refuse(400)),
    .post("obs-fold", "X: a\r\n b\r\nContent-Length: 5", .refuse(400)),
    .post("obs-fold on TE", "Transfer-Encoding:\r\n chunked", "5\r\nhello\r\n0\r\n\r\n", .refuse(400)),
    .post("space before colon", "Content-Length : 5", .refuse(400)),
    .post("tab before colon", "Content-Length\t: 5", .refuse(400)),
    Probe("leading SP 1st hdr", "POST /echo HTTP/1.1\r\n Host: a\r\nContent-Length: 5\r\n\r\nhello", .refuse(400)),
    .post("NUL in value", "X: a\0b\r\nContent-Length: 5", .refuse(400)),
    Probe("NUL in URL", "GET /a\0b HTTP/1.1\r\nHost: a\r\n\r\n", .refuse(400)),
    .post("ctl 0x01 in value", "X: a\u{1}b\r\nContent-Length: 5", .refuse(400)),
    .post("empty hdr name", ": a\r\nContent-Length: 5", .refuse(400)),
    .post("hdr without colon", "Bogus\r\nContent-Length: 5", .refuse(400)),
    Probe("no Host 1.1", "POST /echo HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello", .refuse(400)),
    .post("two Hosts", "Host: b\r\nContent-Length: 5", .refuse(400)),
    .chunked("chunk ext ;a=b", "5;a=b\r\nhello\r\n0\r\n\r\n", .accept("hello")),
    .chunked("chunk ext bare LF", "5;a=b\nhello\r\n0\r\n\r\n", .refuse(400)),
    .chunked("chunk size LF only", "5\nhello\r\n0\r\n\r\n", .refuse(400)),
    .chunked("chunk size 0x5", "0x5\r\nhello\r\n0\r\n\r\n", .refuse(400)),
    .chunked("chunk size overflow", "10000000000000005\r\nhello\r\n0\r\n\r\n", .refuse(400)),
    .chunked("chunk no CRLF after data", "5\r\nhello0\r\n\r\n", .refuse(400)),
    .chunked("chunk ext 100 KB", "5;\(long)\r\nhello\r\n0\r\n\r\n", .refuse(400)),
    .field("hdr value 100 KB", "X: \(long)", .refuse(431)),
    .field("1000 headers", (0..<1_000).map { "X\($0): 1" }.joined(separator: "\r\n"), .refuse(431)),
    Probe("HTTP/0.9 GET", "GET /\r\n", .refuse(400)),
    .line("HTTP/1.1x version", "GET / HTTP/1.1x", .refuse(400)),
    .line("HTTP/2.0 version", "GET / HTTP/2.0", .refuse(505)),
    .line("double SP in req line", "GET  / HTTP/1.1", .refuse(400)),
    .line("method G@T", "G@T / HTTP/1.1", .refuse(400)),
  ]
}

extension Probe {
  static let lines: [Probe] = [
    .line("plain GET", "GET / HTTP/1.1"), .line("HEAD", "HEAD / HTTP/1.1"), .line("PUT", "PUT /a HTTP/1.1"),
    .line("PATCH", "PATCH /a HTTP/1.1"), .line("DELETE", "DELETE /a HTTP/1.1"), .line("OPTIONS", "OPTIONS /a HTTP/1.1"),
    .line("OPTIONS *", "OPTIONS * HTTP/1.1"), .line("GET *", "GET * HTTP/1.1", .refuse(400)),
    .line("OPTIONS **", "OPTIONS ** HTTP/1.1", .refuse(400)),
    .line("TRACE", "TRACE / HTTP/1.1"), .line("CONNECT", "CONNECT a:80 HTTP/1.1", .refuse(501)),
    .line("unknown method", "BREW / HTTP/1.1", .refuse(501)),
    .line("lower case method", "get / HTTP/1.1", .refuse(501)),
    .line("mixed case method", "Get / HTTP/1.1", .refuse(501)), .line("method GETT", "GETT / HTTP/1.1", .refuse(501)),
    .line("very long method", String(repeating: "A", count: 9_000) + " / HTTP/1.1", .refuse(400)),
    .line("empty method", " / HTTP/1.1", .refuse(400)), .line("method with colon", "GE:T / HTTP/1.1", .refuse(400)),
    .line("method with NUL", "GE\0T / HTTP/1.1", .refuse(400)), .line("method é", "GÉT / HTTP/1.1", .refuse(400)),
    .line("leading blank", " GET / HTTP/1.1", .refuse(400)), .line("trailing blank", "GET / HTTP/1.1 ", .refuse(400)),
    .line("tab for SP", "GET\t/ HTTP/1.1", .refuse(400)), .line("tab before version", "GET /\tHTTP/1.1", .refuse(400)),
    .line("vertical tab", "GET\u{b}/ HTTP/1.1", .refuse(400)), .line("form feed", "GET /\u{c}HTTP/1.1", .refuse(400)),
    .line("DEL in target", "GET /\u{7f} HTTP/1.1", .refuse(400)),
    .line("two SP before version", "GET /  HTTP/1.1", .refuse(400)), .line("no target", "GET HTTP/1.1", .refuse(400)),
    .line("empty target", "GET  HTTP/1.1", .refuse(400)), .line("SP in target", "GET /a b HTTP/1.1", .refuse(400)),
    .line("four words", "GET / a HTTP/1.1", .refuse(400)),
    .line("no version", "GET /", .refuse(400)), .line("version and no name", "GET / 1.1", .refuse(400)),
    .line("HTTP/1.0", "GET / HTTP/1.0"), .line("HTTP/1.2", "GET / HTTP/1.2"), .line("HTTP/1.9", "GET / HTTP/1.9"),
    .line("HTTP/3.0", "GET / HTTP/3.0", .refuse(505)), .line("HTTP/0.9", "GET / HTTP/0.9", .refuse(505)),
    .line("HTTP/9.9", "GET / HTTP/9.9", .refuse(505)), .line("HTTP/1", "GET / HTTP/1", .refuse(400)),
    .line("HTTP/1.", "GET / HTTP/1.", .refuse(400)), .line("HTTP/.1", "GET / HTTP/.1", .refuse(400)),
    .line("HTTP/1.10", "GET / HTTP/1.10", .refuse(400)), .line("HTTP/01.1", "GET / HTTP/01.1", .refuse(400)),
    .line("HTTP/11.1", "GET / HTTP/11.1", .refuse(400)), .line("HTTP/1,1", "GET / HTTP/1,1", .refuse(400)),
    .line("http/1.1", "GET / http/1.1", .refuse(400)), .line("Http/1.1", "GET / Http/1.1", .refuse(400)),
    .line("HTTPS/1.1", "GET / HTTPS/1.1", .refuse(400)), .line("HTTP 1.1", "GET / HTTP 1.1", .refuse(400)),
    .line("HTTP//1.1", "GET / HTTP//1.1", .refuse(400)), .line("XTTP/1.1", "GET / XTTP/1.1", .refuse(400)),
    .line("HTTP/1.+1", "GET / HTTP/1.+", .refuse(400)), .line("HTTP/１.1", "GET / HTTP/１.1", .refuse(400)),
    Probe("HTTP/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", .refuse(505)),
    Probe("TLS hello", bytes: [0x16, 3, 1, 2, 0, 1, 0, 1, 0xFC, 3, 3], .refuse(400)),
    Probe("SSH", "SSH-2.0-OpenSSH_9.2\r\n", .refuse(400)),
    Probe("one empty line first", "\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", .accept("")),
    Probe("two empty lines first", "\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", .refuse(400)),
    Probe("bare LF first", "\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", .refuse(400)),
    Probe("bare CR first", "\rGET / HTTP/1.1\r\nHost: a\r\n\r\n", .refuse(400)),
    Probe("CR CR LF", "GET / HTTP/1.1\r\r\nHost: a\r\n\r\n", .refuse(400)),
    Probe("LF CR", "GET / HTTP/1.1\n\rHost: a\r\n\r\n", .refuse(400)),
    Probe("last LF bare", "GET / HTTP/1.1\r\nHost: a\r\n\n", .refuse(400)),
    Probe("last CR bare", "GET / HTTP/1.1\r\nHost: a\r\n\rX", .refuse(400)),
    .line("long path", "GET /\(String(repeating: "x", count: 8_191)) HTTP/1.1"),
    .line("too long path", "GET /\(String(repeating: "x", count: 8_192)) HTTP/1.1", .refuse(414)),
    .line("too long query", "GET /?\(String(repeating: "x", count: 8_191)) HTTP/1.1", .refuse(414)),
    .line("endless path", "GET /\(long) HTTP/1.1", .refuse(414)),
    .line("endless garbage", long, .refuse(400)),
  ]

  static let targets: [Probe] = [
    .line("path and query", "GET /a/b?c=d&e HTTP/1.1"), .line("empty query", "GET /? HTTP/1.1"),
    .line("two question marks", "GET /?a?b HTTP/1.1"), .line("double slash", "GET //a HTTP/1.1"),
    .line("dots", "GET /../a HTTP/1.1"), .line("escapes", "GET /%ea%b4%b4%EB HTTP/1.1"),
    .line("sub-delims", "GET /!$&'()*+,;=:@-._~ HTTP/1.1"), .line("what browsers send", "GET /?{|}^`[] HTTP/1.1"),
    .line("bad escape", "GET /%zz HTTP/1.1", .refuse(400)), .line("cut escape", "GET /%4 HTTP/1.1", .refuse(400)),
    .line("lone percent", "GET /a% HTTP/1.1", .refuse(400)),
    .line("bad escape in query", "GET /?a=%g0 HTTP/1.1", .refuse(400)),
    .line("unicode escape", "GET /%u0041 HTTP/1.1", .refuse(400)),
    .line("fragment", "GET /#a HTTP/1.1", .refuse(400)), .line("backslash", "GET /a\\b HTTP/1.1", .refuse(400)),
    .line("quote", "GET /\" HTTP/1.1", .refuse(400)), .line("angle bracket", "GET /<a> HTTP/1.1", .refuse(400)),
    .line("letters as typed", "GET /괴물?q=é HTTP/1.1"),
    .line("letters as typed beside a bad escape", "GET /괴물%4 HTTP/1.1", .refuse(400)),
    .line("letters as typed beside a quote", "GET /괴물\" HTTP/1.1", .refuse(400)),
    .line("letters that grow too long", "GET /\(String(repeating: "é", count: 2_000)) HTTP/1.1", .refuse(414)),
    Probe(
      "raw Latin-1", bytes: Array("GET /".utf8) + [0xE9] + Array(" HTTP/1.1\r\nHost: a\r\n\r\n".utf8), .refuse(400)),
    .line("relative path", "GET a HTTP/1.1", .refuse(400)), .line("only query", "GET ?a HTTP/1.1", .refuse(400)),
    .line("authority form", "GET a:80 HTTP/1.1", .refuse(400)),
    .line("absolute form", "GET http://a/b?c HTTP/1.1"), .line("absolute https", "GET https://a/ HTTP/1.1"),
    .line("absolute, upper case", "GET HTTP://A/b HTTP/1.1"), .line("absolute without path", "GET http://a HTTP/1.1"),
    .line("absolute with query only", "GET http://a?b HTTP/1.1"),
    .line("absolute, other host", "GET http://b/ HTTP/1.1", .refuse(400)),
    .line("absolute, other port", "GET http://a:81/ HTTP/1.1", .refuse(400)),
    .line("absolute, user", "GET http://u@a/ HTTP/1.1", .refuse(400)),
    .line("absolute, no host", "GET http:/// HTTP/1.1", .refuse(400)),
    .line("absolute, no slashes", "GET http:a HTTP/1.1", .refuse(400)),
    .line("absolute, scheme alone", "GET http:// HTTP/1.1", .refuse(400)),
    .line("absolute, host with letters", "GET http://é/ HTTP/1.1", .refuse(400)),
    .line("absolute, ftp", "GET ftp://a/ HTTP/1.1", .refuse(400)),
    .line("absolute, javascript", "GET javascript:alert(1) HTTP/1.1", .refuse(400)),
  ]

  static let hosts: [Probe] = [
    .host("name", "example.org"), .host("name and port", "example.org:8080"), .host("v4", "127.0.0.1:80"),
    .host("v6", "[::1]"), .host("v6 and port", "[2001:db8::1]:8080"), .host("v4 in v6", "[::ffff:1.2.3.4]"),
    .host("underscore", "odi_gateway:80"), .host("blanks around", "  a\t "), .host("port 65535", "a:65535"),
    .host("empty port", "a:"), .host("upper case", "EXAMPLE.org"),
    .host("empty", "", .refuse(400)), .host("blank", "  ", .refuse(400)), .host("port alone", ":80", .refuse(400)),
    .host("port 65536", "a:65536", .refuse(400)), .host("port of six digits", "a:000080", .refuse(400)),
    .host("port not a number", "a:8o", .refuse(400)), .host("negative port", "a:-1", .refuse(400)),
    .host("two ports", "a:1:2", .refuse(400)), .host("user", "u@a", .refuse(400)), .host("path", "a/b", .refuse(400)),
    .host("query", "a?b", .refuse(400)), .host("comma", "a,b", .refuse(400)),
    .host("blank inside", "a b", .refuse(400)),
    .host("tab inside", "a\tb", .refuse(400)), .host("host in quotes", "\"a\"", .refuse(400)),
    .host("UTF-8", "괴물", .refuse(400)),
    .host("open bracket", "[::1", .refuse(400)), .host("empty bracket", "[]", .refuse(400)),
    .host("name in brackets", "[localhost]", .refuse(400)), .host("after bracket", "[::1]a", .refuse(400)),
    .host("v6 without brackets", "::1", .refuse(400)), .host("percent", "a%2fb", .refuse(400)),
    .host("host with backslash", "a\\b", .refuse(400)), .host("scheme", "http://a", .refuse(400)),
    .field("same Host twice", "Host: a", .refuse(400)), .field("Host in other case", "hOsT: b", .refuse(400)),
    Probe("1.0 without Host", "GET / HTTP/1.0\r\n\r\n", .accept("")),
    Probe("1.0 with two Hosts", "GET / HTTP/1.0\r\nHost: a\r\nHost: a\r\n\r\n", .refuse(400)),
    Probe("absolute without Host", "GET http://a/ HTTP/1.1\r\n\r\n", .refuse(400)),
  ]

  static let fields: [Probe] = [
    .field("empty value", "X:"), .field("blank value", "X: \t "), .field("no blank after colon", "X:1"),
    .field("tab in value", "X: a\tb"), .field("colons in value", "X: a:b::c"),
    .field("token of every kind", "!#$%&'*+-.^_`|~9aZ: 1"),
    .field("Latin-1 value", "X: é"), .field("same name twice", "X: 1\r\nX: 2"), .field("quoted", "X: \"a, b\""),
    .field("100 fields", (0..<99).map { "X\($0): 1" }.joined(separator: "\r\n")),
    .field("101 fields", (0..<100).map { "X\($0): 1" }.joined(separator: "\r\n"), .refuse(431)),
    // "Host: a", the field itself, and the empty line: 9 + 5 + n + 2.
    .field("16 KiB", "X: \(String(repeating: "x", count: (16 << 10) - 9 - 5 - 2))"),
    .field("one byte more", "X: \(String(repeating: "x", count: (16 << 10) - 9 - 5 - 1))", .refuse(431)),
    .field("name too long", "\(String(repeating: "x", count: 17_000)): 1", .refuse(431)),
    .field("blank in name", "X Y: 1", .refuse(400)), .field("blank line of blanks", " ", .refuse(400)),
    .field("line of a tab", "\t", .refuse(400)), .field("tab fold", "X: 1\r\n\t2", .refuse(400)),
    .field("bracket in name", "X(Y: 1", .refuse(400)), .field("slash in name", "X/Y: 1", .refuse(400)),
    .field("equals for colon", "X=1", .refuse(400)), .field("quote in name", "\"X\": 1", .refuse(400)),
    .field("name é", "é: 1", .refuse(400)), .field("NUL in name", "X\0: 1", .refuse(400)),
    .field("DEL in value", "X: \u{7f}", .refuse(400)), .field("ESC in value", "X: \u{1b}[31m", .refuse(400)),
    .field("vertical tab in value", "X: a\u{b}b", .refuse(400)), .field("bare CR at the end", "X: a\r", .refuse(400)),
    .field("bare LF in value", "X: a\nContent-Length: 5", .refuse(400)), .field("NEL is no line end", "X: a\u{85}Y: b"),
    .field("Upgrade is ignored", "Connection: Upgrade\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk"),
    .field("websocket is ignored", "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13"),
    .field("underscore twin", "Content_Length: 5"), .field("dash twin", "ContentLength: 5"),
    .field("expect of a GET without body", "Expect: 100-continue"),
    .field("expect in capitals", "Expect: 100-CONTINUE"),
    .field("expect something else", "Expect: foo-bar", .refuse(417)), .field("expect nothing", "Expect:", .refuse(417)),
    .field("expect two", "Expect: 100-continue, foo", .refuse(417)),
  ]

  static let lengths: [Probe] = [
    .post("CL 0", "Content-Length: 0", "", .accept("")), .post("no CL", "X: 1", "", .accept("")),
    .post("CL in capitals", "CONTENT-LENGTH: 5", .accept("hello")),
    .post("CL 005", "Content-Length: 005", .accept("hello")),
    .post("CL with blanks", "Content-Length: \t 5 \t", .accept("hello")),
    .post("CL 0 twice", "Content-Length: 0\r\nContent-Length: 0", "", .refuse(400)),
    .post("CL 5 then empty", "Content-Length: 5\r\nContent-Length:", .refuse(400)),
    .post("CL 0x5", "Content-Length: 0x5", .refuse(400)), .post("CL 5.0", "Content-Length: 5.0", .refuse(400)),
    .post("CL 5e0", "Content-Length: 5e0", .refuse(400)), .post("CL 5;", "Content-Length: 5;", .refuse(400)),
    .post("CL 5,", "Content-Length: 5,", .refuse(400)), .post("CL ,5", "Content-Length: ,5", .refuse(400)),
    .post("CL 5 5", "Content-Length: 5 5", .refuse(400)), .post("CL '5'", "Content-Length: '5'", .refuse(400)),
    .post("CL \"5\"", "Content-Length: \"5\"", .refuse(400)), .post("CL 1_0", "Content-Length: 1_0", .refuse(400)),
    .post("CL ５ (fullwidth)", "Content-Length: ５", .refuse(400)),
    .post("CL ٥ (arabic)", "Content-Length: ٥", .refuse(400)),
    .post("CL 2^63", "Content-Length: 9223372036854775808", .refuse(400)),
    .post("CL 2^64", "Content-Length: 18446744073709551616", .refuse(400)),
    .post("CL of many zeros", "Content-Length: 00000000000000000000000000000005", .refuse(400)),
    .post("CL 10^18-1", "Content-Length: 999999999999999999", .refuse(413)),
    .post("CL 1 MiB + 1", "Content-Length: 1048577", "", .refuse(413)),
    .post("CL too large, expects 100", "Content-Length: 1048577\r\nExpect: 100-continue", "", .refuse(413)),
    .post("CL 1.0", "Content-Length: 1.0", .refuse(400)), .post("CL NUL", "Content-Length: 5\0", .refuse(400)),
    .post("CL nested in a value", "X: Content-Length: 9\r\nContent-Length: 5", .accept("hello")),
    Probe(
      "CL in HTTP/1.0", "POST /echo HTTP/1.0\r\nConnection: keep-alive\r\nContent-Length: 5\r\n\r\nhello",
      .accept("hello")),
    Probe("GET with a body", "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello", .accept("hello")),
    Probe("DELETE with a body", "DELETE / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello", .accept("hello")),
    Probe("HEAD with a body", "HEAD / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello", .accept("hello")),
    .post(
      "body that looks like a request", "Content-Length: 28", "GET /b HTTP/1.1\r\nHost: b\r\n\r\n",
      .accept("GET /b HTTP/1.1\r\nHost: b\r\n\r\n")),
  ]

  static let codings: [Probe] = [
    .post("TE in capitals", "TRANSFER-ENCODING: CHUNKED", "0\r\n\r\n", .accept("")),
    .post("TE with blanks", "Transfer-Encoding: \tchunked ", "0\r\n\r\n", .accept("")),
    .post("TE empty", "Transfer-Encoding:", "0\r\n\r\n", .refuse(400)),
    .post("TE identity", "Transfer-Encoding: identity", "", .refuse(501)),
    .post("TE gzip", "Transfer-Encoding: gzip", "", .refuse(501)),
    .post("TE chunked, chunked", "Transfer-Encoding: chunked, chunked", "0\r\n\r\n", .refuse(400)),
    .post("TE chunked,", "Transfer-Encoding: chunked,", "0\r\n\r\n", .refuse(400)),
    .post("TE , chunked", "Transfer-Encoding: , chunked", "0\r\n\r\n", .refuse(400)),
    .post("TE chunked, gzip", "Transfer-Encoding: chunked, gzip", "0\r\n\r\n", .refuse(400)),
    .post("TE chunked;q=1", "Transfer-Encoding: chunked;q=1", "0\r\n\r\n", .refuse(501)),
    .post("TE \"chunked\"", "Transfer-Encoding: \"chunked\"", "0\r\n\r\n", .refuse(501)),
    .post("TE chunked chunked", "Transfer-Encoding: chunked chunked", "0\r\n\r\n", .refuse(501)),
    .post("TE chunKed (Kelvin)", "Transfer-Encoding: chun\u{212a}ed", "0\r\n\r\n", .refuse(501)),
    .post(
      "TE gzip and chunked apart", "Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked", "0\r\n\r\n", .refuse(501)),
    .post(
      "TE chunked and identity apart", "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity", "0\r\n\r\n",
      .refuse(400)),
    .post("TE VT chunked", "Transfer-Encoding: \u{b}chunked", "0\r\n\r\n", .refuse(400)),
    .post("TE blank before colon", "Transfer-Encoding : chunked", "0\r\n\r\n", .refuse(400)),
    .post("X-TE twin", "Transfer_Encoding: chunked", "", .accept("")),
    .post("TE and CL 0", "Transfer-Encoding: chunked\r\nContent-Length: 0", "0\r\n\r\n", .refuse(400)),
    Probe(
      "GET chunked", "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n", .accept("x")),
  ]

  static let chunks: [Probe] = [
    .chunked("several", "1\r\na\r\n2\r\nbc\r\n0\r\n\r\n", .accept("abc")), .chunked("none", "0\r\n\r\n", .accept("")),
    .chunked("hex in both cases", "a\r\n0123456789\r\nA\r\nabcdefghij\r\n0\r\n\r\n", .accept("0123456789abcdefghij")),
    .chunked("leading zeros", "0000000000000005\r\nhello\r\n0\r\n\r\n", .accept("hello")),
    .chunked("last of many zeros", "5\r\nhello\r\n000\r\n\r\n", .accept("hello")),
    .chunked("too many zeros", "00000000000000005\r\nhello\r\n0\r\n\r\n", .refuse(400)),
    .chunked("CR LF in data", "4\r\n\r\n\r\n\r\n0\r\n\r\n", .accept("\r\n\r\n")),
    .chunked("ext name", "5;a\r\nhello\r\n0\r\n\r\n", .accept("hello")),
    .chunked("ext quoted", "5;a=\"b;\\\"c\"\r\nhello\r\n0;x\r\n\r\n", .accept("hello")),
    .chunked("ext with blanks", "5 ; a = b ;\tc\r\nhello\r\n0\r\n\r\n", .accept("hello")),
    .chunked("ext several", "5;a;b=1;c=\"\"\r\nhello\r\n0\r\n\r\n", .accept("hello")),
    .chunked("ext empty", "5;\r\nhello\r\n0\r\n\r\n", .refuse(400)),
    .chunked("ext two semicolons", "5;;a\r\nhello\r\n0\r\n\r\n", .refuse(400)),
    .chunked("ext without value", "5;a=\r\nhello\r\n0\r\n\r\n", .refuse(400)),
    .chunked("ext without name", "5;=b\r\nhello\r\n0\r\n\r\n", .refuse(400)),
    .chunked("ext open quote", "5;a=\"b\r\nhello\r\n0\r\n\r\n", .refuse(400)),
    .chunked("ext after quote", "5;a=\"b\"c\r\nhello\r\n0\r\n\r\n", .refuse(400)),
    .chunked("ext CR", "5;a\rb\r\nhello\r\n0\r\n\r\n", .refuse(400)),
    .chunked("ext NUL", "5;a\0\r\nhello\r\n0\r\n\r\n", .refuse(400)),
    .chunked(
      "exts over 1 KiB in all",
      (0..<3).map { _ in "1;\(String(repeating: "x", count: 400))\r\na\r\n" }.joined() + "0\r\n\r\n", .refuse(400)),
    .chunked("blank after size", "5 \r\nhello\r\n0\r\n\r\n", .refuse(400)),
    .chunked("blank before size", " 5\r\nhello\r\n0\r\n\r\n", .refuse(400)),
    .chunked("tab after size", "5\t\r\nhello\r\n0\r\n\r\n", .refuse(400)),
    .chunked("+5", "+5\r\nhello\r\n0\r\n\r\n", .refuse(400)),
    .chunked("-5", "-5\r\nhello\r\n0\r\n\r\n", .refuse(400)),
    .chunked("no size", "\r\nhello\r\n0\r\n\r\n", .refuse(400)),
    .chunked("only ext", ";a\r\nhello\r\n0\r\n\r\n", .refuse(400)),
    .chunked("5g", "5g\r\nhello\r\n0\r\n\r\n", .refuse(400)),
    .chunked("5_0", "5_0\r\nhello\r\n0\r\n\r\n", .refuse(400)),
    .chunked("5,5", "5,5\r\nhello\r\n0\r\n\r\n", .refuse(400)),
    .chunked("fullwidth 5", "５\r\nhello\r\n0\r\n\r\n", .refuse(400)),
    .chunked("5.0", "5.0\r\nhello\r\n0\r\n\r\n", .refuse(400)),
    .chunked("size CR only", "5\rhello\r\n0\r\n\r\n", .refuse(400)),
    .chunked("size 16 f", "ffffffffffffffff\r\nhello", .refuse(400)),
    .chunked("size 2^63", "8000000000000000\r\nhello", .refuse(400)),
    .chunked("size 2^62", "4000000000000000\r\nhello", .refuse(413)),
    .chunked("size 2^32+5", "100000005\r\nhello\r\n0\r\n\r\n", .refuse(413)),
    .chunked("size 1 MiB + 1", "100001\r\n", .refuse(413)),
    .chunked("sum over 1 MiB", "5\r\nhello\r\nfffff\r\n", .refuse(413)),
    .chunked("data too long", "5\r\nhelloX\r\n0\r\n\r\n", .refuse(400)),
    .chunked("data too short", "6\r\nhello\r\n0\r\n\r\n", .refuse(400)),
    .chunked("LF after data", "5\r\nhello\n0\r\n\r\n", .refuse(400)),
    .chunked("CR after data", "5\r\nhello\r0\r\n\r\n", .refuse(400)),
    .chunked("two CR LF after data", "5\r\nhello\r\n\r\n0\r\n\r\n", .refuse(400)),
    .chunked("LF at the end", "5\r\nhello\r\n0\r\n\n", .refuse(400)),
    .chunked("LF after last", "5\r\nhello\r\n0\n\r\n", .refuse(400)),
    .chunked("trailer", "5\r\nhello\r\n0\r\nX-Checksum: 1\r\n\r\n", .accept("hello")),
    .chunked("two trailers", "5\r\nhello\r\n0\r\nX: 1\r\nY: 2\r\n\r\n", .accept("hello")),
    .chunked("trailer CL", "5\r\nhello\r\n0\r\nContent-Length: 5\r\n\r\n", .refuse(400)),
    .chunked("trailer TE", "5\r\nhello\r\n0\r\ntransfer-encoding: chunked\r\n\r\n", .refuse(400)),
    .chunked("trailer Host", "5\r\nhello\r\n0\r\nHost: b\r\n\r\n", .refuse(400)),
    .chunked("trailer without colon", "5\r\nhello\r\n0\r\nGET / HTTP/1.1\r\n\r\n", .refuse(400)),
    .chunked("trailer fold", "5\r\nhello\r\n0\r\nX: 1\r\n 2\r\n\r\n", .refuse(400)),
    .chunked("trailer blank before colon", "5\r\nhello\r\n0\r\nX : 1\r\n\r\n", .refuse(400)),
    .chunked("trailer NUL", "5\r\nhello\r\n0\r\nX: \0\r\n\r\n", .refuse(400)),
    .chunked("trailer LF", "5\r\nhello\r\n0\r\nX: 1\n\r\n", .refuse(400)),
    .chunked("101 trailers", "0\r\n" + (0..<101).map { "X\($0): 1\r\n" }.joined() + "\r\n", .refuse(431)),
    .chunked("trailers over 16 KiB", "0\r\nX: \(long)\r\n\r\n", .refuse(431)),
  ]

  static let all = compared + lines + targets + hosts + fields + lengths + codings + chunks
}
