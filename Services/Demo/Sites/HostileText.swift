/// What somebody writes who would like to run something in the browsers of a listing's readers: each text and each address
/// was a way in somewhere once.
nonisolated enum HostileText {
  static let texts = [
    "<script>window.hit=1</script>", "<img src=x onerror=window.hit=1>", "\"><svg onload=window.hit=1>",
    "'-window.hit=1-'", "</title><script>window.hit=1</script>", "</script><script>window.hit=1</script>", "<!-- ",
    "]]>", "</main></body>", "{{constructor.constructor('window.hit=1')()}}", "\u{202E}gnp.exe", "&lt;b&gt;",
    "<a href=javascript:window.hit=1>x</a>", "%3Cscript%3E", "\u{1}x\u{7F}", "<plaintext>",
    "\"onfocus=window.hit=1 autofocus=\"",
  ]

  static let links = [
    "javascript:window.hit=1", "JaVaScRiPt:window.hit=1", " javascript:window.hit=1", "java\nscript:window.hit=1",
    "data:text/html,<script>opener.hit=1</script>", "vbscript:x", "//evil.example/", "/\\evil.example", "blob:x",
    "https://booking.example/?a=\"><script>window.hit=1</script>",
  ]

  /// The number keeps apart what would otherwise be the same film.
  static func text(_ number: Int) -> String { "\(texts[number % texts.count]) \(number)" }

  static func link(_ number: Int) -> String { links[number % links.count] }
}

nonisolated extension DemoFilm {
  /// The same film as a hostile site names it.
  var defaced: DemoFilm {
    let number = Int(code) ?? 0
    let text = HostileText.text(number)
    return DemoFilm(
      code: code, korean: text, english: text, japanese: japanese == nil ? nil : text, nation: nation, rating: rating,
      released: released, genre: genre, minutes: minutes, director: HostileText.text(number + 1),
      cast: HostileText.text(number + 2), synopsis: HostileText.text(number + 3))
  }
}

nonisolated extension Show {
  /// The same show as a hostile site names it: without marks, so that nothing but the text is the title.
  var defaced: Show {
    var show = self
    show.film = film.defaced
    show.marks = []
    return show
  }
}
