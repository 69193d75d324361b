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
    // ペット可（テラス席）
    let core = String(text.prefix { $0 != "（" && $0 != "(" }).trimmed
    let end = core.isEmpty ? text : core
    if feature == .nonSmoking {
      // What is asked is whether there is a place without smoke.
      if text.hasPrefix("禁煙席なし") || text.hasPrefix("全席喫煙") || text.hasPrefix("喫煙可") { return .no }
      if smokeless.contains(where: text.hasPrefix) { return .yes }
      if text.contains("禁煙"), !text.contains("なし") { return .yes }
      if text.contains("금연"), !text.contains("없") { return .yes }
      // What is allowed or not is to smoke.
      if tobacco.contains(where: text.contains) {
        if ["不可", "禁止", "불가", "금지", "not allowed", "not permitted"].contains(where: end.hasSuffix) { return .yes }
        if ["可", "ok", "가능", "allowed", "permitted"].contains(where: end.hasSuffix) { return .no }
      }
    }
    if feature == .card, cashOnly.contains(where: text.hasPrefix) { return .no }
    if feature == .parking, isHead, text.contains("駐車場"), text.hasSuffix("台") { return .yes }
    if open.contains(where: text.contains) { return .unknown }
    if text.hasPrefix("無料") { return .yes }
    let word = String(text.unicodeScalars.prefix { $0.properties.isAlphabetic })
    if text == "0" || text == "x" || text == "n" || negativeWords.contains(word) { return .no }
    // 段差なし is what is asked for.
    let lacks = isHead && feature != .barrierFree && ["なし", "無し"].contains(where: end.hasSuffix)
    if lacks || isHead && endsWithNo.contains(where: end.hasSuffix) { return .no }
    if feature == .parking, isHead, text.contains("近") { return .unknown }
    if text == "1" || text == "o" || text == "y" || positiveWords.contains(word) { return .yes }
    if negative.contains(where: text.hasPrefix) || text.hasSuffix("不可") || text.hasSuffix("していない") { return .no }
    if positive.contains(where: text.hasPrefix) || text.hasSuffix("ok") || text.hasSuffix("歓迎") { return .yes }
    if isHead, endsWithYes.contains(where: end.hasSuffix) { return .yes }
    return .unknown
  }

  private static let tobacco = ["喫煙", "たばこ", "タバコ", "煙草", "흡연", "smoking"]
  private static let cashOnly = ["現金のみ", "cash only", "현금만", "현금 결제만"]
  private static let endsWithYes = [
    "あり", "有り", "完備", "可", "可能", "対応", "できます", "できる", "いただけます", "頂けます", "使えます", "ございます", "가능", "있음", "있어요", "있습니다",
  ]
  private static let endsWithNo = [
    "お断り", "お断りしております", "ご遠慮ください", "ご遠慮下さい", "ございません", "ありません", "できません", "なれません", "できない", "いただけません", "頂けません", "使えません",
    "おりません", "불가", "불가능", "없음", "없어요", "없습니다", "안됨",
  ]
  private static let smokeless = [
    "全面禁煙", "一部禁煙", "完全禁煙", "全席禁煙", "禁煙", "分煙", "完全分煙", "금연", "전석 금연", "전체 금연", "전 좌석 금연", "non-smoking", "no smoking",
    "no-smoking", "smoke-free", "smoke free", "non smoking", "nonsmoking", "non-fumeur", "non fumeur", "non-fumeurs",
    "non fumeurs", "nichtraucher", "no fumadores", "no fumar", "non fumatori", "rookvrij",
  ]
  /// Whoever writes one of these leaves it open.
  private static let open = ["未確認", "要相談", "応相談", "不明", "문의", "ask"]
  private static let negative = [
    "なし", "無し", "不可", "利用不可", "貸切不可", "いいえ", "営業していない", "つながらない", "いない", "×", "✕", "✖", "✗", "✘", "없", "불가", "아니",
  ]
  private static let positive = [
    "あり", "有", "可", "利用可", "貸切可", "はい", "営業している", "つながる", "いる", "◯", "○", "◎", "✓", "✔", "있", "가능", "무료", "유료",
  ]
  /// Other words begin with them too, such as `無線` and `normal`. So they count only where they stand alone.
  private static let negativeWords: Set = ["無", "no", "none", "not", "false", "non", "nein", "unavailable", "무"]
  private static let positiveWords: Set = [
    "yes", "true", "oui", "sí", "ja", "available", "free", "allowed", "welcome", "유",
  ]
}
