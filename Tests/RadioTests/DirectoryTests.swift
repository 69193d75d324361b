import Atlas
import Clocks
import Contracts
import Drafts
import EventLoops
import Fetch
import Radio
import Testing

/// Stations as values: drafts, rights, order, and what is wrong with lists.
@Suite("Directory of stations")
struct DirectoryTests {
  private let now = WallTime(milliseconds: 1_795_000_000_000)

  private func draft(_ fields: [StationField: String]) -> StationDraft {
    var draft = StationDraft("line 7")
    draft[.id] = "a"
    draft[.name] = "A"
    draft[.address] = "http://a.example/"
    for (field, text) in fields { draft[field] = text }
    return draft
  }

  private func record(_ id: String, _ fields: [StationField: String] = [:]) throws -> StationRecord {
    try draft([.id: id, .name: id, .address: "http://\(id).example/"].merging(fields) { $1 }).record()
  }

  private let leave: [StationField: String] = [.owner: "X", .licence: "letter", .use: "play"]

  @Test("without rights, with ended ones, or inactive, a station is nobody's but the operators'")
  func hidden() throws {
    #expect(try record("a").use(at: now) == nil)
    #expect(try record("a").hiddenBecause(at: now) == "nobody has allowed it")
    let open = try record("a", leave)
    #expect(open.use(at: now) == .play && open.hiddenBecause(at: now) == nil)
    let until = try record("a", leave.merging([.until: "2026-11-18"]) { $1 })
    #expect(until.use(at: WallTime(milliseconds: 1_795_046_399_000)) == .play, "it lasts to the end of the day")
    #expect(until.use(at: WallTime(milliseconds: 1_795_046_400_000)) == nil)
    #expect(until.hiddenBecause(at: WallTime(milliseconds: 1_796_000_000_000)) == "its rights have ended")
    #expect(try record("a", leave.merging([.active: "0"]) { $1 }).use(at: now) == nil)
    let directory = StationDirectory([try record("a"), try record("b", leave)], revision: 1)
    #expect(directory.list(ListStations(), at: now).flatMap(\.stations).map(\.id.text) == ["b"])
    #expect(directory[StationID("a")!] != nil)
  }

  @Test("half a record of rights is refused, with all else that is wrong")
  func problems() throws {
    let wrong = draft([.owner: "X", .use: "steal", .address: "ftp://a", .language: "koreanisch", .id: "not an id"])
    #expect(throws: DraftProblems.self) { try wrong.record() }
    do {
      _ = try wrong.record()
    } catch {
      #expect(error.problems.count == 5, "\(error.problems)")
      #expect(error.line.contains("rights_licence is missing") && error.line.contains("write link, play or relay"))
    }
  }

  @Test("sections come in their fixed order, unknown ones last, and none makes the list fail")
  func sections() throws {
    let records = try [("z", "polka"), ("t", "교통방송"), ("n", "national"), ("o", ""), ("m", "BBC")].map { id, section in
      try record(id, leave.merging([.section: section]) { $1 })
    }
    let list = StationDirectory(records, revision: 1).list(ListStations(), at: now)
    #expect(list.map(\.id) == ["national", "bbc", "traffic", "other", "polka"])
    #expect(list[2].name == "교통방송" && list[4].name == "polka")
    let only = StationDirectory(records, revision: 1).list(ListStations(section: "지상파"), at: now)
    #expect(only.map(\.id) == ["national"])
  }

  @Test("stations are found by a part of a name, by initials and by tag, in any language")
  func search() throws {
    let records = try [
      record("gugak", leave.merging([.name: "국악방송 FM", .tags: "음악|국악"]) { $1 }),
      record("fred", leave.merging([.name: "FRED KOREAN", .tags: "영화"]) { $1 }),
    ]
    let directory = StationDirectory(records, revision: 1)
    for (text, id) in [
      ("국악", "gugak"), ("ㄱㅇㅂㅅ", "gugak"), ("fred", "fred"), ("영화", "fred"), ("映画", "fred"),
      ("music", "gugak"),
    ] {
      #expect(directory.list(ListStations(text: text), at: now).first?.stations.first?.id.text == id, "\(text)")
    }
    #expect(directory.list(ListStations(text: "없는방송국"), at: now).isEmpty)
  }

  @Test("the built-in list is whole, has rights to nothing, and its known faults are found")
  func builtIn() throws {
    let records = try StationTable.read(Atlas.stations.bytes, named: "stations.csv").records()
    #expect(records.count == 129 && Set(records.map(\.id)).count == 129)
    #expect(records.allSatisfy { $0.use(at: now) == nil })
    let directory = StationDirectory(records, revision: 1)
    #expect(Dictionary(grouping: directory.records) { $0.station.section }.count == 13)
    #expect(directory.list(ListStations(), at: now).isEmpty)
    let findings = Lint.findings(in: records.map { Lint.Entry($0.id.text, $0) }, at: now)
    func places(_ rule: String) -> [String] { findings.filter { $0.rule == rule }.map(\.place) }
    #expect(places("shared-address") == ["fred-korean"], "UBC has FRED KOREAN's stream")
    #expect(places("repeated-name") == ["gwangju-cbs-standard-fm-2", "mokpo-febc-fm-2"])
    #expect(places("one-listeners-own").count == 20)
    #expect(places("page") == ["radio-seoul-fm"])
    #expect(findings.allSatisfy { !["repeated-id", "unknown-section", "unreadable"].contains($0.rule) })
  }

  @Test("what was written as CSV or JSON reads back the same")
  func roundTrip() throws {
    let records = [
      try record("a", leave.merging([.tags: "x|y", .until: "2027-01-31", .section: "music", .demo: "1"]) { $1 }),
      try record("b", [.nameEnglish: "B, the \"second\"", .active: "0", .language: "ko"]),
    ]
    #expect(try StationTable.read(Array(StationTable.write(records).utf8), named: "x").records() == records)
    #expect(try StationJSON.read(Array(StationJSON.write(records).utf8), named: "x").records() == records)
    // Programs of Windows put a mark before it.
    let marked = Array("\u{FEFF}\(StationJSON.write(records))".utf8)
    #expect(try StationFormat(of: marked, named: "x").read(marked, named: "x").records() == records)
  }

  @Test("the older app's list is read, and so are OPML and players' lists")
  func foreign() throws {
    let old = #"""
      {"stationList":[{"section":"지상파","title":"KBS 1라디오","subTitle":"뉴스, 시사","stationType":1,"imageURL":"x",
      "streamURL":"http://a.example/a.pls","detail":""}]}
      """#
    let first = try StationFormat(of: Array(old.utf8), named: "list").read(Array(old.utf8), named: "list").records()
    #expect(first[0].station.section == "national" && first[0].station.tags == ["뉴스", "시사"])
    #expect(first[0].address == "http://a.example/a.pls" && first[0].id.text.hasPrefix("kbs-1-"))
    let opml =
      #"<?xml version="1.0"?><opml><body><outline text="Jazz 24" URL="http://j.example/?a=1&amp;b=2"/></body></opml>"#
    let second = try StationFormat(of: Array(opml.utf8), named: "x.opml").read(Array(opml.utf8), named: "x").records()
    #expect(second[0].id.text == "jazz-24" && second[0].address == "http://j.example/?a=1&b=2")
    let pls = "[playlist]\nFile1=http://p.example/s\nTitle1=Night FM\n"
    let third = try StationFormat(of: Array(pls.utf8), named: "x.pls").read(Array(pls.utf8), named: "x").records()
    #expect(third[0].id.text == "night-fm")
  }

  private func read(_ text: String, named name: String = "list") throws -> StationReading {
    try StationFormat(of: Array(text.utf8), named: name).read(Array(text.utf8), named: name)
  }

  @Test("stations of one name stay apart, also when the file is read again; one id twice is told")
  func sameNames() throws {
    let old = #"""
      {"stationList":[{"section":"CBS","title":"광주 CBS 표준FM","streamURL":"http://a.example/1"},
      {"section":"지역방송","title":"광주 CBS 표준FM","streamURL":"http://a.example/2"}]}
      """#
    let first = try read(old).records()
    #expect(Set(first.map(\.id)).count == 2 && first.map(\.address) == ["http://a.example/1", "http://a.example/2"])
    #expect(try read(old).records() == first)
    let list = "#EXTM3U\n#EXTINF:-1,Night\nhttp://a.example/\n#EXTINF:-1,Night\nhttp://b.example/\n"
    let ids = try read(list).records().map(\.id.text)
    #expect(ids[0] == "night" && ids[1].hasPrefix("night-"))
    // Another between them leaves the later ones what they were.
    let longer = "#EXTM3U\n#EXTINF:-1,Night\nhttp://a.example/\n#EXTINF:-1,Night\nhttp://c.example/\n"
    let three = try read(longer + "#EXTINF:-1,Night\nhttp://b.example/\n").records()
    #expect(three.first { $0.address == "http://b.example/" }?.id.text == ids[1])
    #expect(Set(three.map(\.id)).count == 3)
    let table = "id,name,address\na,A,http://a.example/\na,B,http://b.example/\n"
    let (records, problems) = try read(table).checked()
    #expect(records.map(\.station.name) == ["A"])
    #expect(problems.map(\.line) == ["list:3: a is the id of list:2 too; give it another"])
  }

  @Test("an address without a title keeps the name that its station was given")
  func untitled() throws {
    var reading = try read("#EXTM3U\nhttp://a.example/s\n", named: "a.m3u")
    let made = try reading.records()
    var named = try #require(made.first)
    #expect(named.station.name == "http://a.example/s")
    named.station.name = "Night"
    reading.complete(from: [named.id: named])
    let records = try reading.records()
    #expect(records == [named])
  }

  @Test("a player's list of any length is a directory, with its headings as sections; one stream is none")
  func longList() throws {
    let lines = (0..<3_000).map { number in
      "#EXTINF:-1 group-title=\"Jazz;Blues\",Station \(number)\nhttp://s\(number).example/\(String(repeating: "y", count: 90))\n"
    }
    let records = try read("#EXTM3U\n" + lines.joined()).records()
    #expect(records.count == 3_000 && Set(records.map(\.id)).count == 3_000)
    #expect(Set(records.map(\.station.section)) == ["jazz"])
    #expect { try self.read("#EXTM3U\n#EXT-X-TARGETDURATION:4\na.ts\n", named: "a.m3u8") } throws: {
      "\($0)".contains("the stream of one station")
    }
  }

  @Test("a player's list in what was usual in its country")
  func encodings() throws {
    let title: [UInt8] = [0xb1, 0xb9, 0xbe, 0xc7, 0xb9, 0xe6, 0xbc, 0xdb]
    let name: [UInt8] = [0xbf, 0xc0, 0xb4, 0xc3, 0xc0, 0xc7, 0x20, 0xb6, 0xf3, 0xb5, 0xf0, 0xbf, 0xc0]
    func list(_ title: [UInt8]) throws -> [String] {
      let bytes = Array("#EXTM3U\n#EXTINF:-1,".utf8) + title + Array("\nhttp://a.example/\n".utf8)
      return try StationPlaylist.read(bytes, named: "a.m3u").records().map(\.station.name)
    }
    #expect(try list(title + [0x20] + name) == ["국악방송 오늘의 라디오"])
    #expect(try list([0xdc, 0x6e, 0xef]) == ["Ünï"])
    let text = "\u{FEFF}#EXTM3U\n#EXTINF:-1,국악\nhttp://a.example/\n"
    let wide = text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    #expect(try StationPlaylist.read(wide, named: "a.m3u").records().map(\.station.name) == ["국악"])
  }

  @Test("a directory of the web in CSV is read: ids made of names, where addresses led to, languages by code")
  func webTable() throws {
    let table = """
      stationuuid,name,url,url_resolved,homepage,favicon,tags,countrycode,language,languagecodes,votes
      1,Night FM,http://a.example/l.m3u,http://a.example/live,https://a.example,,"jazz,late",DE,german,de,3
      2,Day FM,radio.example:8000/live,,,,,KR,한국어,,1
      """
    let reading = try StationTable.read(Array(table.utf8), named: "x.csv")
    let (records, problems) = reading.checked()
    #expect(records.map(\.id.text) == ["night-fm", "day-fm"] && problems.isEmpty, "\(problems)")
    #expect(records.map(\.address) == ["http://a.example/live", "http://radio.example:8000/live"])
    #expect(records.map(\.station.language) == ["de", "ko"] && records[0].station.tags == ["jazz", "late"])
    #expect(reading.remarks.first?.line.contains("favicon, countrycode, votes") == true)
  }

  @Test("a column that is called nearly as one of ours is refused with the one that was meant")
  func typing() {
    let error = #expect(throws: UnreadableFile.self) {
      try StationTable.read(Array("id,name,address,langage\n".utf8), named: "x.csv")
    }
    #expect(error?.description.contains("did you mean language?") == true)
  }

  @Test(
    "a list of stations is found under any name, and a station's first stream",
    arguments: [
      #"{"channels":[{"id":"slow","title":"Slow","genre":"soul|jazz","playlists":[{"url":"https://a.example/s.pls"}]}]}"#,
      #"{"data":[{"name":"Slow","genre":"soul|jazz","streams":[{"url":"https://a.example/s.pls","bitrate":64}]}]}"#,
      #"[{"name":"Slow","genre":"soul|jazz","streams":{"mp3":{"high":"https://a.example/s.pls"}}}]"#,
      #"[{"name":"Slow","genre":"soul|jazz","urls":["https://a.example/s.pls"]}]"#,
    ])
  func lists(text: String) throws {
    let (records, problems) = try StationJSON.read(Array(text.utf8), named: "x").checked()
    #expect(records.map(\.address) == ["https://a.example/s.pls"], "\(problems)")
    #expect(records.first?.id.text == "slow" && records.first?.station.tags == ["soul", "jazz"])
  }

  @Test(
    "an address under its own name stands before what else may be one, and of others the first that is there",
    arguments: [
      #"[{"name":"Slow","address":"https://a.example/s","link":"https://a.example/about"}]"#,
      #"[{"name":"Slow","link":"https://a.example/about","address":"https://a.example/s"}]"#,
      #"[{"name":"Slow","address":"","stream_url":"https://a.example/s","link":"https://a.example/about"}]"#,
    ])
  func ownNames(text: String) throws {
    let (records, problems) = try StationJSON.read(Array(text.utf8), named: "x").checked()
    #expect(records.map(\.address) == ["https://a.example/s"], "\(problems)")
  }

  @Test("a directory of the web in JSON is read by its codes of languages, and a link in OPML is no station")
  func directories() throws {
    let json = #"""
      [{"stationuuid":"960e57c5","name":"\tSWR3 ","url":"http://s.example/a.m3u","language":"german","languagecodes":"de,en"}]
      """#
    let records = try read(json).records()
    #expect(records.map(\.station.name) == ["SWR3"] && records.map(\.station.language) == ["de"])
    let opml = #"""
      <opml><body><outline type="audio" text="Jazz 24" URL="http://j.example/"/>
      <outline type="link" text="More" URL="http://j.example/more"/></body></opml>
      """#
    #expect(try read(opml).records().map(\.id.text) == ["jazz-24"])
  }

  @Test("OPML in sections is read whatever its attributes are called, and one that is broken says where")
  func outlines() throws {
    let opml = """
      <?xml version="1.0" encoding="UTF-8"?>
      <opml version="2.0"><head><title>Mine</title></head><body>
      <outline text="Jazz"><outline type="audio" text="Jazz 24" url="http://j.example/" htmlUrl="http://j.example/about"/>
      <outline TITLE="Night" XMLURL="http://n.example/"/></outline></body></opml>
      """
    let drafts = try StationOutline.read(Array(opml.utf8), named: "x").records()
    #expect(drafts.map(\.id.text) == ["jazz-24", "night"] && drafts[0].station.website == "http://j.example/about")
    let broken = opml.replacing("</outline></body>", with: "</body>")
    #expect { try StationOutline.read(Array(broken.utf8), named: "x") } throws: {
      "\($0)".contains("x is no OPML: line")
    }
  }

  @Test("what waits for one listener comes in small pieces, and shuts the valve at its bound")
  @MainActor
  func line() async throws {
    let line = AudioLine(bytesMax: 200_000, patience: .seconds(30), time: EventLoop.time)
    let sound = [UInt8](repeating: 7, count: 100_000)
    #expect(line.put(sound) && !line.valve.isShut && line.put(sound))
    #expect(line.valve.isShut && line.waiting.count == 200_000)
    var heard: [Int] = []
    while heard.reduce(0, +) < 200_000, let piece = try await line.take() { heard.append(piece.count) }
    #expect(heard.allSatisfy { $0 <= AudioLine.pieceBytes } && heard.reduce(0, +) == 200_000)
    #expect(!line.valve.isShut)
    line.end("it is over")
    #expect(!line.put([1]) && line.problem == "it is over")
  }
}
