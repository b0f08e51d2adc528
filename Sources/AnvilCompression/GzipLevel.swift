/// How much time compression takes for how much size.
public struct GzipLevel: Hashable, Sendable {
  let number: Int32

  /// Fast, and larger: level 1.
  public static let fastest = GzipLevel(number: 1)
  /// Level 6, a compromise.
  public static let standard = GzipLevel(number: 6)
  /// The smallest, and slow: level 9.
  public static let smallest = GzipLevel(number: 9)
}
