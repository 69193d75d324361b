/// Messages in the self-contained form, as the first release wrote them.
enum Golden {
  /// Origin 37.5, 127 and limit 3.
  static let nearestCinemas: [UInt8] = [
    26, 0, 0, 0, 0, 0, 0, 1, 11, 4, 11, 6, 9, 0, 0, 0, 0, 0, 192, 66, 64, 17, 0, 0, 0, 0, 0, 192, 95, 64, 0, 16, 6, 0,
    2, 2, 6, 111, 114, 105, 103, 105, 110, 5, 108, 105, 109, 105, 116, 3, 2, 8, 108, 97, 116, 105, 116, 117, 100, 101,
    9, 108, 111, 110, 103, 105, 116, 117, 100, 101,
  ]
}
