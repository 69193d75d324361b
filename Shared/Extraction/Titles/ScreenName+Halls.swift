/// Rooms that are called a hall in the languages that write no blanks: "IMAX厅", "3号厅 激光厅", "5관[Laser]", "小ホール".
extension ScreenName {
  static func isHall(_ text: String) -> Bool {
    // "小ホール （地下1階）"
    if bare.contains(text.unicodeScalars.prefix { $0 != "(" && $0 != "（" }.map(String.init).joined().trimmedText) {
      return true
    }
    guard text.unicodeScalars.count <= hallMax, let last = text.unicodeScalars.last else { return false }
    // "5관[Laser]": behind the room stands what is in it.
    if [")", "]", "）", "］"].contains(last),
      let open = text.unicodeScalars.firstIndex(where: { ["(", "[", "（", "［"].contains($0) }),
      case let room = String(text.unicodeScalars[..<open]).trimmedText, room.utf8.first.map(isDigitByte) ?? false,
      let end = room.unicodeScalars.last, ends.contains(end)
    {
      return isOne(room)
    }
    guard last == "厅" || last == "廳" else { return false }
    let parts = text.unicodeScalars.split(whereSeparator: \.isBlank)
    return parts.allSatisfy { part in
      guard part.last == "厅" || part.last == "廳" else { return false }
      let name = String(Substring(part.dropLast()))
      return name.utf8.contains { $0 < 0x80 } || kinds.contains { name.hasSuffix($0) }
    }
  }

  /// "2廳", "5관[Laser]": a number and what a hall is called, and no house.
  static func isNumberedHall(_ text: String) -> Bool {
    text.utf8.first.map(isDigitByte) ?? false && text.utf8.contains { $0 >= 0x80 } && isOne(text)
  }

  /// "First Class": what is said of a hall's seats, and of no house.
  static func isKindOfHall(_ text: String) -> Bool { hallKinds.contains(text.lowercased()) }

  private static let hallKinds: Set<String> = [
    "first class", "gold class", "vip", "premium", "deluxe", "digital cinema", "standard", "regular", "platinum",
    "boutique",
  ]

  /// "7号厅 中国巨幕厅"
  private static let hallMax = 16
  private static let ends: Set<Unicode.Scalar> = ["관", "館", "厅", "廳"]
  private static let bare: Set<String> = ["小ホール", "大ホール", "中ホール", "大廳", "小廳", "大厅", "小厅"]
  /// What a hall is called after that is no name of a film: its number, its screen, its seats.
  private static let kinds = [
    "号", "號", "一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "激光", "雷射", "巨幕", "杜比", "贵宾", "貴賓", "情侣", "情侶",
    "数码", "數位", "影", "儿童", "兒童",
  ]
}
