import JSON

/// One place in which two answers differ.
nonisolated struct AnswerDifference: Hashable, Sendable {
  /// `[2].film.title`; empty for the answer as a whole.
  let path: String
  /// As JSON; nil where there is nothing.
  let before: String?
  let now: String?
}

nonisolated extension Recording.Outcome {
  /// At most this many are told of one call: the first few say what is wrong.
  private static let differencesMax = 10

  /// - Parameter ignored: names of fields, or whole paths, that may differ.
  func differences(from now: Recording.Outcome, ignoring ignored: Set<String>) -> [AnswerDifference] {
    switch (self, now) {
    case (.answer(let before), .answer(let now)):
      var found: [AnswerDifference] = []
      Self.compare(before, now, at: "", ignored, &found)
      return found
    case (.failure(let before, _), .failure(let code, _)) where before == code: return []
    default: return [AnswerDifference(path: "", before: shown, now: now.shown)]
    }
  }

  private var shown: String {
    switch self {
    case .answer(let value): value.shown
    case .failure(let code, let message): "\(code): \(message)"
    }
  }

  private static func compare(
    _ before: JSONValue, _ now: JSONValue, at path: String, _ ignored: Set<String>, _ found: inout [AnswerDifference]
  ) {
    guard found.count < differencesMax, before != now else { return }
    switch (before, now) {
    case (.object(let old), .object(let new)):
      for name in old.names + new.names.filter({ old[$0] == nil }) where !ignored.contains(name) {
        let inner = path.isEmpty ? name : "\(path).\(name)"
        guard !ignored.contains(inner) else { continue }
        compareMembers(old[name], new[name], at: inner, ignored, &found)
      }
    case (.array(let old), .array(let new)):
      for index in 0..<max(old.count, new.count) {
        compareMembers(
          index < old.count ? old[index] : nil, index < new.count ? new[index] : nil, at: "\(path)[\(index)]", ignored,
          &found)
      }
    default: found.append(AnswerDifference(path: path, before: before.shown, now: now.shown))
    }
  }

  private static func compareMembers(
    _ before: JSONValue?, _ now: JSONValue?, at path: String, _ ignored: Set<String>, _ found: inout [AnswerDifference]
  ) {
    if let before, let now { return compare(before, now, at: path, ignored, &found) }
    guard found.count < differencesMax else { return }
    found.append(AnswerDifference(path: path, before: before?.shown, now: now?.shown))
  }
}

nonisolated extension JSONValue {
  /// Enough of it to recognise it.
  fileprivate var shown: String {
    let text = String(decoding: json, as: UTF8.self)
    return text.utf8.count <= 200 ? text : String(text.prefix(200)) + "…"
  }
}
