extension String {
  /// The first 40 characters, control characters shown as `\\u{1B}`: what a server sent must not steer a terminal.
  package var loggable: String {
    let shown = prefix(40).unicodeScalars.map { scalar in
      scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format
        ? "\\u{\(String(scalar.value, radix: 16, uppercase: true))}" : String(scalar)
    }
    return shown.joined() + (count > 40 ? "…" : "")
  }
}
