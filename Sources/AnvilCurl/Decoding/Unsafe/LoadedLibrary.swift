#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A library that is used where it is there. libcurl itself usually is built with these.
@safe
struct LoadedLibrary {
  private let handle: UnsafeMutableRawPointer

  /// The first library of these names that can be loaded. It stays loaded.
  init?(_ names: String...) {
    for name in names {
      if let handle = unsafe dlopen(name, RTLD_NOW | RTLD_LOCAL) {
        unsafe self.handle = handle
        return
      }
    }
    return nil
  }

  /// The function `name`.
  ///
  /// Safety: `Function` is its type, a `@convention(c)` one, as the library's header has it.
  @unsafe
  func function<Function>(_ name: String, as type: Function.Type) -> Function? {
    guard let symbol = unsafe dlsym(handle, name) else { return nil }
    return unsafe unsafeBitCast(symbol, to: type)
  }
}
