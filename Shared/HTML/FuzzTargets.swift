/// What a fuzzer calls: any bytes may come, and the only allowed outcomes are a result and a named error.
package enum FuzzTargets {
  /// The first line is a selector, the rest a page.
  package static func parseAndSelect(_ bytes: [UInt8]) {
    let line = bytes.prefix { $0 != 0x0A }
    let rest = Array(bytes.dropFirst(line.count + 1))
    guard let document = try? HTMLDocument.parse(rest, url: "https://cinema.example/a/b") else { return }
    for node in (try? document.select("*", within: StepBudget(steps: 1_000_000))) ?? [] {
      _ = node["href"].flatMap(document.link)
      _ = node.next
    }
    _ = document.root.text
    precondition(readsAlike(rest), "a long text that was kept from the parser changes the page")
    guard let selector = try? Selector(parsing: String(decoding: line, as: UTF8.self)) else { return }
    for node in (try? document.select(selector, within: StepBudget(steps: 1_000_000))) ?? [] { _ = node.text }
  }

  /// Whether a page is the same tree with its long texts kept from the parser and without.
  package static func readsAlike(_ bytes: [UInt8]) -> Bool {
    let text = UTF8Repair.repair(bytes[...]).bytes
    guard let whole = try? Tree.parse(text, limits: .page, sparesLongTexts: false),
      let spared = try? Tree.parse(text, limits: .page)
    else { return true }
    return whole.nodes == spared.nodes && whole.attributes == spared.attributes && whole.bytes == spared.bytes
      && whole.names == spared.names
  }

  /// The first line is the transport's charset, the rest the bytes of a text.
  package static func charset(_ bytes: [UInt8]) {
    let line = bytes.prefix { $0 != 0x0A }
    let rest = Array(bytes.dropFirst(line.count + 1))
    _ = try? Charset.decode(rest, declared: String(decoding: line, as: UTF8.self))
    _ = try? Charset.decode(bytes)
  }
}
