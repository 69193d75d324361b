import Contracts

/// What the things that a restaurant may have are called in the reader's language.
nonisolated enum DiningFeature {
  static func listed(_ code: CodedName, in language: Language?) -> CodedName {
    guard let feature = RestaurantFeature(rawValue: code.code) else { return code }
    return CodedName(code: code.code, name: (language ?? .en).of(names(of: feature)))
  }

  private static func names(of feature: RestaurantFeature) -> (ko: String, ja: String, en: String) {
    switch feature {
    case .wifi: ("와이파이", "Wi-Fi", "Wi-Fi")
    case .wedding: ("피로연", "ウエディング・二次会", "Wedding parties")
    case .course: ("코스 요리", "コース", "Set courses")
    case .freeDrink: ("음료 무제한", "飲み放題", "All you can drink")
    case .freeFood: ("무한 리필", "食べ放題", "All you can eat")
    case .privateRoom: ("개별실", "個室", "Private rooms")
    case .horigotatsu: ("호리고타쓰", "掘りごたつ", "Sunken seating")
    case .tatami: ("좌식", "座敷", "Seats on the floor")
    case .cocktail: ("칵테일", "カクテル充実", "Cocktails")
    case .shochu: ("소주", "焼酎充実", "Shochu")
    case .sake: ("사케", "日本酒充実", "Sake")
    case .wine: ("와인", "ワイン充実", "Wine")
    case .card: ("카드 결제", "カード可", "Cards accepted")
    case .nonSmoking: ("금연", "禁煙", "Non-smoking")
    case .charter: ("전체 대관", "貸切可", "Private hire")
    case .mobilePhone: ("휴대전화 통화", "携帯電話OK", "Mobile phones work")
    case .parking: ("주차", "駐車場", "Parking")
    case .barrierFree: ("무장애", "バリアフリー", "Step-free access")
    case .sommelier: ("소믈리에", "ソムリエ", "Sommelier")
    case .nightView: ("야경", "夜景がきれい", "Night view")
    case .openAir: ("야외석", "オープンエア", "Open air")
    case .show: ("공연", "ライブ・ショー", "Shows")
    case .equipment: ("오락 시설", "エンタメ設備", "Entertainment")
    case .karaoke: ("노래방", "カラオケ", "Karaoke")
    case .band: ("밴드 연주", "バンド演奏可", "Bands may play")
    case .tv: ("TV·스크린", "TV・プロジェクター", "TV or screen")
    case .lunch: ("점심", "ランチ", "Lunch")
    case .midnight: ("23시 이후 영업", "23時以降も営業", "Open after 11 pm")
    case .midnightMeal: ("23시 이후 식사", "23時以降食事OK", "Meals after 11 pm")
    case .english: ("영어 메뉴", "英語メニュー", "English menu")
    case .pet: ("반려동물 동반", "ペット可", "Pets welcome")
    case .child: ("아이 동반", "お子様連れ歓迎", "Children welcome")
    case .phoneCoupon: ("휴대전화 쿠폰", "携帯クーポン", "Coupons by phone")
    }
  }
}
