import Calendars
import Contracts
import Dining
import Testing

@Suite("What guides write")
struct TextTests {
  private static let flags: [(RestaurantFeature, String, FeatureState)] = [
    (.course, "あり", .yes), (.freeDrink, "あり ：２名様から", .yes), (.wifi, "未確認", .unknown),
    (.privateRoom, "なし ：お席の詳細はお店まで", .no), (.card, "利用可", .yes), (.card, "利用不可", .no),
    (.nonSmoking, "全面禁煙", .yes), (.nonSmoking, "一部禁煙", .yes), (.nonSmoking, "禁煙席なし", .no),
    (.charter, "貸切不可 ：可：30名～最大80名様までOK★", .unknown), (.charter, "貸切可", .yes), (.charter, "応相談", .unknown),
    (.midnight, "営業している", .yes), (.midnight, "営業していない", .no), (.child, "お子様連れ歓迎 ：座敷あり", .yes),
    (.child, "お子様連れ不可", .no), (.pet, "可", .yes), (.band, "不可", .no), (.phoneCoupon, "0", .no), (.wifi, "있음", .yes),
    (.wifi, "no", .no), (.wifi, "無料", .yes), (.wifi, "無料 ：全席", .yes),
    (.parking, "無", .no), (.parking, "無（近くにあり）", .no), (.parking, "無し", .no), (.wifi, "無線LAN", .unknown),
    (.wifi, "no wifi", .no), (.wifi, "normal", .unknown), (.parking, "10台", .unknown), (.parking, "03-1234", .unknown),
    (.parking, "0.5km", .unknown), (.phoneCoupon, "1", .yes), (.wifi, "Yes!", .yes),
    (.wedding, "お気軽にお問合せください", .unknown),
  ]
  /// Labelled before they were first read.
  private static let more: [(RestaurantFeature, String, FeatureState)] = [
    (.wifi, "あり", .yes), (.wifi, "あり ：全席でご利用可", .yes), (.wifi, "なし", .no), (.wifi, "未確認", .unknown),
    (.wifi, "利用可", .yes), (.wifi, "あり（無料）", .yes), (.wifi, "あり ：docomo、au、softbank", .yes), (.wifi, "WiFi完備", .yes),
    (.wifi, "準備中", .unknown), (.course, "あり", .yes), (.course, "なし ：アラカルトのみ", .no), (.course, "あり ：ご予約は前日まで", .yes),
    (.freeDrink, "あり ：2時間1980円～", .yes), (.freeDrink, "なし ：単品のみ", .no), (.freeFood, "あり ：金土祝前日は不可", .unknown),
    (.freeFood, "平日のみあり", .yes), (.privateRoom, "あり ：2名様～個室あり", .yes), (.privateRoom, "なし ：半個室あり", .no),
    (.privateRoom, "なし", .no), (.privateRoom, "完全個室あり", .yes), (.privateRoom, "半個室のみ", .unknown),
    (.horigotatsu, "あり ：掘りごたつ席", .yes), (.horigotatsu, "なし ：テーブル席です", .no), (.tatami, "なし", .no),
    (.tatami, "座敷あり", .yes), (.card, "利用可", .yes), (.card, "利用可 ：VISA、マスター、アメックス", .yes), (.card, "利用不可", .no),
    (.card, "現金のみ", .no), (.card, "VISA、JCB", .unknown), (.nonSmoking, "全面禁煙", .yes),
    (.nonSmoking, "全面禁煙 ：店頭に灰皿あり", .yes), (.nonSmoking, "一部禁煙", .yes), (.nonSmoking, "禁煙席なし", .no),
    (.nonSmoking, "全席禁煙 ：電子タバコも不可", .yes), (.nonSmoking, "喫煙可", .no), (.nonSmoking, "全席喫煙可", .no),
    (.nonSmoking, "分煙 ：喫煙ルームあり", .yes), (.nonSmoking, "未確認", .unknown), (.nonSmoking, "ランチタイム禁煙", .yes),
    (.nonSmoking, "加熱式たばこのみ可", .no), (.charter, "貸切可 ：30名様～", .yes), (.charter, "貸切不可", .no),
    (.charter, "貸切不可 ：お問い合わせください", .no), (.charter, "要相談", .unknown), (.parking, "あり ：5台", .yes),
    (.parking, "なし ：近隣のコインパーキングをご利用ください", .no), (.parking, "なし ：近くにコインパーキングあり", .no), (.parking, "提携駐車場あり", .yes),
    (.parking, "専用駐車場10台", .yes), (.barrierFree, "なし ：スロープはありませんがお手伝いします", .no), (.barrierFree, "あり ：店内段差なし", .yes),
    (.midnightMeal, "お食事OK", .yes), (.midnight, "営業していない", .no), (.child, "お子様連れ歓迎", .yes),
    (.child, "お子様連れOK ：ベビーカー入店可", .yes), (.child, "お子様連れお断り", .no), (.child, "小学生以上", .unknown), (.pet, "不可", .no),
    (.pet, "テラス席のみ可", .yes), (.english, "あり ：英語メニューあり", .yes), (.karaoke, "なし ：カラオケはございません", .no),
    (.wedding, "お問い合わせください", .unknown), (.tv, "大型スクリーンあり", .yes), (.wifi, "Free Wi-Fi throughout", .yes),
    (.wifi, "Unavailable", .no), (.wifi, "Oui", .yes), (.wifi, "Non", .no), (.wifi, "✓", .yes), (.wifi, "✗", .no),
    (.wifi, "없습니다", .no), (.wifi, "있습니다", .yes), (.wifi, "N/A", .unknown), (.card, "Cash only", .no),
    (.card, "ご利用になれません", .no), (.card, "使用できません", .no), (.card, "お使いいただけます", .yes), (.card, "取扱い無し", .no),
    (.barrierFree, "段差なし", .unknown), (.parking, "近くにコインパーキングあり", .unknown), (.parking, "주차 불가능", .no),
    (.parking, "주차 가능", .yes), (.pet, "ペット可（個室のみ）", .yes), (.pet, "ご遠慮下さい", .no), (.privateRoom, "個室無し", .no),
    (.nonSmoking, "완전 금연", .yes), (.nonSmoking, "전석 금연", .yes), (.nonSmoking, "흡연 가능", .no),
    (.nonSmoking, "Non smoking", .yes), (.nonSmoking, "Non fumeur", .yes), (.nonSmoking, "Non-fumeurs", .yes),
    (.nonSmoking, "Nichtraucher", .yes), (.nonSmoking, "No fumadores", .yes), (.nonSmoking, "non", .no),
    (.nonSmoking, "no", .no), (.nonSmoking, "No non-smoking seats", .no), (.nonSmoking, "Smoking", .unknown),
    (.nonSmoking, "完全分煙", .yes), (.mobilePhone, "つながる ：ＮＴＴドコモ／au／ソフトバンク", .yes), (.mobilePhone, "つながらない", .no),
    (.sommelier, "いる", .yes), (.sommelier, "いない", .no), (.sommelier, "いる ：土日のみ", .yes),
    (.nonSmoking, "Smoking not permitted", .yes), (.nonSmoking, "Smoking permitted", .no),
  ]
  private static let prices: [(String?, String?, Int?, Int?, String)] = [
    ("2001～3000円", nil, 2_001, 3_000, "JPY"), ("～500円", nil, nil, 500, "JPY"),
    ("30001円～", nil, 30_001, nil, "JPY"), (nil, "（昼）1000円　（夜）2500円", 2_500, 2_500, "JPY"),
    (nil, "ランチ：1000円　ディナー：3000円", 3_000, 3_000, "JPY"), (nil, "1000円以下", nil, 1_000, "JPY"),
    (nil, "１，５００円", 1_500, 1_500, "JPY"), ("9,000~12,000원", nil, 9_000, 12_000, "KRW"),
    ("1만5천원", nil, 15_000, 15_000, "KRW"), ("£18-32", nil, 1_800, 3_200, "GBP"), ("£9.50", nil, 900, 900, "GBP"),
    ("1인당 15000원", nil, 15_000, 15_000, "KRW"), ("2人で5000円", nil, 2_500, 2_500, "JPY"),
    ("90分 3000円", nil, 3_000, 3_000, "JPY"), ("1000円台", nil, 1_000, 1_999, "JPY"),
    ("3.000 €", nil, 300_000, 300_000, "EUR"), ("NT$500", nil, 50_000, 50_000, "TWD"),
    ("US$20", nil, 2_000, 2_000, "USD"), ("CA$20", nil, 2_000, 2_000, "CAD"), ("S$20", nil, 2_000, 2_000, "SGD"),
  ]

  @Test(
    "flag texts are yes, no or unknown by their first words; a remark that says the opposite makes them unknown",
    arguments: Self.flags + Self.more)
  func features(feature: RestaurantFeature, text: String, state: FeatureState) {
    #expect(FeatureText.note(feature, text)?.state == state)
  }

  @Test("nothing said is no note, and the words are kept where they say more")
  func notes() {
    #expect(FeatureText.note(.wifi, "") == nil && FeatureText.note(.wifi, nil) == nil)
    #expect(FeatureText.note(.wifi, "yes")?.text == nil)
    #expect(FeatureText.note(.parking, "なし ：近くにあり")?.text == "なし ：近くにあり")
  }

  @Test(
    "prices are read in their currency's smallest unit",
    arguments: Self.prices)
  func budgets(name: String?, average: String?, least: Int?, most: Int?, currency: String) {
    let budget = BudgetText(name: name, average: average, country: "JP")
    #expect(budget.least == least && budget.most == most && budget.currency == currency, "\(budget)")
  }

  @Test("a text without a number is no price, and one of a telephone number is none either")
  func noBudgets() {
    for text in ["応相談", "", "0120-123-456-7890-12345678901"] {
      let budget = BudgetText(name: nil, average: text, country: "JP")
      #expect((budget.least ?? 0) < 10_000_000, "\(text)")
    }
    #expect(BudgetText(name: nil, average: "応相談", country: "JP").currency == nil)
  }
}
