internal import AnvilBase
internal import AnvilBodies

/// The functions of libpsl that are used here. Source: libpsl.h, unchanged since 0.16.
///
/// `@unchecked Sendable`: both properties are constants. According to libpsl's documentation, any thread may call the functions with the
/// list.
@safe
struct PublicSuffixLibrary: @unchecked Sendable {
  typealias Latest = @convention(c) (UnsafePointer<CChar>?) -> OpaquePointer?
  typealias IsSuffix = @convention(c) (OpaquePointer?, UnsafePointer<CChar>?) -> Int32

  // Safety: created once, and never freed.
  private let list: OpaquePointer
  private let isSuffix: IsSuffix

  /// The library with the newest list on this machine; `nil` if it is not installed.
  static let shared: PublicSuffixLibrary? = {
    guard let library = LoadedLibrary("libpsl.so.5", "libpsl.5.dylib"),
      // Safety: the types are those of the header.
      let latest = unsafe library.function("psl_latest", as: Latest.self),
      let isSuffix = unsafe library.function("psl_is_public_suffix", as: IsSuffix.self),
      // Safety: without a file name, libpsl considers the system's list and its built-in one.
      let list = unsafe latest(nil)
    else { return nil }
    return unsafe PublicSuffixLibrary(list: list, isSuffix: isSuffix)
  }()

  /// Returns `true` if `domain` is a public suffix. It must be in lower case.
  func contains(_ domain: String) -> Bool {
    // Safety: the list lives for ever, the domain is a NUL-terminated copy for the length of the call.
    unsafe isSuffix(list, domain) != 0
  }
}
