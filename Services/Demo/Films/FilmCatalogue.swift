import Calendars

/// Every film of the demo world.
///
/// Old films are facts: titles, years, lengths, who made them. The others are made up from their first letter to their
/// last, so that nobody takes this programme for a real one.
nonisolated package enum FilmCatalogue {
  package static let films: [DemoFilm] = classics + invented

  package static func film(_ code: String) -> DemoFilm? { films.first { $0.code == code } }

  /// Every film goes round: for some weeks it is shown, and then nowhere until it comes back. So on any day one is shown
  /// for the last time, as far as anybody has published, and others are announced.
  static func isRunning(_ film: DemoFilm, on date: CivilDate) -> Bool {
    guard let place = places[film.code] else { return false }
    let day = (date.daysSince1970 + place * turn) % films.count
    return day >= Programme.daysAhead - 1
  }

  private static let places = Dictionary(uniqueKeysWithValues: films.enumerated().map { ($1.code, $0) })
  /// Days between the runs of neighbours: old films do not all go at once. It and their count have no common divisor.
  private static let turn = 10

  private static let classics: [DemoFilm] = [
    DemoFilm(
      code: "900101", korean: "동경 이야기", english: "Tokyo Story", japanese: "東京物語", nation: "일본", rating: .all,
      released: "1953-11-03", genre: "드라마", minutes: 136, director: "오즈 야스지로", cast: "류 치슈, 히가시야마 치에코, 하라 세츠코",
      synopsis: "노부부가 자식들을 만나러 도쿄에 온다. 바쁜 자식들 대신 며느리가 두 사람을 맞는다."),
    DemoFilm(
      code: "900102", korean: "라쇼몽", english: "Rashomon", japanese: "羅生門", nation: "일본", rating: .fifteen,
      released: "1950-08-26", genre: "드라마", minutes: 88, director: "구로사와 아키라", cast: "미후네 토시로, 교 마치코, 시무라 다카시",
      synopsis: "숲에서 일어난 한 사건을 네 사람이 네 가지로 이야기한다."),
    DemoFilm(
      code: "900103", korean: "7인의 사무라이", english: "Seven Samurai", japanese: "七人の侍", nation: "일본",
      rating: .twelve,
      released: "1954-04-26", genre: "액션", minutes: 207, director: "구로사와 아키라", cast: "시무라 다카시, 미후네 토시로",
      synopsis: "도적 떼에게 시달리던 마을이 일곱 무사를 찾는다."),
    DemoFilm(
      code: "900104", korean: "우게츠 이야기", english: "Ugetsu", japanese: "雨月物語", nation: "일본", rating: .fifteen,
      released: "1953-03-26", genre: "판타지", minutes: 97, director: "미조구치 겐지", cast: "교 마치코, 다나카 기누요",
      synopsis: "전란 속에서 도자기를 팔러 떠난 남자가 낯선 저택에 머문다."),
    DemoFilm(
      code: "900105", korean: "하녀", english: "The Housemaid", japanese: nil, nation: "한국", rating: .adults,
      released: "1960-11-03", genre: "스릴러", minutes: 111, director: "김기영", cast: "김진규, 주증녀, 이은심",
      synopsis: "새 집으로 이사한 가족이 하녀를 들이면서 집안이 무너진다."),
    DemoFilm(
      code: "900106", korean: "오발탄", english: "Aimless Bullet", japanese: nil, nation: "한국", rating: .fifteen,
      released: "1961-04-13", genre: "드라마", minutes: 110, director: "유현목", cast: "김진규, 최무룡, 문정숙",
      synopsis: "전쟁이 끝난 서울, 한 집안의 가장이 갈 곳을 잃는다."),
    DemoFilm(
      code: "900107", korean: "메트로폴리스", english: "Metropolis", japanese: nil, nation: "독일", rating: .all,
      released: "1927-01-10", genre: "SF", minutes: 153, director: "프리츠 랑", cast: "브리기테 헬름, 알프레드 아벨",
      synopsis: "땅 위의 도시와 땅 아래의 도시 사이에 한 사람이 선다."),
    DemoFilm(
      code: "900108", korean: "노스페라투", english: "Nosferatu", japanese: nil, nation: "독일", rating: .twelve,
      released: "1922-03-04", genre: "공포", minutes: 94, director: "F. W. 무르나우", cast: "막스 슈렉, 그레타 슈뢰더",
      synopsis: "젊은 중개인이 먼 성의 백작을 찾아간다."),
    DemoFilm(
      code: "900109", korean: "카메라를 든 사나이", english: "Man with a Movie Camera", japanese: nil, nation: "소련",
      rating: .all,
      released: "1929-01-08", genre: "다큐멘터리", minutes: 68, director: "지가 베르토프", cast: "미하일 카우프만",
      synopsis: "도시의 하루를 카메라가 좇는다."),
    DemoFilm(
      code: "900110", korean: "셜록 주니어", english: "Sherlock Jr.", japanese: nil, nation: "미국", rating: .all,
      released: "1924-04-21", genre: "코미디", minutes: 45, director: "버스터 키튼", cast: "버스터 키튼, 캐스린 맥과이어",
      synopsis: "영사기사가 꿈속에서 스크린 안으로 걸어 들어간다."),
    DemoFilm(
      code: "900111", korean: "잔 다르크의 수난", english: "The Passion of Joan of Arc", japanese: nil, nation: "프랑스",
      rating: .twelve,
      released: "1928-04-21", genre: "드라마", minutes: 82, director: "칼 테오도르 드레이어", cast: "르네 팔코네티",
      synopsis: "재판정에 선 한 얼굴."),
    DemoFilm(
      code: "900112", korean: "게임의 규칙", english: "The Rules of the Game", japanese: nil, nation: "프랑스",
      rating: .twelve,
      released: "1939-07-08", genre: "코미디", minutes: 106, director: "장 르누아르", cast: "마르셀 달리오, 노라 그레고르",
      synopsis: "시골 저택의 주말, 모두에게는 이유가 있다."),
  ]

  private static let invented: [DemoFilm] = [
    DemoFilm(
      code: "900201", korean: "첫눈의 극장", english: "The First Snow Cinema", japanese: nil, nation: "한국",
      rating: .all,
      released: "2026-10-14", genre: "드라마", minutes: 118, director: "한서윤", cast: "도이람, 백하진",
      synopsis: "문을 닫기로 한 극장에 첫눈이 내리고, 마지막 손님이 오지 않는다."),
    DemoFilm(
      code: "900202", korean: "소금의 시간", english: "Salt Hours", japanese: nil, nation: "한국", rating: .twelve,
      released: "2026-09-30", genre: "드라마", minutes: 104, director: "표은재", cast: "나루미, 차원형",
      synopsis: "염전을 물려받은 남매가 바닷물이 마르기를 기다린다."),
    DemoFilm(
      code: "900203", korean: "골목의 끝", english: "Where the Alley Ends", japanese: nil, nation: "한국", rating: .all,
      released: "2025-12-03", genre: "다큐멘터리", minutes: 97, director: "마지호", cast: "골목의 사람들",
      synopsis: "사라질 골목을 십 년 동안 찍은 기록."),
    DemoFilm(
      code: "900204", korean: "달밤", english: "Moonlit", japanese: nil, nation: "한국", rating: .fifteen,
      released: "2026-11-04", genre: "스릴러", minutes: 89, director: "구다온", cast: "심아로, 온유겸",
      synopsis: "보름마다 한 사람이 마을을 떠난다. 이번에는 아무도 떠나지 않았다."),
    DemoFilm(
      code: "900205", korean: "마지막 필름통", english: "The Last Reel", japanese: nil, nation: "한국", rating: .twelve,
      released: "2026-11-11", genre: "미스터리", minutes: 126, director: "여해린", cast: "진솔메, 반도혁",
      synopsis: "필름통 하나가 비어 돌아왔다. 영사기사는 그 밤의 상영을 되짚는다."),
    DemoFilm(
      code: "900206", korean: "서쪽 바다의 편지", english: "Letters from the West Sea", japanese: nil, nation: "한국",
      rating: .all,
      released: "2025-11-19", genre: "멜로", minutes: 133, director: "탁윤슬", cast: "하로운, 이보람별",
      synopsis: "등대로 잘못 배달된 편지가 답장을 만든다."),
    DemoFilm(
      code: "900207", korean: "사과 & 안테나", english: "Apples & Antennas", japanese: nil, nation: "한국", rating: .all,
      released: "2026-08-26", genre: "코미디", minutes: 91, director: "우가온", cast: "맹달, 소리현",
      synopsis: "과수원에 떨어진 안테나 하나가 <온 동네>의 저녁을 바꾼다."),
    DemoFilm(
      code: "900301", korean: "밤의 도서관", english: "The Night Library", japanese: "夜の図書館", nation: "일본",
      rating: .all,
      released: "2026-10-28", genre: "드라마", minutes: 112, director: "하네다 미오", cast: "쿠보 렌, 시라이 츠키",
      synopsis: "밤에만 여는 도서관에서 반납일이 지난 책을 찾는 두 사람."),
    DemoFilm(
      code: "900302", korean: "고래의 정원", english: "The Whale Garden", japanese: "鯨の庭", nation: "일본", rating: .all,
      released: "2025-12-24", genre: "애니메이션", minutes: 99, director: "오노데라 유즈", cast: "목소리: 사와 나기",
      synopsis: "바다가 없는 마을에서 고래를 기르는 아이."),
    DemoFilm(
      code: "900303", korean: "막차가 떠난 뒤", english: "After the Last Train", japanese: "終電のあとで", nation: "일본",
      rating: .twelve,
      released: "2026-11-18", genre: "멜로", minutes: 107, director: "카지와라 소", cast: "타치바나 아오, 미나토 케이",
      synopsis: "막차를 놓친 네 사람이 첫차까지 걷는다."),
    DemoFilm(
      code: "900304", korean: "겨울 수영장", english: "Winter Pool", japanese: "冬のプール", nation: "일본",
      rating: .fifteen,
      released: "2026-09-09", genre: "드라마", minutes: 94, director: "이소베 하루", cast: "모리나가 리오",
      synopsis: "물을 뺀 수영장에 열세 살의 비밀이 모인다."),
    DemoFilm(
      code: "900401", korean: "조용한 과수원", english: "A Quiet Orchard", japanese: nil, nation: "영국", rating: .twelve,
      released: "2026-10-07", genre: "드라마", minutes: 101, director: "Imogen Hartwell",
      cast: "Callum Reyes, Dot Ferriby",
      synopsis: "세 자매가 아버지의 과수원을 팔기 전에 마지막 가을을 보낸다."),
    DemoFilm(
      code: "900402", korean: "종이등, 유리비", english: "Paper Lanterns, Glass Rain", japanese: nil, nation: "프랑스",
      rating: .fifteen,
      released: "2025-11-26", genre: "드라마", minutes: 115, director: "Odile Marchetal", cast: "Noé Vasseur, Lin Aubray",
      synopsis: "축제의 밤, 유리 공장의 마지막 교대."),
    DemoFilm(
      code: "900403", korean: "지도 제작자의 딸", english: "The Cartographer’s Daughter", japanese: nil, nation: "아일랜드",
      rating: .all,
      released: "2026-11-20", genre: "모험", minutes: 122, director: "Aoife Brennock",
      cast: "Saoirse Dunleavy, Tom Okafor",
      synopsis: "지도에 없는 섬을 그린 사람이 아버지였다."),
    DemoFilm(
      code: "900404", korean: "썰물 라디오", english: "Low Tide Radio", japanese: nil, nation: "영국", rating: .all,
      released: "2026-08-12", genre: "다큐멘터리", minutes: 86, director: "Priya Lockwood", cast: "섬의 목소리들",
      synopsis: "하루 두 번, 물이 빠질 때만 들리는 방송국."),
  ]
}
