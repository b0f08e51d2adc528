public import AnvilClient

extension PublicSuffixes {
  /// The newest list of public suffixes on this machine; `nil` if libpsl is missing. Most builds of libcurl depend on libpsl.
  public static var installed: PublicSuffixes? {
    PublicSuffixLibrary.shared.map { library in PublicSuffixes { library.contains($0) } }
  }
}
