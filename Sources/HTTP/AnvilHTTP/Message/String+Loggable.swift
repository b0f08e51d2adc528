internal import AnvilBase

extension String {
  /// The first 40 Unicode scalars, made printable, for use in a log line. Text from a server must not flood a log or control a terminal.
  package var loggable: String { printable(limit: 40) }
}
