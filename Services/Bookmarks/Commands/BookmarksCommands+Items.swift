import Contracts
import Crypto
import Glibc
import RPC
import ServiceKit

extension BookmarksCommands {
  private static let thing = Parameter<String>.argument("ID", "of the thing: a film's id, a cinema's slug")
  private static let kind = Parameter<KindArgument>.option("kind", "what kind of thing", default: .film)
  private static let anyKind = Parameter<KindArgument?>.optionalOption("kind", "only things of this kind")

  var list: Command {
    Command("list", "list what a user saved, newest first", takes: [Self.user, Self.anyKind] + access.parameters) {
      call, output in
      var items: [SavedItem] = []
      var after: String?
      repeat {
        let request = ListItems(user: call[Self.user].id, kind: call[Self.anyKind]?.kind, after: after, limit: 500)
        let page = try await access.ask(request, call, output)
        items += page.items
        after = page.next
      } while after != nil
      let columns = [
        Report.Column("kind"), Report.Column("id"), Report.Column("saved_at"),
        Report.Column("revision", alignment: .right), Report.Column("note", shrinks: true),
      ]
      try output.write(
        Report(
          columns,
          rows: items.map { item in
            [
              "\(item.kind.rawValue)", "\(item.id)", Self.cell(item.savedAt), .number(Int(item.revision)),
              .text(item.note),
            ]
          }))
      return .done
    }
  }

  var add: Command {
    let note = Parameter<String?>.optionalOption("note", "what the user wrote about it")
    return Command(
      "add", "save something for a user", takes: [Self.user, Self.thing, Self.kind, note] + access.parameters
    ) { call, output in
      let request = SaveItem(
        user: call[Self.user].id, kind: call[Self.kind].kind, id: call[Self.thing], note: call[note])
      try output.write(Self.report(try await access.ask(request, call, output)))
      return .done
    }
  }

  var remove: Command {
    Command("rm", "take something out for a user", takes: [Self.user, Self.thing, Self.kind] + access.parameters) {
      call, output in
      let request = RemoveItem(user: call[Self.user].id, kind: call[Self.kind].kind, id: call[Self.thing])
      let receipt = try await access.ask(request, call, output)
      if !receipt.didChange { output.note("it was not saved") }
      try output.write(Self.report(receipt))
      return .done
    }
  }

  private static func report(_ receipt: ItemReceipt) -> Report {
    Report(item: [
      (Report.Column("changed"), .flag(receipt.didChange)), (Report.Column("revision"), .number(Int(receipt.revision))),
    ])
  }

  // MARK: Whole users

  var export: Command {
    let file = Parameter<String?>.optionalOption("to", "a new file instead of standard output", completion: .files)
    return Command(
      "export", "write everything that is kept of a user as one JSON document",
      takes: [Self.user, file] + access.parameters
    ) { call, output in
      let client = try access.client(of: BookmarksAPI.self, call, output)
      let descriptor = try call[file].map { path in
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
          throw CommandError(.failed, "cannot make \(path)", why: String(cString: strerror(errno)))
        }
        return descriptor
      }
      defer { if let descriptor { close(descriptor) } }
      // Pieces end anywhere, also within a character.
      var rest: [UInt8] = []
      do throws(RPCError) {
        for try await chunk in try await client.stream(ExportUser(user: call[Self.user].id)) {
          rest += chunk.bytes
          if let descriptor {
            guard write(descriptor, rest, rest.count) == rest.count else { break }
            rest = []
          } else if let end = rest.lastIndex(where: { $0 < 0x80 }) {
            output.write(String(decoding: rest[...end], as: UTF8.self))
            rest.removeFirst(end + 1)
          }
        }
      } catch {
        throw access.explain(error, try access.address(call, output))
      }
      guard rest.isEmpty else { throw CommandError(.failed, "the document could not be written to its end") }
      return .done
    }
  }

  var importing: Command {
    let file = Parameter<String>.argument("FILE", "what `export` wrote, or CSV with a column id; - is standard input")
    return Command(
      "import", "save for a user what is in a file",
      discussion: """
        JSON: a document that `export` wrote, or an array of {"kind", "id", "note"}. CSV: columns id, kind and note, of \
        which only id is needed. A thousand things are saved together, or none of them.
        """,
      examples: [.init("odi-bookmarks export u_1 | odi-bookmarks import u_2 -", "copy one user to another")],
      takes: [Self.user, file, Self.kind, Confirmation.dryRun] + access.parameters
    ) { call, output in
      let path = call[file] == "-" ? "/dev/stdin" : call[file]
      let bytes = try contents(ofFile: path, bytesMax: ItemFile.bytesMax)
      let items = try ItemFile.items(in: bytes, kind: call[Self.kind].kind)
      guard !call[Confirmation.dryRun] else {
        output.note("\(items.count) things would be saved")
        return .done
      }
      var total = ItemsImported(added: 0, unchanged: 0, revision: 0, isReplay: false)
      for start in stride(from: 0, to: items.count, by: ItemFile.itemsPerRequest) {
        let part = Array(items[start..<min(start + ItemFile.itemsPerRequest, items.count)])
        let answer = try await send(part, for: call[Self.user].id, call, output, saved: start)
        total.added += answer.added
        total.unchanged += answer.unchanged
      }
      try output.write(
        Report(item: [
          (Report.Column("added"), .number(total.added)), (Report.Column("unchanged"), .number(total.unchanged)),
        ]))
      return .done
    }
  }

  private func send(
    _ items: [NewItem], for user: UserID, _ call: Invocation, _ output: Output, saved: Int
  ) async throws(CommandError) -> ItemsImported {
    let client = try access.client(of: BookmarksAPI.self, call, output)
    var random = SecureRandom()
    do throws(RPCError) {
      let options = CallOptions(timeout: .seconds(30), key: .random(using: &random))
      return try await client.call(ImportItems(user: user, items: items), options)
    } catch {
      var failure = access.explain(error, try access.address(call, output))
      if saved > 0 { failure.details.append("the first \(saved) things of the file were saved; the others were not") }
      throw failure
    }
  }
}
