import CSV
import Testing

@Suite("CSV reader")
struct CSVReaderTests {
  private func records(_ text: String, _ limits: CSVLimits = CSVLimits()) throws -> [[String]] {
    var reader = try CSVReader(text.utf8, limits: limits)
    var records: [[String]] = []
    while let record = try reader.next() { records.append(record.fields) }
    return records
  }

  @Test("fields are split at separators and records at any kind of line end")
  func plain() throws {
    #expect(try records("a,b\n1,2\n") == [["a", "b"], ["1", "2"]])
    #expect(try records("a,b\r\n1,2\r\n") == [["a", "b"], ["1", "2"]])
    #expect(try records("a,b\r1,2") == [["a", "b"], ["1", "2"]])
    #expect(try records("a,b\n\n\r\n1,\n,\n") == [["a", "b"], ["1", ""], ["", ""]])
    #expect(try records("").isEmpty)
  }

  @Test("quoted fields hold separators, line ends and quotes")
  func quoted() throws {
    #expect(try records("\"a,b\",\"c\r\nd\",\"e\"\"f\",\"\"") == [["a,b", "c\r\nd", "e\"f", ""]])
    #expect(try records("\"a\" ,b") == [["a", "b"]])
    // A combining mark after a separator or a quote does not hide it.
    #expect(try records("a,\u{301}b,\"\u{301}\"") == [["a", "\u{301}b", "\u{301}"]])
  }

  @Test("a quote inside a field that does not begin with one is taken as it is")
  func inch() throws {
    #expect(try records("19\" screen,b") == [["19\" screen", "b"]])
  }

  @Test("a byte-order mark is not part of the first field")
  func byteOrderMark() throws {
    #expect(try records("\u{feff}id,name\n") == [["id", "name"]])
  }

  @Test(
    "the separator is found from the first record",
    arguments: [
      ("a\tb,c\td\n1\t2\t3", ["a", "b,c", "d"]), ("a;b;c\n", ["a", "b", "c"]),
      ("\"a;b;c;d\",e\n1,2", ["a;b;c;d", "e"]), ("a\n", ["a"]), ("sep=;\na;b,c", ["a", "b,c"]),
    ])
  func separator(text: String, first: [String]) throws {
    #expect(try records(text).first == first)
  }

  @Test("an error names its line, and reading goes on behind it")
  func recovery() throws {
    var reader = try CSVReader("a,b\n\"x\ny\",1\n\"x\"y,2\nc,d\n".utf8)
    #expect(try reader.next()?.line == 1)
    #expect(try reader.next()?.line == 2)
    #expect(throws: CSVError(line: 4, "text follows a closing quote; write a quote inside quotes twice")) {
      try reader.next()
    }
    let last = try reader.next()
    #expect(last?.fields == ["c", "d"])
    #expect(last?.line == 5)
  }

  @Test("a quote that is never closed is told where it opens")
  func unclosed() {
    #expect(
      throws: CSVError(line: 2, "a quote is opened here and not closed; what follows was not read")
    ) { try records("a,b\n\"c,d\ne,f\n") }
    var limits = CSVLimits()
    limits.fieldBytes = 8
    #expect(throws: CSVError.self) { try records("a\n\"bcdefghijklmnop\"\n", limits) }
  }

  @Test("what is not UTF-8 is refused with what to do about it")
  func encodings() throws {
    for broken in [[0xff, 0xfe, 97], [0xff, 0xfe, 0x00, 0xd8], [0xfe, 0xff, 0xdc, 0x00, 0, 97]] as [[UInt8]] {
      #expect(throws: CSVError(line: 1, "the file begins as UTF-16 and is not; save it as CSV UTF-8")) {
        try CSVReader(broken)
      }
    }
    var reader = try CSVReader(Array("a\n".utf8) + [0xb1, 0xe2, 0x0a, 0x62])
    _ = try reader.next()
    #expect(throws: CSVError(line: 2, "not UTF-8; save the file as CSV UTF-8")) { try reader.next() }
    #expect(try reader.next()?.fields == ["b"])
  }

  @Test("what a spreadsheet saves as Unicode text is read: UTF-16 by its mark, with tabs", arguments: [true, false])
  func wide(isLittle: Bool) throws {
    let text = "\u{feff}id\tname\r\none\t\"씨네\n큐브\"\r\ntwo\t🎬\r\n"
    let bytes = text.utf16.flatMap { unit in
      let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xff))
      return isLittle ? [low, high] : [high, low]
    }
    var reader = try CSVReader(bytes)
    var read: [CSVRecord] = []
    while let record = try reader.next() { read.append(record) }
    #expect(read.map(\.fields) == [["id", "name"], ["one", "씨네\n큐브"], ["two", "🎬"]])
    #expect(read.map(\.line) == [1, 2, 4])
  }

  @Test("what is no table at all is told by how it begins, with what to do")
  func otherKinds() throws {
    for (bytes, words) in [
      ([0x1f, 0x8b, 8, 0], "gunzip"), ([0x50, 0x4b, 3, 4, 20], "save it as CSV UTF-8"),
      (Array("\n <!DOCTYPE html><html>".utf8), "a page of the web"), (Array("<?xml version='1.0'?>".utf8), "no table"),
    ] as [([UInt8], String)] {
      #expect { try CSVReader(bytes) } throws: { "\($0)".contains(words) }
    }
    var reader = try CSVReader(Array("<b>,c\n".utf8))
    #expect(try reader.next()?.fields == ["<b>", "c"])
  }

  @Test("sizes beyond the limits are refused")
  func limits() {
    var limits = CSVLimits()
    limits.fields = 2
    limits.records = 2
    #expect(throws: CSVError.self) { try records("a,b,c", limits) }
    #expect(throws: CSVError.self) { try records("a\nb\nc", limits) }
    limits.bytes = 3
    #expect(throws: CSVError.self) { try records("a,bc", limits) }
  }

  @Test("whatever the bytes are, reading ends")
  func noise() throws {
    let alphabet = Array("\"\",;\t\r\na\u{e9}=".utf8)
    var state: UInt64 = 1
    for _ in 0..<2_000 {
      let bytes = (0..<24).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return alphabet[Int(state >> 33) % alphabet.count]
      }
      var reader = try CSVReader(bytes)
      var turns = 0
      while turns < 100 {
        turns += 1
        do { if try reader.next() == nil { break } } catch {}
      }
      #expect(turns < 100)
    }
  }
}

@Suite("CSV table")
struct CSVTableTests {
  @Test("names are found without regard to case, blanks and hyphens, and by their aliases")
  func names() throws {
    var table = try CSVTable("ID,Name EN,Latitude\n emu ,Emu,37.5\n".utf8, aliases: ["latitude": "lat"])
    try table.check(known: ["id", "name_en", "lat"], required: ["id", "lat"])
    let row = try #require(try table.next())
    #expect(row["id"] == "emu")
    #expect(row["name_en"] == "Emu")
    #expect(try row.double("lat") == 37.5)
    #expect(row["website"] == nil)
  }

  @Test("a misspelt column is an error with a suggestion")
  func unknownColumn() throws {
    let table = try CSVTable("id,nmae\n".utf8)
    #expect(throws: CSVError(line: 1, "unknown column nmae; did you mean name?")) {
      try table.check(known: ["id", "name"])
    }
    #expect(throws: CSVError(line: 1, "there is no column name; is it nmae?")) {
      try table.check(known: ["id", "name"], required: ["name"])
    }
  }

  @Test("a column that nobody knows is told of or refused, as its reader wants")
  func foreignColumn() throws {
    let table = try CSVTable("id,Letterboxd URI,name,remarks\n".utf8)
    let others = try table.columns(otherThan: ["id", "name"], required: ["name"])
    #expect(others == ["letterboxd_uri", "remarks"])
    #expect(CSVTable.remark(onUnread: others) == "not taken: the columns letterboxd_uri, remarks")
    #expect(CSVTable.remark(onUnread: []) == nil)
    #expect(throws: CSVError(line: 1, "unknown column letterboxd_uri; known are id, name")) {
      try table.check(known: ["id", "name"])
    }
  }

  @Test("a column that is there twice is refused; one of another name gives way to the name itself")
  func twice() throws {
    #expect(throws: CSVError.self) { try CSVTable("id,name,ID\n".utf8) }
    #expect(throws: CSVError.self) { try CSVTable("latitude,Latitude\n".utf8, aliases: ["latitude": "lat"]) }
    let aliases = ["street": "address", "road": "address", "y": "lat"]
    #expect(try CSVTable("street,address\n".utf8, aliases: aliases).columns == ["street", "address"])
    #expect(try CSVTable("street,road\n".utf8, aliases: aliases).columns == ["address", "road"])
    #expect(try CSVTable("Y (WGS84)\n".utf8, aliases: aliases).columns == ["lat"], "in which system is no name")
    // What is called so stands before what only begins so.
    #expect(try CSVTable("Y (raw),Y\n".utf8, aliases: aliases).columns == ["y_(raw)", "lat"])
    let numbered = try CSVTable("lat,address1,note\n".utf8)
    #expect(try numbered.columns(otherThan: ["lat", "address"]) == ["address1", "note"], "no slip of the pen")
    #expect(try CSVTable("lat|lon\n1|2\n".utf8).columns == ["lat", "lon"])
  }

  @Test("empty fields at the end may be left out or added, others are too many")
  func raggedRows() throws {
    var table = try CSVTable("a,b\n1\n1,2,,\n1,2,3\n4,5\n".utf8)
    #expect(try table.next()?["b"] == nil)
    #expect(try table.next()?["b"] == "2")
    #expect(throws: CSVError.self) { try table.next() }
    #expect(try table.next()?["a"] == "4")
  }

  @Test("a value of the wrong kind is an error that shows it")
  func kinds() throws {
    var table = try CSVTable("lat,n,open\n\"37,5\",1.5,maybe\n1,2,Yes\n".utf8)
    let wrong = try #require(try table.next())
    #expect(throws: CSVError(line: 2, "lat is 37,5; write a number such as 37.5")) { try wrong.double("lat") }
    #expect(throws: CSVError.self) { try wrong.int("n") }
    #expect(throws: CSVError.self) { try wrong.bool("open") }
    #expect(throws: CSVError(line: 2, "name is empty")) { try wrong.required("name") }
    let right = try #require(try table.next())
    #expect(try right.int("n") == 2)
    #expect(try right.bool("open") == true)
  }
}

@Suite("CSV writer")
struct CSVWriterTests {
  @Test("what is written reads back the same, whatever the fields hold")
  func roundTrip() throws {
    let rows = [
      ["에무시네마", "a,b", "\"quoted\""], ["", " blank around ", "two\r\nlines"], ["=1+1", "tab\there", "\u{301}"],
      ["sep=;", "\u{feff}", ""],
    ]
    for separator in [",", ";", "\t"] as [Unicode.Scalar] {
      var writer = CSVWriter(["x", "y", "z"], separator: separator)
      for row in rows { writer.write(row) }
      var reader = try CSVReader(writer.bytes)
      #expect(try reader.next()?.fields == ["x", "y", "z"])
      for row in rows { #expect(try reader.next()?.fields == row) }
      #expect(try reader.next() == nil)
    }
  }

  @Test("only fields that need quotes have them")
  func quotes() {
    var writer = CSVWriter(["id", "name"], lineEnd: .internet)
    writer.write(["emu", "7 Leicester Place, London"])
    writer.write(["it's", nil])
    #expect(writer.text == "id,name\r\nemu,\"7 Leicester Place, London\"\r\nit's,\r\n")
  }

  @Test("a header that looks like a mark at the beginning of a file is a header")
  func marks() throws {
    for name in ["sep=;", "\u{feff}id"] {
      var reader = try CSVReader(CSVWriter([name]).bytes)
      #expect(try reader.next()?.fields == [name])
    }
  }

  @Test("a single empty field is not a blank line")
  func single() throws {
    var writer = CSVWriter(["note"])
    writer.write([""])
    var reader = try CSVReader(writer.bytes)
    _ = try reader.next()
    #expect(try reader.next()?.fields == [""])
  }
}
