/// The version of the package, as used by tools and the `User-Agent` field.
package enum AnvilVersion {
  /// The version in the format of Semantic Versioning. Source: semver.org.
  package static let current = "0.1.0"
}
