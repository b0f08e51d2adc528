/// The version of the package, as tools and the `User-Agent` field say it.
package enum AnvilVersion {
  /// Source: semver.org.
  package static let current = "0.1.0"
}
