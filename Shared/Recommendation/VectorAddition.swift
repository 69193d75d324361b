/// `sum += row × factor`, eight numbers at a time.
///
/// Written as a product and a sum, which no compiler may join, so that every processor rounds alike.
@inline(__always)
func addRow(
  _ row: UnsafePointer<Float>, times factor: Float, count: Int, to sum: UnsafeMutablePointer<Float>
) {
  let (from, into) = (UnsafeRawPointer(row), UnsafeMutableRawPointer(sum))
  let factors = SIMD8<Float>(repeating: factor)
  let stride = MemoryLayout<Float>.stride
  var place = 0
  while place + 16 <= count {
    let (first, second) = (place * stride, (place + 8) * stride)
    let a = into.loadUnaligned(fromByteOffset: first, as: SIMD8<Float>.self)
    let b = into.loadUnaligned(fromByteOffset: second, as: SIMD8<Float>.self)
    let c = a + from.loadUnaligned(fromByteOffset: first, as: SIMD8<Float>.self) * factors
    let d = b + from.loadUnaligned(fromByteOffset: second, as: SIMD8<Float>.self) * factors
    into.storeBytes(of: c, toByteOffset: first, as: SIMD8<Float>.self)
    into.storeBytes(of: d, toByteOffset: second, as: SIMD8<Float>.self)
    place += 16
  }
  while place < count {
    sum[place] += row[place] * factor
    place += 1
  }
}
