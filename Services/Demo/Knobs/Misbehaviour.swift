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

  /// The body in twenty pieces over ten seconds.
  case slow
  /// No answer for a minute, then 504.
  case hang
  /// Half of the body, then nothing for a minute.
  case stall
  /// Half of the body, then the connection closes.
  case truncate
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

  /// Redirects to itself.
  case redirectLoop = "redirect-loop"
  /// Redirects to an address inside somebody's network.
  case redirectPrivate = "redirect-private"
  /// robots.txt forbids the cinema's pages.
  case robotsDeny = "robots-deny"
  /// robots.txt is answered with 500, which means that everything is forbidden.
  case robotsError = "robots-error"

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
    case .slow: "ten seconds for a page"
    case .hang: "no answer for a minute"
    case .stall: "half a page, then silence for a minute"
    case .truncate: "half a page, then closed"
    case .wrongLength: "Content-Length too small"
    case .garbage: "noise"
    case .blank: "an empty body"
    case .gzipBomb: "64 KiB that become 64 MiB"
    case .huge: "a page of 24 MiB"
    case .redirectLoop: "redirects to itself"
    case .redirectPrivate: "redirects to 10.0.0.1"
    case .robotsDeny: "robots.txt forbids it"
    case .robotsError: "robots.txt fails"
    }
  }
}
