internal import AnvilText

extension GregorianDay {
  /// The seconds since 1970 of 15 October 1582. Foundation uses the Julian calendar before that day.
  static var firstOfFoundation: Double { -12_219_292_800 }
}
