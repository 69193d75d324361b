/// A station of the demo world: who it is, what it plays, and by which way its stream is found.
nonisolated struct DemoStation: Sendable {
  var id: String
  var name: String
  var nameEnglish: String
  var section: String
  var tags: [String]
  var language: String
  var way: Way
  var melodies: [Melody]
  /// What its programme lists, an hour each, in turn. None: it publishes no programme.
  var broadcasts: [String] = []

  /// What its address leads to: each of the ways that real stations have.
  enum Way: String, Sendable {
    /// The stream itself.
    case direct
    /// A playlist whose first file is not on its second line.
    case pls
    /// A list with a relative address.
    case m3u
    /// A broadcaster's JSON.
    case json
    /// A redirect to an XML playlist.
    case xspf
    /// Nothing: it has gone off the air.
    case gone
  }

  /// Where its address leads, below the demo's own.
  var path: String {
    switch way {
    case .direct: "/radio/\(id).wav"
    case .gone: "/radio/\(id).mp3"
    case .xspf: "/radio/\(id)"
    case .pls, .m3u, .json: "/radio/\(id).\(way.rawValue)"
    }
  }

  static let all = [
    DemoStation(
      id: "demo-lantern", name: "등불 라디오", nameEnglish: "Lantern Radio", section: "film", tags: ["영화", "음악"],
      language: "ko", way: .pls, melodies: [.odeToJoy, .gymnopedie],
      broadcasts: ["등불 아래 한 시간", "상영 전 음악"]),
    DemoStation(
      id: "demo-projector", name: "Projector FM", nameEnglish: "Projector FM", section: "film",
      tags: ["film", "classical"],
      language: "en", way: .xspf, melodies: [.prelude], broadcasts: ["The Reel Hour", "Between Features"]),
    DemoStation(
      id: "demo-harbour", name: "항구 방송", nameEnglish: "Harbour Radio", section: "regional", tags: ["부산", "지역방송"],
      language: "ko", way: .m3u, melodies: [.arirang]),
    DemoStation(
      id: "demo-moonlight", name: "달빛 음악", nameEnglish: "Moonlight Music", section: "music", tags: ["음악", "클래식"],
      language: "ko", way: .direct, melodies: [.gymnopedie, .prelude]),
    DemoStation(
      id: "demo-sakura", name: "さくらラジオ", nameEnglish: "Sakura Radio", section: "music", tags: ["音楽", "外国語"],
      language: "ja", way: .json, melodies: [.sakura], broadcasts: ["さくらの時間", "夜の調べ"]),
    DemoStation(
      id: "demo-ghost", name: "유령 방송", nameEnglish: "Ghost Radio", section: "special", tags: ["특별방송"], language: "ko",
      way: .gone, melodies: []),
  ]
}
