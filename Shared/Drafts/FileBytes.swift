extension Collection<UInt8> {
  /// A file's bytes without the mark that programs of Windows put before a text, which readers may ignore (RFC 8259, 8.1).
  package var withoutByteOrderMark: SubSequence {
    starts(with: [0xEF, 0xBB, 0xBF]) ? dropFirst(3) : self[...]
  }
}
