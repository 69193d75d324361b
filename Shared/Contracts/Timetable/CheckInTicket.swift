package import Clocks
package import RPC
import Wire

/// Lets somebody in, once. With an idempotency key, sending it again answers as before.
package struct CheckInTicket: RPCRequest, Hashable, WireLayout {
  package typealias Service = TimetableAPI
  package typealias Response = CheckInReceipt
  package static let method: MethodID = 0x0607
  package static let safety: Safety = .idempotent
  package static let isConfidential = true

  package var festival: FestivalID
  /// What the ticket's QR code says.
  package var code: String
  /// The token of the member of staff at the door.
  package var staff: String

  package init(festival: FestivalID, code: String, staff: String) {
    self.festival = festival
    self.code = code
    self.staff = staff
  }
}

/// What is known of a ticket after it was shown; durable when it is read.
package struct CheckInReceipt: Codable, Hashable, Sendable, WireLayout {
  /// Let this one in. False: the ticket was shown before.
  package var isFirst: Bool
  /// When it was shown first, and to whom.
  package var checkedInAt: WallTime
  package var staff: String
  package var holder: String?
  package var kind: String?
  /// Answered from the receipt of an earlier sending.
  package var isReplay: Bool

  package init(
    isFirst: Bool, checkedInAt: WallTime, staff: String, holder: String? = nil, kind: String? = nil, isReplay: Bool
  ) {
    self.isFirst = isFirst
    self.checkedInAt = checkedInAt
    self.staff = staff
    self.holder = holder
    self.kind = kind
    self.isReplay = isReplay
  }
}
