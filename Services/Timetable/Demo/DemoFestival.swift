import Calendars
import Clocks
import Contracts
import Festivals

/// An invented festival of three days around a date: yesterday, today and tomorrow. All of it is made up, to try the
/// software with: one session in two rooms, an overlap, a film after midnight, somebody in two places. Names are in both
/// letters, as such festivals print them: a reader of either finds the way.
nonisolated enum DemoFestival {
  static let id = FestivalID("odi-demo-fest")!
  static let zone = ZoneName("Asia/Seoul")!

  static func programme(around today: CivilDate, in zone: TimeZoneRules) -> FestivalProgramme {
    let days = (-1...1).map { today + $0 }
    var festival = Festival(
      id: id, name: "오디 데모 영화제", subtitle: "Odi Demo Film Festival",
      summary: "지어낸 영화제입니다. An invented festival, to try the software with.", venue: "오디 아트홀 Odi Art Hall",
      city: "서울",
      address: "서울특별시 종로구 가상로 1", zone: Self.zone, startsOn: days[0], endsOn: days[2], slotMinutes: 5,
      days: days.map { FestivalDay(date: $0) }, rooms: rooms, tracks: tracks, sponsors: sponsors, isDemo: true)
    festival.position = try? Coordinate(latitude: 37.5716, longitude: 126.9768)
    var sessions: [FestivalSession] = []
    for (place, entry) in entries.enumerated() {
      let day = days[entry.day]
      let start = zone.instant(of: ServiceTime(day, DisplayTime(entry.start)!))
      var session = FestivalSession(
        id: SessionID("demo-\(place + 101)")!, code: "\(place + 101)", title: entry.title, subtitle: entry.english,
        day: day, startsAt: start, endsAt: WallTime(milliseconds: start.milliseconds + Int64(entry.minutes) * 60_000),
        rooms: entry.rooms.map { rooms[$0].id }, track: tracks[entry.track].id,
        speakers: entry.guests.map { FestivalSpeaker(name: $0) }, kind: entry.track == 3 ? "talk" : "screening",
        language: "ko", flags: entry.guests.isEmpty || entry.track == 3 ? [] : ["gv"])
      if entry.track == 3 { session.level = "누구나 Everyone" }
      if place == 0 { session.abstract = abstract }
      session.isSoldOut = entry.start == "19:30" && entry.day == 1
      sessions.append(session)
    }
    sessions.sort { ($0.startsAt, $0.id) < ($1.startsAt, $1.id) }
    return FestivalProgramme(festival: festival, sessions: sessions)
  }

  private static let rooms = [
    FestivalRoom(id: RoomID("hall-1")!, name: "1관 Hall 1", floor: "2F", capacity: 180),
    FestivalRoom(id: RoomID("hall-2")!, name: "2관 Hall 2", floor: "2F", capacity: 90),
    FestivalRoom(id: RoomID("hall-3")!, name: "3관 Hall 3", floor: "3F", capacity: 60),
    FestivalRoom(id: RoomID("garden")!, name: "야외 상영장 Garden", floor: "1F", capacity: 300),
  ]

  private static let tracks = [
    FestivalTrack(id: TrackID("competition")!, name: "경쟁 부문 Competition", color: "#b3261e"),
    FestivalTrack(id: TrackID("panorama")!, name: "파노라마 Panorama", color: "#1f5fa8"),
    FestivalTrack(id: TrackID("classics")!, name: "다시 보기 Classics", color: "#6b5a00"),
    FestivalTrack(id: TrackID("talks")!, name: "대담 Talks", color: "#2e6b3a"),
  ]

  private static let sponsors = [
    FestivalSponsor(name: "가상은행 Imaginary Bank", tier: "tier-1"),
    FestivalSponsor(name: "없는커피 No Such Coffee", tier: "tier-2"),
    FestivalSponsor(name: "종이배 출판사 Paper Boat Books", tier: "tier-2"),
  ]

  /// As festivals write them.
  private static let abstract = """
    ## 첫 상영 First screening

    호숫가 우체국의 **마지막 하루**. The *last day* of a post office on a lake: [about it](https://waterlight.example/).

    - 상영 뒤 편지 쓰기
    - A letter to take home
    """

  private struct Entry {
    let day: Int
    let start: String
    let minutes: Int
    let rooms: [Int]
    let track: Int
    let title: String
    let english: String
    let guests: [String]

    init(
      _ day: Int, _ start: String, _ minutes: Int, _ rooms: [Int], _ track: Int, _ title: String, _ english: String,
      _ guests: String...
    ) {
      self.day = day
      self.start = start
      self.minutes = minutes
      self.rooms = rooms
      self.track = track
      self.title = title
      self.english = english
      self.guests = guests
    }
  }

  private static let entries: [Entry] = [
    Entry(0, "10:30", 98, [0], 0, "물빛 우체국", "The Waterlight Post Office"),
    Entry(0, "11:00", 84, [1], 1, "겨울의 열쇠공", "The Locksmith of Winter"),
    Entry(0, "13:30", 121, [0], 1, "두 번째 바다", "The Second Sea"),
    Entry(0, "14:00", 75, [2], 2, "골목의 소리 (복원판)", "Sounds of an Alley (restored)"),
    Entry(0, "16:30", 60, [2], 3, "작은 극장이 사는 법", "How Small Cinemas Live", "한가람 Han Ga-ram", "오미래 Oh Mi-rae"),
    Entry(0, "19:00", 110, [0, 3], 0, "개막작: 종이 고래", "Opening Film: Paper Whale", "윤서리 Yoon Seo-ri"),
    Entry(0, "24:10", 92, [1], 1, "심야: 붉은 계단", "Midnight: The Red Stairs"),
    Entry(1, "10:00", 107, [0], 0, "느린 기차의 시간표", "Timetable of a Slow Train", "도하람 Do Ha-ram"),
    Entry(1, "10:20", 95, [1], 1, "사라진 간판들", "Vanished Signboards"),
    Entry(1, "10:40", 68, [2], 2, "흑백의 오후 (복원판)", "Afternoon in Black and White (restored)"),
    Entry(1, "13:00", 132, [0], 1, "섬의 번역가", "The Island Translator"),
    Entry(1, "13:15", 88, [1], 0, "유리 온실", "The Glasshouse", "민다솔 Min Da-sol"),
    Entry(1, "14:00", 50, [2], 3, "자막을 쓰는 사람들", "People Who Write Subtitles", "한가람 Han Ga-ram", "민다솔 Min Da-sol"),
    Entry(1, "16:00", 79, [1], 0, "편지는 늦게 온다", "Letters Come Late"),
    Entry(1, "16:10", 101, [0], 1, "밤의 도서관", "The Library at Night"),
    Entry(1, "19:30", 118, [0], 0, "마지막 상영", "The Last Screening", "도하람 Do Ha-ram"),
    Entry(1, "19:50", 90, [1], 2, "안개 부두 (복원판)", "Fog Pier (restored)"),
    Entry(1, "20:00", 85, [3], 1, "별을 고치는 가게", "The Star Repair Shop"),
    Entry(1, "24:30", 96, [0], 1, "심야: 거울 속의 역", "Midnight: The Station in the Mirror"),
    Entry(2, "10:30", 90, [1], 0, "고양이 건축가", "The Cat Architect"),
    Entry(2, "11:00", 104, [0], 1, "모래 위의 학교", "A School on Sand"),
    Entry(2, "13:30", 45, [2], 3, "심사위원과의 대화", "Meet the Jury", "윤서리 Yoon Seo-ri", "오미래 Oh Mi-rae"),
    Entry(2, "14:00", 97, [0], 2, "빗속의 전차 (복원판)", "Tram in the Rain (restored)"),
    Entry(2, "15:20", 83, [1], 1, "파란 지붕", "Blue Roof"),
    Entry(2, "15:50", 71, [1], 0, "겹치는 상영의 예", "An Overlap, as an Example"),
    Entry(2, "18:30", 125, [0, 3], 0, "폐막작: 돌아오는 길", "Closing Film: The Way Back", "윤서리 Yoon Seo-ri"),
  ]

  /// Floors as simple drawings, so that rooms can be found.
  static let floors: [(floor: FestivalFloor, svg: String)] = [
    (
      FestivalFloor(id: FloorID("1f")!, name: "1F"),
      drawing([
        ("garden", "야외 상영장 Garden", 20, 20, 360, 120), (nil, "매표소 Tickets", 20, 160, 120, 80),
        (nil, "입구 Entrance", 160, 160, 220, 80),
      ])
    ),
    (
      FestivalFloor(id: FloorID("2f")!, name: "2F"),
      drawing([
        ("hall-1", "1관 Hall 1", 20, 20, 220, 220), ("hall-2", "2관 Hall 2", 260, 20, 120, 130),
        (nil, "계단 Stairs", 260, 170, 120, 70),
      ])
    ),
    (
      FestivalFloor(id: FloorID("3f")!, name: "3F"),
      drawing([
        ("hall-3", "3관 Hall 3", 20, 20, 180, 140), (nil, "카페 Café", 220, 20, 160, 220),
        (nil, "계단 Stairs", 20, 180, 180, 60),
      ])
    ),
  ]

  private static func drawing(
    _ places: [(room: String?, name: String, x: Int, y: Int, width: Int, height: Int)]
  ) -> String {
    var svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 400 260\">"
    for place in places {
      let mark = place.room.map { " data-room=\"\($0)\"" } ?? ""
      let fill = place.room == nil ? "#e4e1dc" : "#cfe0f2"
      svg +=
        "<g\(mark)><rect x=\"\(place.x)\" y=\"\(place.y)\" width=\"\(place.width)\" height=\"\(place.height)\" rx=\"6\""
      svg +=
        " fill=\"\(fill)\" stroke=\"#3b3a37\"/><text x=\"\(place.x + place.width / 2)\" y=\"\(place.y + place.height / 2)\""
      svg +=
        " font-size=\"16\" text-anchor=\"middle\" dominant-baseline=\"middle\" fill=\"#1c1b1a\">\(place.name)</text></g>"
    }
    return svg + "</svg>"
  }
}
