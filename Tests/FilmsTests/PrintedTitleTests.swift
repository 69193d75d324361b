import Contracts
import Films
import Glibc
import TestKit
import Testing

/// Titles as art houses print them, told by hand first: which film each means, and what is said about the screening.
@Suite("Printed titles of cinemas")
struct PrintedTitleTests {
  /// What somebody who reads a programme takes a line for.
  struct Told {
    var printed: String
    /// Two for a double bill; none where the catalogue has not got it, or where the title alone does not say which.
    var films: Set<String>
    var attributes: Set<String>
    /// Where no film says it.
    var name: String?
  }

  /// Right, wrong and missed answers to one kind of question.
  struct Score: CustomStringConvertible {
    var right = 0
    var wrong = 0
    var missed = 0
    var recall: Double { Double(right) / Double(max(right + missed, 1)) }
    var precision: Double { Double(right) / Double(max(right + wrong, 1)) }

    var description: String {
      "recall \(Self.rounded(recall)), precision \(Self.rounded(precision)) (\(right) right, \(wrong) wrong, \(missed) missed)"
    }

    private static func rounded(_ share: Double) -> Double { (share * 1_000).rounded() / 1_000 }

    mutating func compare(_ found: Set<String>, _ told: Set<String>) {
      right += found.intersection(told).count
      wrong += found.subtracting(told).count
      missed += told.subtracting(found).count
    }
  }

  private static let matcher = TitleMatcher(Catalogue(CatalogueTests.starter, revision: 1))

  private static func told() throws -> [Told] {
    try Self.text().split(separator: "\n")
      .filter { !$0.hasPrefix("#") }
      .map { line in
        let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        return Told(
          printed: fields[0], films: fields[1] == "-" ? [] : Set(fields[1].split(separator: "|").map { "film_\($0)" }),
          attributes: Set((fields.count > 2 ? fields[2] : "").split(separator: " ").map(String.init)),
          name: fields.count > 3 ? fields[3] : nil)
      }
  }

  private static func text() throws -> String {
    let path = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    let file = try #require(fopen("\(path)/PrintedTitles.tsv", "r"))
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let length = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes[..<length], as: UTF8.self)
  }

  @Test("which film a line means, and how it is shown, is read as somebody who knows them would")
  func scores() throws {
    var (films, attributes, names) = (Score(), Score(), Score())
    var odd: [String] = []
    for line in try Self.told() {
      let match = Self.matcher.match(PrintedFilm(title: line.printed), limit: 5)
      let found = Set((match.films ?? [match.film].compactMap(\.self)).map(\.text))
      films.compare(found, line.films)
      attributes.compare(Set(match.attributes), line.attributes)
      if let name = line.name { names.compare([match.name], [name]) }
      if found != line.films || Set(match.attributes) != line.attributes || line.name.map({ $0 != match.name }) == true
      {
        odd.append("\(line.printed)\t\(found.sorted())\t\(match.attributes)\t\(match.name)")
      }
    }
    let summary = "films \(films); attributes \(attributes); names \(names)"
    print(summary)
    #expect(films.recall >= 0.95 && films.precision >= 0.99, "\(summary)\n\(odd.joined(separator: "\n"))")
    #expect(attributes.recall >= 0.95 && attributes.precision >= 0.96, "\(summary)\n\(odd.joined(separator: "\n"))")
    #expect(names.recall >= 0.95, "\(summary)\n\(odd.joined(separator: "\n"))")
  }
}
