import Extraction
import Testing

/// Weekdays of a week that a heading says, as languages shorten, join and repeat them.
@Suite struct WeekLineTests {
  struct Line: Sendable, CustomTestStringConvertible {
    let zone: String
    let week: String
    let text: String
    let times: String
    var testDescription: String { text }
  }

  @Test("a line's weekdays are days of the week that stands over it", arguments: lines)
  func read(_ line: Line) throws {
    let film = "<p>98 min</p><p class=time>\(line.text)</p>"
    let found = try reading(
      "<title>Moss Kino</title><h1>\(line.week)</h1><div class=film><h3>Silt</h3>\(film)</div>"
        + "<div class=film><h3>Marram</h3>\(film)</div>", zone: line.zone, at: "2026-11-20T09:00:00Z")
    for film in ["Silt", "Marram"] {
      // 2026-11-20T19:30:00+01:00
      let times = found.screenings.filter { $0.title == film }.map {
        let start = "\($0.start)"
        return "\(start.dropFirst(8).prefix(2)) \(start.dropFirst(11).prefix(5))"
      }
      #expect(times.sorted().joined(separator: ", ") == line.times, "\(film)")
    }
  }

  @Test(
    "months in Roman numbers, raised minutes and words that count hours are read where they are printed",
    arguments: [
      ("Europe/Warsaw", "21 XI 2026", "18⁰⁰, 20³⁰"), ("Europe/Warsaw", "sobota 21 XI", "godz. 18.00 i 20.30"),
      ("Europe/Budapest", "2026. november 21. (szombat)", "18 óra, 20.30 óra"),
      ("Europe/Vilnius", "lapkričio 21 d., šeštadienis", "18 val., 20:30 val."),
      ("Europe/Warsaw", "Sobota 21.11", "18:00¹, 20:30²"),
    ])
  func numbers(zone: String, day: String, hours: String) throws {
    let found = try reading(
      "<title>Moss Kino</title><h3>\(day)</h3><ul><li><b>Silt</b> <span>\(hours)</span></li><li><b>Peat</b> <span>\(hours)</span></li></ul>",
      zone: zone, at: "2026-11-20T09:00:00Z")
    #expect(
      found.screenings.map { "\("\($0.start)".prefix(16)) \($0.title)" } == [
        "2026-11-21T18:00 Peat", "2026-11-21T18:00 Silt", "2026-11-21T20:30 Peat", "2026-11-21T20:30 Silt",
      ])
  }

  private static let lines: [Line] = [
    Line(
      zone: "Europe/Lisbon", week: "Programação de 20 a 26 de novembro de 2026", text: "qui 19h30", times: "26 19:30"),
    Line(
      zone: "Europe/Lisbon", week: "Programação de 20 a 26 de novembro de 2026",
      text: "sexta e sábado às 21h30, domingo às 15h30", times: "20 21:30, 21 21:30, 22 15:30"),
    Line(
      zone: "Europe/Lisbon", week: "Programação de 20 a 26 de novembro de 2026", text: "Seg, ter e qui: 19h30",
      times: "23 19:30, 24 19:30, 26 19:30"),
    Line(
      zone: "Europe/Lisbon", week: "Programação de 20 a 26 de novembro de 2026",
      text: "Sex a dom 19h; todos os dias 21h",
      times: "20 19:00, 20 21:00, 21 19:00, 21 21:00, 22 19:00, 22 21:00, 23 21:00, 24 21:00, 25 21:00, 26 21:00"),
    Line(
      zone: "Europe/Rome", week: "Programma dal 20 al 26 novembre 2026", text: "sab e dom 18.00",
      times: "21 18:00, 22 18:00"),
    Line(
      zone: "Europe/Rome", week: "Programma dal 20 al 26 novembre 2026", text: "sabato e domenica ore 18 e 21",
      times: "21 18:00, 21 21:00, 22 18:00, 22 21:00"),
    Line(
      zone: "Europe/Paris", week: "Programme du 20 au 26 novembre 2026", text: "tlj 20h30 ; sam dim 11h",
      times: "20 20:30, 21 11:00, 21 20:30, 22 11:00, 22 20:30, 23 20:30, 24 20:30, 25 20:30, 26 20:30"),
    Line(
      zone: "Europe/Paris", week: "Programme du 20 au 26 novembre 2026", text: "T.L.J. 20h30 sf mardi",
      times: "20 20:30, 21 20:30, 22 20:30, 23 20:30, 25 20:30, 26 20:30"),
    Line(
      zone: "Europe/Paris", week: "Programme du 20 au 26 novembre 2026", text: "ve 18h, sa 20h30, di 14h",
      times: "20 18:00, 21 20:30, 22 14:00"),
    Line(
      zone: "Europe/Paris", week: "Programme du 20 au 26 novembre 2026", text: "les vendredis et samedis 20h30",
      times: "20 20:30, 21 20:30"),
    Line(
      zone: "Europe/Prague", week: "Program od 20. do 26. listopadu 2026", text: "pá, so 20:00; ne 17:00",
      times: "20 20:00, 21 20:00, 22 17:00"),
    Line(
      zone: "Europe/Prague", week: "Program od 20. do 26. listopadu 2026", text: "pátek a sobota 20:00",
      times: "20 20:00, 21 20:00"),
    Line(
      zone: "Europe/Warsaw", week: "Repertuar 20 - 26 listopada 2026", text: "pt, sob i nd 20:00",
      times: "20 20:00, 21 20:00, 22 20:00"),
    Line(
      zone: "Europe/Warsaw", week: "Repertuar 20 - 26 listopada 2026", text: "piątek i sobota 20:00",
      times: "20 20:00, 21 20:00"),
    Line(
      zone: "Europe/Warsaw", week: "Repertuar 20 - 26 listopada 2026",
      text: "codziennie 18:00, w sobotę i niedzielę także 15:00",
      times: "20 18:00, 21 15:00, 21 18:00, 22 15:00, 22 18:00, 23 18:00, 24 18:00, 25 18:00, 26 18:00"),
    Line(
      zone: "Europe/Zagreb", week: "Program od 20. do 26. studenoga 2026.", text: "pet i sub 20:00",
      times: "20 20:00, 21 20:00"),
    Line(
      zone: "Europe/Zagreb", week: "Program od 20. do 26. studenoga 2026.", text: "uto – čet 18:00",
      times: "24 18:00, 25 18:00, 26 18:00"),
    Line(
      zone: "Europe/Stockholm", week: "Program 20–26 november 2026", text: "fre 20.00, lör-sön 15.00 och 18.00",
      times: "20 20:00, 21 15:00, 21 18:00, 22 15:00, 22 18:00"),
    Line(
      zone: "Europe/Stockholm", week: "Program 20–26 november 2026", text: "fredag och lördag 20.00",
      times: "20 20:00, 21 20:00"),
    Line(
      zone: "Europe/Copenhagen", week: "Program 20. - 26. november 2026", text: "fre, lør og søn 20:00",
      times: "20 20:00, 21 20:00, 22 20:00"),
    Line(
      zone: "Europe/Copenhagen", week: "Program 20. - 26. november 2026", text: "20/11 til 22/11 kl. 19.30",
      times: "20 19:30, 21 19:30, 22 19:30"),
    Line(zone: "Europe/Helsinki", week: "Ohjelma 20.–26.11.2026", text: "pe ja la 20.00", times: "20 20:00, 21 20:00"),
    Line(
      zone: "Europe/Helsinki", week: "Ohjelma 20.–26.11.2026", text: "perjantai ja lauantai klo 20",
      times: "20 20:00, 21 20:00"),
    Line(zone: "Europe/Helsinki", week: "Ohjelma 20.–26.11.2026", text: "pe 18:00 to 20:00", times: "20 18:00"),
    Line(
      zone: "Europe/Berlin", week: "Programm 20.–26. November 2026", text: "Do, Fr, Sa 20.00; So 17.00; Di 18.00",
      times: "20 20:00, 21 20:00, 22 17:00, 24 18:00, 26 20:00"),
    Line(
      zone: "Europe/Berlin", week: "Programm 20.–26. November 2026", text: "Sa 22.30 Uhr, täglich 20.15 Uhr",
      times: "20 20:15, 21 20:15, 21 22:30, 22 20:15, 23 20:15, 24 20:15, 25 20:15, 26 20:15"),
    Line(
      zone: "Europe/Berlin", week: "Programm 20.–26. November 2026", text: "tägl. 20.15, So auch 11.00",
      times: "20 20:15, 21 20:15, 22 11:00, 22 20:15, 23 20:15, 24 20:15, 25 20:15, 26 20:15"),
    Line(
      zone: "Europe/Berlin", week: "Programm 20.–26. November 2026", text: "freitags und samstags 20 Uhr",
      times: "20 20:00, 21 20:00"),
    Line(
      zone: "Europe/Amsterdam", week: "Programma 20 t/m 26 november 2026", text: "ma, di, wo 20.15",
      times: "23 20:15, 24 20:15, 25 20:15"),
    Line(
      zone: "Europe/Amsterdam", week: "Programma 20 t/m 26 november 2026", text: "di 14.00 en 20.15",
      times: "24 14:00, 24 20:15"),
    Line(
      zone: "Europe/London", week: "Programme 20 - 26 November 2026", text: "Fridays and Saturdays 20:00",
      times: "20 20:00, 21 20:00"),
    Line(
      zone: "Europe/London", week: "Programme 20 - 26 November 2026",
      text: "Monday - Tuesday at 6pm and 8.30pm, Thursday 8.30pm only",
      times: "23 18:00, 23 20:30, 24 18:00, 24 20:30, 26 20:30"),
    Line(
      zone: "Europe/London", week: "Programme 20 - 26 November 2026", text: "Fri, Sat & Thu at 7:30; Sun 2pm",
      times: "20 19:30, 21 19:30, 22 14:00, 26 19:30"),
    Line(
      zone: "Europe/Madrid", week: "Programación del 20 al 26 de noviembre de 2026", text: "viernes y sábados 20:00",
      times: "20 20:00, 21 20:00"),
    Line(
      zone: "Europe/Madrid", week: "Programación del 20 al 26 de noviembre de 2026", text: "sáb, dom y fest. 16:30",
      times: "21 16:30, 22 16:30"),
    Line(
      zone: "Europe/Istanbul", week: "20 - 26 Kasım 2026 programı", text: "Cmt-Paz 14.00", times: "21 14:00, 22 14:00"),
    Line(
      zone: "Europe/Budapest", week: "Műsor 2026. november 20–26.", text: "sze, csü 18:00", times: "25 18:00, 26 18:00"),
    Line(
      zone: "Europe/London", week: "Week commencing Friday 20 November", text: "Fri - Thu 18:00 (not Mon)",
      times: "20 18:00, 21 18:00, 22 18:00, 24 18:00, 25 18:00, 26 18:00"),
    Line(
      zone: "Europe/Berlin", week: "Programm 20.–26. November 2026", text: "Fr-So jeweils 17.00 + 20.15 Uhr",
      times: "20 17:00, 20 20:15, 21 17:00, 21 20:15, 22 17:00, 22 20:15"),
    Line(
      zone: "Europe/Lisbon", week: "De 20 a 26 de Novembro", text: "Todos os dias: 14h | 6ª e Sáb.: 00h10",
      times: "20 14:00, 21 00:10, 21 14:00, 22 00:10, 22 14:00, 23 14:00, 24 14:00, 25 14:00, 26 14:00"),
    Line(
      zone: "Europe/Paris", week: "Du vendredi 20 au jeudi 26 novembre 2026", text: "mar, mer : 20h30 / ven : 18h",
      times: "20 18:00, 24 20:30, 25 20:30"),
    Line(zone: "Europe/Paris", week: "Semaine du 20/11 au 26/11", text: "V 20h30 - S 18h - D 14h30", times: ""),
    Line(
      zone: "America/New_York", week: "November 20 - 26", text: "Fri: 7:00, 9:15; Sun: 2:00; Mon-Tue: 7:00",
      times: "20 19:00, 20 21:15, 22 14:00, 23 19:00, 24 19:00"),
  ]
}
