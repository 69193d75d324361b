import QRReading

/// So that what is slow here is a finding, and no large picture.
private var smallPictures: QRReader.Limits {
  var limits = QRReader.Limits()
  limits.squares = 40_000
  limits.squaresScanned = 10_000
  return limits
}

/// Any bytes are a picture, or are refused; what is found lies in it.
func fuzzPictures(_ input: UnsafeBufferPointer<UInt8>) {
  let limits = smallPictures
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

/// The control of `pictures`: the same pictures, with a bug planted behind their reading. That it is found shows that what
/// the fuzzer makes up is unpacked, as far as its rows.
func fuzzPicturesControl(_ input: UnsafeBufferPointer<UInt8>) {
  guard let picture = try? GreyPicture(Array(input), limits: smallPictures) else { return }
  // The planted bug: that every picture is as high as it is wide is believed, as each of the seeds is.
  precondition(picture.width == picture.height)
}
