import CZBar

/// Finds QR codes in a picture that somebody sent.
///
/// It reads foreign bytes with libraries in C, so whoever serves others calls it in a process of its own that has little
/// to lose: see `odi-timetable qr read`.
package enum QRReader {
  /// - Throws: if this is no picture that we read. A picture without a code is an empty list.
  package static func codes(inImage bytes: [UInt8], limits: Limits = Limits()) throws(PictureError) -> [FoundCode] {
    codes(in: try GreyPicture(bytes, limits: limits))
  }

  /// Those of the first look at the picture that finds any.
  package static func codes(in picture: GreyPicture) -> [FoundCode] {
    guard !picture.grey.isEmpty else { return [] }
    for look in GreyPicture.looks {
      guard let look = look(picture) else { continue }
      let found = codes(in: look)
      if !found.isEmpty { return found }
    }
    return []
  }

  private static func codes(in look: GreyPicture.Look) -> [FoundCode] {
    let picture = look.picture
    guard let scanner = zbar_image_scanner_create(), let image = zbar_image_create() else { return [] }
    defer {
      zbar_image_destroy(image)
      zbar_image_scanner_destroy(scanner)
    }
    zbar_image_scanner_set_config(scanner, ZBAR_NONE, ZBAR_CFG_ENABLE, 0)
    zbar_image_scanner_set_config(scanner, ZBAR_QRCODE, ZBAR_CFG_ENABLE, 1)
    zbar_image_set_format(image, UInt(CZBAR_GREY))
    zbar_image_set_size(image, UInt32(picture.width), UInt32(picture.height))
    return picture.grey.withUnsafeBytes { grey in
      // Without a function to free it, the data stays ours; it outlives the scan.
      zbar_image_set_data(image, grey.baseAddress, UInt(grey.count), nil)
      guard zbar_scan_image(scanner, image) > 0 else { return [] }
      var found: [FoundCode] = []
      var symbol = zbar_image_first_symbol(image)
      while let next = symbol, found.count < codesMax {
        if let text = text(of: next) { found.append(FoundCode(text: text, points: points(of: next, in: look))) }
        symbol = zbar_symbol_next(next)
      }
      return found
    }
  }

  /// A sheet of tickets has a few dozen.
  private static let codesMax = 64

  private static func text(of symbol: OpaquePointer) -> String? {
    guard let data = zbar_symbol_get_data(symbol) else { return nil }
    let bytes = UnsafeRawBufferPointer(start: data, count: Int(zbar_symbol_get_data_length(symbol)))
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func points(of symbol: OpaquePointer, in look: GreyPicture.Look) -> [FoundCode.Point] {
    (0..<zbar_symbol_get_loc_size(symbol)).prefix(16).map { corner in
      FoundCode.Point(
        x: Int(zbar_symbol_get_loc_x(symbol, corner)) * look.picture.scale / look.enlarged,
        y: Int(zbar_symbol_get_loc_y(symbol, corner)) * look.picture.scale / look.enlarged)
    }
  }
}

/// What a code says, and where it is in the picture.
package struct FoundCode: Hashable, Sendable {
  package struct Point: Hashable, Sendable {
    package var x: Int
    package var y: Int
  }

  package var text: String
  /// Its corners, in squares of the picture that was sent.
  package var points: [Point]
}

extension QRReader {
  /// Called by a process that reads what strangers sent, before it does: whatever it is made to start stays as weak as
  /// it is itself.
  package static func forgoNewPrivileges() {
    precondition(czbar_no_new_privileges() == 0, "every Linux since 3.5 lets a process forgo new privileges")
  }

  /// What a picture may cost.
  package struct Limits: Sendable {
    /// What the API takes.
    package var bytes = 2 << 20
    /// The largest cameras' pictures that fit in so many bytes.
    package var squares = 50_000_000
    /// A code that fills an eighth of such a picture is still read; larger ones are made smaller first.
    package var squaresScanned = 4_000_000
    /// A progressive picture is read once for each scan; cameras write ten.
    package var scans = 40

    package init() {}
  }
}
