public import AnvilClient

extension PublicSuffixes {
  /// The newest list of public suffixes on this machine, from libpsl, which most builds of libcurl use; `nil` if libpsl is missing.
  public static var installed: PublicSuffixes? {
    PublicSuffixLibrary.shared.map { library in PublicSuffixes { library.contains($0) } }
  }
}
