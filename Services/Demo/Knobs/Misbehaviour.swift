/// What can go wrong with a site. Several can at once: a slow page in EUC-KR is slow and in EUC-KR.
nonisolated package enum Misbehaviour: String, CaseIterable, Sendable, Codable {
  /// The same shows under other names and in other places, as after a redesign.
  case redesign
  /// Every page is well, and there is no show on it.
  case empty
  /// Titles, screens and links that would run in a reader's browser if somebody took them for more than text.
  case hostile

  /// 404, 429 with seconds in `Retry-After`, 500, 503 with a date in it.
  case notFound = "404"
  case tooMany = "429"
  case failing = "500"
  case unavailable = "503"
  /// Every second request is answered with 503.
  case flaky

  /// The document in another encoding, named only by the page itself.
  case eucKR = "euc-kr"
  case shiftJIS = "shift-jis"
  case eucJP = "euc-jp"
  case latin1 = "latin-1"
  /// The header names another encoding than the page is in, which names the right one itself.
  case wrongCharset = "wrong-charset"
  /// The same, with a byte order mark, which tells the truth.
  case byteOrderMark = "bom"

  /// The body in twenty pieces over ten seconds.
  case slow
  /// A byte a second, for two minutes.
  case drip
  /// No answer for a minute, then 504.
  case hang
  /// Half of the body, then nothing for a minute.
  case stall
  /// Half of the body, then the connection closes.
  case truncate
  /// No answer: the connection is reset before its head leaves.
  case reset
  /// `Content-Length` is too small by a quarter of the body.
  case wrongLength = "wrong-length"

  /// 64 KiB of noise that calls itself HTML.
  case garbage
  /// 200 and not a byte.
  case blank
  /// 64 KiB that become 64 MiB.
  case gzipBomb = "gzip-bomb"
  /// A page of 24 MiB.
  case huge
  /// A page that never ends.
  case endless
  /// A hundred thousand header fields before the page.
  case headerFlood = "header-flood"

  /// Redirects to itself.
  case redirectLoop = "redirect-loop"
  /// Redirects to an address inside somebody's network.
  case redirectPrivate = "redirect-private"
  /// Redirects to a file of the reader's own machine.
  case redirectFile = "redirect-file"
  /// robots.txt forbids the cinema's pages.
  case robotsDeny = "robots-deny"
  /// robots.txt is answered with 500, which means that everything is forbidden.
  case robotsError = "robots-error"
  /// There is no robots.txt, which means that everything is allowed.
  case robotsMissing = "robots-missing"
  /// robots.txt has 600 KiB, and what it forbids stands behind what anybody reads.
  case robotsHuge = "robots-huge"
  /// robots.txt is elsewhere, and there forbids the cinema's pages.
  case robotsRedirect = "robots-redirect"

  package var summary: String {
    switch self {
    case .redesign: "other names, other places, the same shows"
    case .empty: "pages without a show"
    case .hostile: "markup and script in titles, screens and links"
    case .notFound: "404"
    case .tooMany: "429, try again in 30 seconds"
    case .failing: "500"
    case .unavailable: "503, try again in two minutes"
    case .flaky: "every second request 503"
    case .eucKR: "in EUC-KR"
    case .shiftJIS: "in Shift_JIS"
    case .eucJP: "in EUC-JP"
    case .latin1: "in ISO-8859-1"
    case .wrongCharset: "the header says EUC-KR, the page is UTF-8 and says so"
    case .byteOrderMark: "the header says EUC-KR, a byte order mark says UTF-8"
    case .drip: "a byte a second"
    case .slow: "ten seconds for a page"
    case .hang: "no answer for a minute"
    case .stall: "half a page, then silence for a minute"
    case .truncate: "half a page, then closed"
    case .reset: "the connection is reset"
    case .wrongLength: "Content-Length too small"
    case .garbage: "noise"
    case .blank: "an empty body"
    case .gzipBomb: "64 KiB that become 64 MiB"
    case .huge: "a page of 24 MiB"
    case .endless: "a page without an end"
    case .headerFlood: "100,000 header fields"
    case .redirectFile: "redirects to file:///etc/passwd"
    case .redirectLoop: "redirects to itself"
    case .redirectPrivate: "redirects to 10.0.0.1"
    case .robotsDeny: "robots.txt forbids it"
    case .robotsError: "robots.txt fails"
    case .robotsMissing: "robots.txt is not there"
    case .robotsHuge: "robots.txt of 600 KiB forbids it at its end"
    case .robotsRedirect: "robots.txt leads to one that forbids it"
    }
  }
}
