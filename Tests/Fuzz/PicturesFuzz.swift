import QRReading

/// Any bytes are a picture, or are refused; what is found lies in it.
func fuzzPictures(_ input: UnsafeBufferPointer<UInt8>) {
  var limits = QRReader.Limits()
  // So that what is slow here is a finding, and no large picture.
  limits.squares = 40_000
  limits.squaresScanned = 10_000
  guard let picture = try? GreyPicture(Array(input), limits: limits) else { return }
  precondition(picture.grey.count <= limits.squaresScanned, "a picture is larger than what is looked at")
  let (width, height) = (picture.width * picture.scale, picture.height * picture.scale)
  for code in QRReader.codes(in: picture) {
    for point in code.points {
      // A corner may lie a little outside, where its edges would meet.
      precondition((-width...2 * width).contains(point.x) && (-height...2 * height).contains(point.y), "far away")
    }
  }
}
