/// Which of a chain's houses a page is of, where a heading says it by the chain's name and more: "台北信義苔蘚影城" on the page of
/// "苔蘚影城 場次查詢".
struct BranchName {
  let name: String

  /// - Parameter house: what the page's title calls the house.
  init?(of house: String, in headings: [String]) {
    let words = house.unicodeScalars.split { $0.isBlank || $0 == "-" || $0 == "－" }.map { String(Substring($0)) }
    let chain = words.filter { !PageWords.isLabel($0) && !Self.kinds.contains($0) }
    guard chain.count == 1, let core = chain.first, core.unicodeScalars.count >= Self.coreMin,
      core.unicodeScalars.allSatisfy({ $0.value >= 0x80 || ("0"..."9").contains($0) })
    else { return nil }
    let branches = Set(headings.filter { Self.names($0, branchOf: core) })
    if branches.count == 1, let branch = branches.first {
      name = branch
    } else if words.count > 1 {
      // "苔蘚影城 場次查詢" is called 苔蘚影城 all the same.
      name = core
    } else {
      return nil
    }
  }

  /// What pages of a chain are called.
  private static let kinds: Set<String> = [
    "場次查詢", "場次", "播放場次", "放映場次", "時刻查詢", "線上訂票", "網路訂票", "上映時刻", "在线选座", "购票", "영화예매", "빠른예매",
  ]
  private static let coreMin = 3
  private static let branchMax = 20

  /// "台北信義苔蘚影城", "苔蘚影城@台北信義": the chain's name behind where it is, or before it and a sign.
  private static func names(_ heading: String, branchOf core: String) -> Bool {
    guard heading != core, heading.unicodeScalars.count <= branchMax,
      !heading.unicodeScalars.contains(where: { $0.isBlank || "「『《〈：:，。！？".unicodeScalars.contains($0) })
    else { return false }
    if heading.hasSuffix(core) {
      let place = String(heading.dropLast(core.count))
      return !notPlaces.contains { place.holds($0) }
    }
    guard heading.hasPrefix(core), let sign = heading.dropFirst(core.count).unicodeScalars.first else { return false }
    return sign == "@" || sign == "＠"
  }

  private static let notPlaces = ["關於", "关于", "歡迎", "欢迎", "認識", "加入", "回到", "最新", "走進", "走进"]
}
