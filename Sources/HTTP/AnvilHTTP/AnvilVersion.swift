/// The version of the package, as used by tools and the `User-Agent` field.
package enum AnvilVersion {
  /// The version in the format of Semantic Versioning. Source: semver.org.
  package static let current = "0.1.0"
  /// The date of the last change: the manual page has it, because the time of the build would make each build different.
  package static let date = "2026-11-24"
}
