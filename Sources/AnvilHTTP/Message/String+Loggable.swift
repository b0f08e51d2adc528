internal import AnvilJSON

extension String {
  /// The first 40 characters as they can stand in a line of a log: what a server sent must neither fill it nor steer a terminal.
  package var loggable: String { printable(limit: 40) }
}
