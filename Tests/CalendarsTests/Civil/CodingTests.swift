import Calendars
import Foundation
import Testing

@Suite("Coding of the vocabulary")
struct CodingTests {
  func roundTrip<Value: Codable & Equatable & CustomStringConvertible>(_ value: Value) throws -> Bool {
    let data = try JSONEncoder().encode([value])
    return try JSONDecoder().decode([Value].self, from: data) == [value]
      && data == Data(#"["\#(value.description.replacing("/", with: #"\/"#))"]"#.utf8)
  }

  @Test("every type is encoded as it is written")
  func texts() throws {
    #expect(try roundTrip(CivilDate("2026-11-23")!))
    #expect(try roundTrip(ClockTime("19:30:05")!))
    #expect(try roundTrip(DisplayTime("24:30")!))
    #expect(try roundTrip(CivilDateTime("2026-11-24T00:30:00")!))
    #expect(try roundTrip(ServiceDay.standard))
    #expect(try roundTrip(ZoneName("Asia/Seoul")!))
    #expect(try roundTrip(UTCOffset("+09:00")!))
    #expect(try roundTrip(Timestamp("2026-11-24T00:30:00+09:00")!))
  }

  @Test(
    "what cannot be built cannot be decoded, and the error says what can",
    arguments: [
      "", "2026-02-30", "24:60", "30:00", "../etc", "+99:00", "2026-11-24 00:30:00", "서울",
      String(repeating: "9", count: 5_000),
    ])
  func refusals(text: String) throws {
    let data = try JSONEncoder().encode([text])
    func refused<Value: Decodable>(_ type: Value.Type) -> Bool {
      do {
        _ = try JSONDecoder().decode([Value].self, from: data)
        return false
      } catch DecodingError.dataCorrupted(let context) {
        return context.debugDescription.contains(" like ") || context.debugDescription.contains("from 00:00 to 06:00")
      } catch {
        return false
      }
    }
    #expect(refused(CivilDate.self))
    #expect(refused(ClockTime.self))
    #expect(refused(DisplayTime.self))
    #expect(refused(CivilDateTime.self))
    #expect(refused(ServiceDay.self))
    #expect(refused(ZoneName.self))
    #expect(refused(UTCOffset.self))
    #expect(refused(Timestamp.self))
  }

  @Test("a programme's time is its two parts")
  func serviceTime() throws {
    let time = ServiceTime(CivilDate("2026-11-23")!, DisplayTime("24:30")!)
    let data = try JSONEncoder().encode(time)
    #expect(try JSONDecoder().decode(ServiceTime.self, from: data) == time)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(ServiceTime.self, from: Data(#"{"date":"2026-11-23","time":"31:00"}"#.utf8))
    }
  }
}
