import AnvilBase

/// This process's environment. Change it only in a separate process, while no other thread reads it.
package enum Environment {
  /// Sets a variable; `nil` removes it.
  package static func set(_ name: String, _ value: String?) {
    // Safety: both strings are copied.
    if let value { _ = unsafe setenv(name, value, 1) } else { _ = unsafe unsetenv(name) }
  }
}
