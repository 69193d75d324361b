import EventLoops
import Glibc
import JSON
import Observability
import ServiceKit
import Supervisor
import Testing

@Suite("The suite's log")
@MainActor
struct LogTests {
  private let json =
    #"{"ts":"2026-11-20T05:02:31.123456Z","level":"warning","msg":"host paused","service":"scraper","pid":7,"#
    + #""host":"h","version":"1","site":"emu","after_ms":1.5,"why":"too many"}"#

  @Test("bytes become lines, wherever they are cut")
  func splitting() {
    let text = "first\n\nsecond line\nthird"
    for cut in 0...text.utf8.count {
      var splitter = LineSplitter()
      var lines: [String] = []
      for part in [text.utf8.prefix(cut), text.utf8.dropFirst(cut)] {
        Array(part).withUnsafeBytes { splitter.take($0) { lines.append(String(decoding: $0, as: UTF8.self)) } }
      }
      splitter.finish { lines.append(String(decoding: $0, as: UTF8.self)) }
      #expect(lines == ["first", "second line", "third"])
    }
  }

  @Test("an endless line is cut, and the next one is whole")
  func longLine() {
    var splitter = LineSplitter()
    var lines: [[UInt8]] = []
    for text in [[UInt8](repeating: 0x78, count: LineSplitter.bytesMax), Array("yz\nnext\n".utf8)] {
      text.withUnsafeBytes { splitter.take($0) { lines.append($0) } }
    }
    #expect(lines.map(\.count) == [LineSplitter.bytesMax, 4])
  }

  @Test("a line is shown with its time, its service, its level and its facts")
  func text() throws {
    let line = try #require(LogLine(Array(json.utf8)))
    #expect(line.level == .warning && line.service == "scraper")
    #expect(
      line.text(colour: false) == #"05:02:31.123 scraper   WARN  host paused  site=emu  after_ms=1.5  why="too many""#)
  }

  @Test("what a line says cannot move the cursor")
  func hostile() throws {
    let line = try #require(
      LogLine(Array(#"{"level":"info","msg":"a\u001b[2Jb","service":"s","x":"\u001b]0;t"}"#.utf8)))
    #expect(!line.text(colour: false).utf8.contains(0x1b))
  }

  @Test("what is no line of a log is kept as one, in the name of the service that said it")
  func lastWords() throws {
    let sink = RecordingSink()
    let log = SuiteLog(file: nil, style: .json, shown: .info, sink: sink)
    let output = log.output(of: .scraper)
    for text in [json + "\nFatal err", "or: index out of range\n", "no line end"] {
      Array(text.utf8).withUnsafeBytes { output($0) }
    }
    output(UnsafeRawBufferPointer(start: nil, count: 0))
    #expect(sink.lines.first == json)
    let others = try sink.lines.dropFirst().map { try JSONValue(parsing: $0) }
    #expect(others.map { $0["text"]?.string } == ["Fatal error: index out of range", "no line end"])
    #expect(others.allSatisfy { $0["service"] == "scraper" && $0["level"] == "warning" })
    #expect(log.lastWords(of: "scraper").last?.contains("no line end") == true)
  }

  @Test("only lines from the wanted level up are shown")
  func shown() {
    let sink = RecordingSink()
    let log = SuiteLog(file: nil, style: .text(colour: false), shown: .error, sink: sink)
    log.take(LogLine(Array(json.utf8))!)
    log.log(as: "odi").error("trouble")
    #expect(sink.lines.count == 1 && sink.lines[0].contains("odi       ERROR trouble"))
  }

  @Test("while the file cannot be opened again, lines are lost and older files are not")
  func cannotBeOpened() throws {
    let path = temporaryFolder() + "/odi.log"
    var limits = LogFile.Limits()
    limits.bytesMax = 100
    limits.older = 2
    var hasDescriptors = true
    let file = try LogFile(path, limits: limits) { hasDescriptors ? LogFile.open($0) : -1 }
    func write(_ letter: String) { file.write(Array(String(repeating: letter, count: 90).utf8)) }
    func first(_ path: String) -> String? {
      (try? contents(ofFile: path, bytesMax: 1_000)).map { String(decoding: $0.prefix(1), as: UTF8.self) }
    }
    for letter in ["a", "b", "c"] { write(letter) }
    hasDescriptors = false
    for letter in ["d", "e", "f", "g"] { write(letter) }
    #expect(first(LogFile.path(path, older: 1)) == "c" && first(LogFile.path(path, older: 2)) == "b")
    hasDescriptors = true
    write("h")
    #expect(first(path) == "h" && first(LogFile.path(path, older: 1)) == "c")
  }

  @Test("the files stay within their bound, and a reader loses nothing when they change places")
  func rotation() throws {
    let path = temporaryFolder() + "/odi.log"
    var limits = LogFile.Limits()
    limits.bytesMax = 2_000
    limits.older = 2
    let file = try LogFile(path, limits: limits)
    func write(_ number: Int) {
      file.write(Array(#"{"level":"info","msg":"m","service":"s","n":\#(number)}"#.utf8))
    }
    var reader = LogReader(path)
    var seen: [String] = []
    for number in 0..<500 {
      write(number)
      if number % 7 == 0 { seen += reader.new().map { String(decoding: $0.json, as: UTF8.self) } }
    }
    seen += reader.new().map { String(decoding: $0.json, as: UTF8.self) }
    #expect(seen.count == 500 && seen.last?.contains("\"n\":499") == true)
    for older in 1...2 { #expect(access(LogFile.path(path, older: older), F_OK) == 0) }
    #expect(access(LogFile.path(path, older: 3), F_OK) != 0)

    var again = LogReader(path)
    let last = again.last(60) { _ in true }
    #expect(last.count == 60 && String(decoding: last[0].json, as: UTF8.self).contains("\"n\":440"))
    #expect(again.new().isEmpty)
    write(500)
    #expect(again.new().count == 1)
  }
}
