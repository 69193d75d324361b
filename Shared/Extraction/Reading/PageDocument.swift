import HTML

extension HTMLDocument {
  /// A page as its bytes came, within what one page may cost.
  static func page(
    _ bytes: [UInt8], as source: PageSource, limits: ExtractionLimits
  ) throws(ExtractionError) -> HTMLDocument {
    guard bytes.count <= limits.bytes else { throw .tooLarge(limit: limits.bytes) }
    var own = HTMLDocument.Limits()
    own.bytes = limits.bytes
    own.decodedBytes = limits.bytes * 3 / 2
    own.depth = limits.elementDepth
    do throws(HTMLError) {
      return try parse(
        UnderlinedText.page(bytes) ?? bytes, contentCharset: source.charset, url: source.url, limits: own)
    } catch { throw .page(error) }
  }
}
