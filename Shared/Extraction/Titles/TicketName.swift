/// Names of kinds of tickets: nobody shows "General Admission".
enum TicketName {
  /// A longer name says what it admits to.
  private static let wordsMax = 6

  static func isOne(_ text: String) -> Bool {
    let words = text.lowercased().split { !$0.isLetter && !$0.isNumber && $0 != "'" }
    guard (1...wordsMax).contains(words.count) else { return false }
    return words.contains { kinds.contains(String($0)) }
      && words.allSatisfy { kinds.contains(String($0)) || others.contains(String($0)) || $0.allSatisfy(\.isNumber) }
  }

  /// "Day Pass - Thursday £36", "Festivalpass": it admits to more than one showing. "The Pass" and "Kasane Pass" are films.
  static func isPass(_ text: String) -> Bool {
    let words = text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
    if words.contains(where: wholePasses.contains) { return true }
    return zip(words, words.dropFirst()).contains { passes.contains($1) && ofPasses.contains($0) }
  }

  private static let wholePasses: Set<String> = [
    "festivalpass", "dauerkarte", "tageskarte", "festivalkarte", "フリーパス", "回数券",
  ]
  private static let passes: Set<String> = ["pass", "passes"]
  private static let ofPasses: Set<String> = [
    "day", "days", "festival", "weekend", "season", "access", "week", "vip", "industry", "delegate", "daily",
    "thursday", "friday", "saturday", "sunday", "monday", "tuesday", "wednesday", "full", "guest", "member", "bird",
    "earlybird", "express", "annual", "gold", "silver", "student",
  ]

  private static let kinds: Set<String> = [
    "admission", "ticket", "tickets", "concession", "concessions", "entry", "seat", "seats", "seating", "adult",
    "adults", "senior", "seniors", "student", "students", "oap", "earlybird", "vollpreis", "ermäßigt", "plein",
    "réduit", "intero", "ridotto",
  ]

  private static let others: Set<String> = [
    "general", "standard", "child", "children", "early", "bird", "standing", "full", "price", "member", "members",
    "member's", "under", "over", "family", "free", "vip", "premium", "reserved", "unreserved", "unemployed",
    "advance", "door", "online", "regular", "discount", "discounted", "reduced", "and", "or", "per", "person", "tarif",
    "super", "single", "final", "release", "first", "second", "third", "carer", "access", "accessible",
  ]
}
