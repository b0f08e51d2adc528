/// A compression level of gzip: a trade-off between the speed and the size of the result.
public struct GzipLevel: Hashable, Sendable {
  let number: Int32

  /// The fastest compression, with the largest result: level 1.
  public static let fastest = GzipLevel(number: 1)
  /// A compromise between speed and size: level 6.
  public static let standard = GzipLevel(number: 6)
  /// The smallest result, with the slowest compression: level 9.
  public static let smallest = GzipLevel(number: 9)
}
