/// The version of the package, as used by tools and the `User-Agent` field.
package enum AnvilVersion {
  /// Source: semver.org.
  package static let current = "0.1.0"
}
