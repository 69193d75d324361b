package import Contracts
import Drafts

/// What a guide's words about one thing mean: `あり ：２名様から`, `なし`, `利用可`, `全面禁煙`, `未確認`, `있음`, `yes`.
nonisolated package enum FeatureText {
  /// - Returns: nil for an empty text: nothing is said.
  package static func note(_ feature: RestaurantFeature, _ text: String?) -> FeatureNote? {
    guard let text = text?.trimmed, !text.isEmpty else { return nil }
    let state = state(feature, text)
    return FeatureNote(feature: feature, state: state, text: text == state.rawValue ? nil : text)
  }

  /// The words before the colon decide; a remark behind it that says the opposite makes it unknown.
  static func state(_ feature: RestaurantFeature, _ text: String) -> FeatureState {
    let parts = text.split(separator: "：", maxSplits: 1).flatMap { $0.split(separator: ":", maxSplits: 1) }
    guard let head = parts.first?.trimmed else { return .unknown }
    let said = word(feature, head, isHead: true)
    guard parts.count > 1, said != .unknown else { return said }
    let remark = word(feature, parts[1].trimmed, isHead: false)
    return remark == .unknown || remark == said ? said : .unknown
  }

  /// - Parameter isHead: only there a whole phrase answers by how it ends: 提携駐車場あり.
  private static func word(_ feature: RestaurantFeature, _ text: String, isHead: Bool) -> FeatureState {
    let text = text.lowercased()
    if feature == .nonSmoking {
      // What is asked is whether there is a place without smoke.
      if text.hasPrefix("禁煙席なし") || text.hasPrefix("全席喫煙") || text.hasPrefix("喫煙可") { return .no }
      if smokeless.contains(where: text.hasPrefix) { return .yes }
      if text.contains("禁煙"), !text.contains("なし") { return .yes }
      // What is allowed or not is to smoke.
      if tobacco.contains(where: text.contains) {
        if text.hasSuffix("不可") || text.hasSuffix("禁止") { return .yes }
        if text.hasSuffix("可") || text.hasSuffix("ok") { return .no }
      }
    }
    if feature == .card, text.hasPrefix("現金のみ") { return .no }
    if feature == .parking, isHead, text.contains("駐車場"), text.hasSuffix("台") { return .yes }
    if open.contains(where: text.contains) { return .unknown }
    if text.hasPrefix("無料") { return .yes }
    let word = String(text.unicodeScalars.prefix { $0.properties.isAlphabetic })
    if text == "0" || negativeWords.contains(word) { return .no }
    if text == "1" || positiveWords.contains(word) { return .yes }
    if isHead, endsWithNo.contains(where: text.hasSuffix) { return .no }
    if negative.contains(where: text.hasPrefix) || text.hasSuffix("不可") || text.hasSuffix("していない") { return .no }
    if positive.contains(where: text.hasPrefix) || text.hasSuffix("ok") || text.hasSuffix("歓迎") { return .yes }
    if isHead, endsWithYes.contains(where: text.hasSuffix) { return .yes }
    return .unknown
  }

  private static let tobacco = ["喫煙", "たばこ", "タバコ", "煙草"]
  private static let endsWithYes = ["あり", "有り", "完備", "可", "可能", "対応"]
  private static let endsWithNo = ["お断り", "お断りしております", "ご遠慮ください", "ございません", "ありません"]
  private static let smokeless = ["全面禁煙", "一部禁煙", "完全禁煙", "全席禁煙", "禁煙", "分煙", "금연", "금연석", "non-smoking", "no smoking"]
  /// Whoever writes one of these leaves it open.
  private static let open = ["未確認", "要相談", "応相談", "不明", "문의", "ask"]
  private static let negative = [
    "なし", "無し", "不可", "利用不可", "貸切不可", "いいえ", "営業していない", "×", "없음", "불가",
  ]
  private static let positive = [
    "あり", "有", "可", "利用可", "貸切可", "はい", "営業している", "◯", "○", "◎", "있음", "가능",
  ]
  /// Other words begin with them too, such as `無線` and `normal`. So they count only where they stand alone.
  private static let negativeWords: Set = ["無", "no", "none", "not", "false"]
  private static let positiveWords: Set = ["yes", "true"]
}
