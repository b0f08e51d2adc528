#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// This process's environment: to be changed only in a process of one's own, when no other thread reads it.
enum Environment {
  /// Sets a variable; `nil` takes it away.
  static func set(_ name: String, _ value: String?) {
    // Safety: both texts are copied.
    if let value { _ = unsafe setenv(name, value, 1) } else { _ = unsafe unsetenv(name) }
  }
}
