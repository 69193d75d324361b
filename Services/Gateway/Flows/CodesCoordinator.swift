import Contracts
import HTTP
import QR
import RPC

/// QR codes: drawn here, read by the timetable, which has pictures of strangers read by a process of their own.
final class CodesCoordinator: Coordinator {
  private let timetable: any RPCClient<TimetableAPI>

  init(timetable: any RPCClient<TimetableAPI>) { self.timetable = timetable }

  enum Correction: String, CaseIterable, Sendable { case L, M, Q, H }

  private static let text = QueryField<String?>.text(
    "data", "What the code says: a link, a ticket's code.", isRequired: true, length: 1...1_000)
  private static let correction = QueryField<Correction>.choice(
    "ecc", "How much of it may be damaged: 7, 15, 25 or 30 %.", default: Correction.M)
  private static let quiet = QueryField<Int>.int("quiet", "The border, in squares.", in: 0...16, default: 4)
  private static let picture = BodyForm(
    schema: .string("PNG or JPEG of at most 2 MiB and 50 megapixels."), type: "application/octet-stream",
    bytesMax: 2 << 20)

  var endpoints: [Endpoint] {
    [
      Endpoint(
        .get, "/v1/qr.svg", "qr", "A QR code.", .festivals, query: [Self.text, Self.correction, Self.quiet],
        answers: [.other(.svg, "The same text is the same drawing, for ever.")]
      ) { asking in
        var query = asking.query
        let (text, correction, quiet) = (query.take(Self.text), query.take(Self.correction), query.take(Self.quiet))
        try query.finish()
        let code: QRCode
        do {
          code = try QRCode(text ?? "", correction: QRCorrection(rawValue: correction.rawValue) ?? .medium)
        } catch {
          throw Problem(.validation, "1 problem", errors: [.init(parameter: "data", detail: "\(error)")])
        }
        return Answer(HTTPResponse(.ok, .svg, Array(code.svg(quiet: quiet, title: text).utf8)))
          .with("Cache-Control", "public, max-age=31536000, immutable").tagged
      },
      Endpoint(
        .post, "/v1/qr/decode", "readCodes", "What the QR codes in a picture say.", .festivals, body: Self.picture,
        answers: [.json("None is an empty list.", FoundCodePage.schema)]
      ) { [timetable] asking in
        let type = (asking.request["content-type"] ?? "").lowercased().prefix { $0 != ";" }
        guard ["image/png", "image/jpeg", "application/octet-stream"].contains(String(type)) else {
          throw Problem(.unsupportedMediaType, "send the picture as image/png or image/jpeg")
        }
        guard !asking.request.body.isEmpty else {
          throw Problem(
            .validation, status: .unprocessableContent,
            errors: [.init(pointer: "", detail: "is missing; send a PNG or a JPEG as the body")])
        }
        do throws(RPCError) {
          let codes = try await timetable.call(ReadCodes(picture: asking.request.body), asking.options)
          return .json(FoundCodePage(codes: codes))
        } catch {
          // What is wrong with the picture is said of the body, not of a parameter.
          guard error.code == .invalidArgument else { throw error }
          throw Problem(
            .validation, status: .unprocessableContent, errors: [.init(pointer: "", detail: error.message)])
        }
      },
    ]
  }
}
