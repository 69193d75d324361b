import CSV
import Recommendation
import Testing

@Suite("Ratings as text")
struct RatingsReaderTests {
  private func read(_ text: String) throws -> RatingsReader { try RatingsReader(Array(text.utf8)) }

  @Test(
    "commas and tabs, with names or without, in any order of columns",
    arguments: [
      "1,10,4.5,900\n2,10,3,901\n", "1\t10\t4.5\t900\n2\t10\t3\t901", "1,10,4.5\r\n2,10,3\r\n",
      " 1,10 ,4.5,900 \n2, 10, 3,901\n",
      "user,item,rating\n1,10,4.5\n2,10,3\n", "userId,movieId,rating,timestamp\n1,10,4.5,900\n2,10,3,901\n",
      "1::10::4.5::900\r\n2::10::3::901\r\n", "1::10::4.5\n\n2::10::3",
      "rating\titem_id\tuser_id\n4.5\t10\t1\n3\t10\t2\n",
    ])
  func forms(text: String) throws {
    let found = try read(text)
    #expect(found.refused == 0)
    #expect(found.ratings.users == ["1", "2"])
    #expect(found.ratings.items == ["10"])
    #expect(found.ratings.rows.map(\.value) == [4.5, 3])
  }

  @Test("a wrong line is named and left out, and the others are read")
  func wrongLines() throws {
    let found = try read("1,10,4\n1,11\n,12,3\n1,13,good\n1,14,nan\n1,15,3,yesterday\n2,10,5\n")
    #expect(found.ratings.rows.count == 2)
    #expect(found.refused == 5)
    #expect(found.problems.map(\.line) == [2, 3, 4, 5, 6])
    #expect(found.problems[2].description == "line 4: the rating is 'good'; write a number such as 4.5")
  }

  @Test("a file of nothing but wrong lines is refused, and keeps few of its problems", arguments: ["", "a,b\n", "x\n"])
  func nothing(text: String) throws {
    #expect(throws: CSVError.self) { try read(text) }
    let many = try read("1,2,3\n" + String(repeating: "1,2,x\n", count: 1_000))
    #expect(many.refused == 1_000)
    #expect(many.problems.count == 20)
  }

  @Test("a colon that stands alone is a part of a name, and JSON is told from a table")
  func colons() throws {
    #expect(try read("a:1,b::2,5\n").ratings.items == ["b::2"])
    #expect(throws: CSVError(line: 1, "this is JSON; ratings are lines of user,item,rating")) {
      try read("[{\"user\":1}]")
    }
  }

  @Test("names without one that is needed are an error")
  func missingColumn() {
    #expect(throws: CSVError(line: 1, "the line of names has no rating; write user,item,rating,time")) {
      try read("user,item,value\n1,2,3\n")
    }
  }
}
