public import AnvilClient

extension PublicSuffixes {
  /// The newest list of public suffixes on this machine, by libpsl, which libcurl usually is built with; `nil` without
  /// it.
  public static var installed: PublicSuffixes? {
    PublicSuffixLibrary.shared.map { library in PublicSuffixes { library.contains($0) } }
  }
}
