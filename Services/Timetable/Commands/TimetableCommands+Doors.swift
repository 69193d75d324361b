import CSV
import Calendars
import Contracts
import Crypto
import Directories
import Glibc
import JSON
import QR
import QRReading
import RPC
import ServiceKit

/// `qr`, `ticket`, `staff`, `checkin`.
extension TimetableCommands {
  /// Of a session, `qr FEST SESSION`; beside it what has codes to do with nothing here.
  var qr: Command {
    let (id, session, drawing) = (festivalID, sessionID, CodeDrawing())
    let site = Parameter<String?>.optionalOption(
      "public-url", "how browsers reach the page: https://odi.example; ODI_PUBLIC_URL, if not said")
    return Command(
      "qr", "QR codes: of a session's page, of any text, and read from pictures",
      examples: [
        .init("odi-timetable qr jiff-26 102 --public-url https://odi.example --svg > door.svg", "for a door"),
        .init("odi-timetable qr draw ticket-1", "any text in the terminal"),
      ], takes: [id, session, site] + drawing.parameters + service.parameters, subcommands: [drawn, reading]
    ) { call, output in
      let base = try self.site(call[site] ?? output.terminal.environment["ODI_PUBLIC_URL"], output)
      let current = try await one(call[session], of: call[id], call, output)
      return try drawing.write("\(base)/festivals/\(current.festival.id)/sessions/\(current.session.id)", call, output)
    }
  }

  /// Without a slash at its end.
  private func site(_ text: String?, _ output: Output) throws(CommandError) -> String {
    guard let text else {
      output.note("it leads to this machine alone; --public-url says where others find the page")
      return "http://localhost:8080"
    }
    guard text.hasPrefix("https://") || text.hasPrefix("http://") else {
      throw CommandError(.usage, "\(text) is no address of a page; write https://odi.example")
    }
    return String(text.reversed().drop { $0 == "/" }.reversed())
  }

  private var drawn: Command {
    let text = Parameter<String>.argument("TEXT", "what it says: a link, a ticket's code")
    let drawing = CodeDrawing()
    return Command("draw", "draw a code of a text in the terminal, or as SVG", takes: [text] + drawing.parameters) {
      call, output in try drawing.write(call[text], call, output)
    }
  }

  private var reading: Command {
    let file = Parameter<String>.argument("FILE", "PNG or JPEG; - for standard input", completion: .files)
    let isConfined = Parameter<Bool>.flag(
      "confined", "give up most rights first; how the service reads what strangers send")
    return Command("read", "tell what the codes in a picture say", takes: [file, isConfined]) { call, output in
      var picture: [UInt8] = []
      if call[isConfined] {
        // Opened before the rights are gone.
        picture = try bytes(of: call[file], most: QRReader.Limits().bytes)
        confineThisProcess()
      } else {
        picture = try bytes(of: call[file], most: QRReader.Limits().bytes)
      }
      let codes: [FoundCode]
      do {
        codes = try QRReader.codes(inImage: picture)
      } catch {
        guard call[isConfined] else { throw CommandError(.failed, "\(error)") }
        output.write(
          String(decoding: JSONValue.object(JSONObject([("problem", .string("\(error)"))])).json, as: UTF8.self))
        return .done
      }
      if call[isConfined] {
        let list = codes.map { code -> JSONValue in
          let points = code.points.flatMap { [JSONValue.int(Int64($0.x)), .int(Int64($0.y))] }
          return ["text": .string(code.text), "points": .array(points)]
        }
        output.write(String(decoding: JSONValue.object(JSONObject([("codes", .array(list))])).json, as: UTF8.self))
        return .done
      }
      try output.write(Report([Report.Column("text")], rows: codes.map { ["\($0.text)"] }))
      return codes.isEmpty ? .notFound : .done
    }
  }

  // MARK: Tickets

  var ticket: Command {
    let id = festivalID
    let file = Parameter<String>.argument("FILE", "CSV with the column code, and holder, kind", completion: .files)
    let count = Parameter<Int>.option("count", short: "n", "how many", default: 1, in: 1...100_000)
    let kind = Parameter<String?>.optionalOption("kind", "of which kind: pass, student")
    return Command(
      "ticket", "tickets",
      subcommands: [
        Command(
          "import", "add the tickets of a file; those that are there stay", takes: [id, file] + service.parameters
        ) { call, output in
          let tickets: [Ticket]
          do {
            tickets = try Self.tickets(try bytes(of: call[file], most: 16 << 20))
          } catch {
            throw CommandError(.failed, "the file cannot be imported", why: "\(error)")
          }
          return try await add(tickets, to: call[id], call, output)
        },
        Command(
          "issue", "make tickets with new codes, and list them once", takes: [id, count, kind] + service.parameters
        ) { call, output in
          try await issue(call[count], of: call[kind], at: call[id], call, output)
        },
      ])
  }

  private static func tickets(_ bytes: [UInt8]) throws -> [Ticket] {
    var table = try CSVTable(bytes)
    try table.check(known: ["code", "holder", "kind"], required: ["code"])
    var tickets: [Ticket] = []
    while let row = try table.next() {
      tickets.append(Ticket(code: try row.required("code"), holder: row["holder"], kind: row["kind"]))
    }
    return tickets
  }

  private func add(
    _ tickets: [Ticket], to id: FestivalID, _ call: Invocation, _ output: Output
  ) async throws -> ExitCode {
    var rest = tickets[...]
    var added = 0
    while !rest.isEmpty {
      let batch = Array(rest.prefix(Self.ticketsAtOnce))
      rest = rest.dropFirst(batch.count)
      added += try await service.ask(AddTickets(festival: id, tickets: batch), call, output, timeout: Self.patience)
    }
    output.note("\(added) added · \(tickets.count - added) were there")
    return .done
  }

  /// Codes are told as soon as they are stored, a batch at a time: what goes wrong half way loses none. A document that is
  /// one whole is written at the end, or when something goes wrong.
  private func issue(
    _ count: Int, of kind: String?, at id: FestivalID, _ call: Invocation, _ output: Output
  ) async throws -> ExitCode {
    let isWhole = output.format == .json || output.format == .tsv
    var (issued, untold): (Int, [Ticket]) = (0, [])
    do {
      while issued < count {
        let tickets = (0..<min(Self.ticketsAtOnce, count - issued)).map { _ in
          Ticket(code: Base64URL.encode(SecureRandom.bytes(15)), holder: nil, kind: kind)
        }
        _ = try await service.ask(AddTickets(festival: id, tickets: tickets), call, output, timeout: Self.patience)
        issued += tickets.count
        untold += tickets
        if !isWhole || issued == count {
          try write(untold, output)
          untold = []
        }
      }
    } catch {
      if !untold.isEmpty { try write(untold, output) }
      output.note("\(issued) of \(count) were issued and are listed; issue \(count - issued) more")
      throw error
    }
    output.note("\(issued) issued")
    return .done
  }

  private func write(_ tickets: [Ticket], _ output: Output) throws(CommandError) {
    let rows: [[Report.Cell]] = tickets.map { ["\($0.code)", .text($0.kind)] }
    try output.write(Report([Report.Column("code"), Report.Column("kind")], rows: rows))
  }

  /// As the service takes them.
  private static let ticketsAtOnce = 1_000

  // MARK: The door

  var staff: Command {
    let id = festivalID
    let name = Parameter<String>.argument("NAME", "who it is")
    return Command(
      "staff", "who may check people in",
      subcommands: [
        Command(
          "add", "give a member of staff a token; it is told once, and replaces theirs",
          takes: [id, name] + service.parameters
        ) { call, output in
          let request = ChangeStaff(festival: call[id], name: call[name], isDismissed: false)
          let token = try await service.ask(request, call, output)
          // Alone on its line it can go into the file that `checkin scan` reads.
          if output.format == .json {
            try output.write(Report(item: [(Report.Column("token"), "\(token)")]))
          } else {
            output.write(token + "\n")
          }
          output.note(
            """
            for whoever stands at the door: it opens the page /festivals/\(call[id])/door, is the field X-Odi-Staff of \
            POST /v1/festivals/\(call[id])/checkins, and in a file staff.token what `checkin scan` reads; it cannot be shown again
            """)
          return .done
        },
        Command("rm", "take a member's token away", takes: [id, name] + service.parameters) { call, output in
          let request = ChangeStaff(festival: call[id], name: call[name], isDismissed: true)
          _ = try await service.ask(request, call, output)
          output.note("done")
          return .done
        },
      ])
  }

  private func staffToken(in file: String, of festival: FestivalID) throws(CommandError) -> [UInt8] {
    do throws(CommandError) {
      return try bytes(of: file, most: Self.tokenBytes).filter { $0 > 0x20 }
    } catch {
      var error = error
      error.why = error.why ?? "it has the token of who stands at the door; --staff-file names another"
      error.remedy = "odi-timetable staff add \(festival) door > staff.token"
      throw error
    }
  }

  private static let tokenBytes = 4_096

  var checkin: Command {
    let id = festivalID
    let code = Parameter<String>.argument("CODE", "what the ticket's QR code says")
    let token = Parameter<String>.option(
      "staff-file", "the file that has the token", default: "staff.token", completion: .files)
    return Command(
      "checkin", "the door",
      subcommands: [
        Command(
          "scan", "let somebody in; exit code 9 if the ticket was shown before",
          takes: [id, code, token] + service.parameters
        ) { call, output in
          let secret = String(decoding: try staffToken(in: call[token], of: call[id]), as: UTF8.self)
          let request = CheckInTicket(festival: call[id], code: call[code], staff: secret)
          let receipt = try await service.ask(request, call, output)
          try output.write(
            Report(item: [
              (Report.Column("first"), .flag(receipt.isFirst, receipt.isFirst ? .good : .bad)),
              (Report.Column("holder"), .text(receipt.holder)), (Report.Column("kind"), .text(receipt.kind)),
              (Report.Column("checked_in_at"), "\(Timestamp(receipt.checkedInAt))"),
              (Report.Column("staff"), "\(receipt.staff)"),
            ]))
          return receipt.isFirst ? .done : .degraded
        },
        Command("stats", "how many came", takes: [id] + service.parameters) { call, output in
          let statistics = try await service.ask(DoorStatisticsOf(festival: call[id]), call, output)
          let staff = statistics.staff.map { (Report.Column("by_\($0.name)"), Report.Cell.number($0.admitted)) }
          try output.write(
            Report(
              item: [
                (Report.Column("tickets"), .number(statistics.tickets)),
                (Report.Column("admitted"), .number(statistics.admitted)),
              ] + staff))
          return .done
        },
      ])
  }
}

/// How a code is drawn, by the options of whichever command draws it.
nonisolated private struct CodeDrawing {
  private let isSVG = Parameter<Bool>.flag("svg", "as SVG instead of for the terminal")
  private let isInverted = Parameter<Bool>.flag("light", "for a terminal with a light background")
  private let correction = Parameter<CorrectionLevel>.option("ecc", "how much of it may be damaged", default: .M)

  var parameters: [any CommandParameter] { [isSVG, isInverted, correction] }

  func write(_ text: String, _ call: Invocation, _ output: Output) throws(CommandError) -> ExitCode {
    let code: QRCode
    do {
      code = try QRCode(text, correction: QRCorrection(rawValue: call[correction].rawValue) ?? .medium)
    } catch {
      throw CommandError(.usage, "\(error)")
    }
    output.write((call[isSVG] ? code.svg(title: text) : code.terminalText(isInverted: call[isInverted])) + "\n")
    return .done
  }
}

/// Of a QR code, by the letters of the standard.
nonisolated enum CorrectionLevel: String, CaseIterable, ArgumentValue { case L, M, Q, H }
