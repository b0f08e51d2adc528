#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// An optional dynamic library that is loaded at run time. Most builds of libcurl already depend on the libraries that are used here.
@safe
struct LoadedLibrary {
  private let handle: UnsafeMutableRawPointer

  /// Loads the first available library of these names. It is never unloaded.
  init?(_ names: String...) {
    for name in names.flatMap(Self.paths(of:)) {
      if let handle = unsafe dlopen(name, RTLD_NOW | RTLD_LOCAL) {
        unsafe self.handle = handle
        return
      }
    }
    return nil
  }

  /// Returns the paths at which a library is searched. On macOS, the system searches the folder of Homebrew only on Intel processors.
  static func paths(of name: String) -> [String] {
    name.hasSuffix(".dylib") ? [name, "/opt/homebrew/lib/\(name)", "/usr/local/lib/\(name)"] : [name]
  }

  /// Returns the function `name`.
  ///
  /// Safety: `Function` must be the function's type in the library's header, as a `@convention(c)` type.
  @unsafe
  func function<Function>(_ name: String, as type: Function.Type) -> Function? {
    guard let symbol = unsafe dlsym(handle, name) else { return nil }
    return unsafe unsafeBitCast(symbol, to: type)
  }
}
