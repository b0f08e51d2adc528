internal import AnvilBase
internal import AnvilJSON

extension String {
  /// The string as one word of a POSIX shell command. It is put in single quotation marks if a character requires them.
  ///
  /// A string with characters that could control a terminal or are invisible is written as `$'\033[31m'`: each of their bytes is escaped in
  /// octal. Shells support this form since POSIX.1-2024. Line feeds and tabs alone do not require this form, because every shell accepts
  /// them between single quotation marks.
  ///
  /// Source: POSIX.1-2024 XCU 2.2.2 and 2.2.4.
  package var quotedForShell: String {
    if unicodeScalars.contains(where: \.needsOctal) { return "$'\(octalForShell)'" }
    let isPlain =
      !isEmpty
      && utf8.allSatisfy { $0.isLetter || $0.isDigit || [.minus, .period, .slash, .underscore].contains($0) }
    if isPlain { return self }
    return "'\(replacingScalars { $0 == "'" ? #"'\''"# : nil })'"
  }

  private var octalForShell: String {
    replacingScalars { scalar in
      switch scalar {
      case "\\": #"\\"#
      case "'": #"\'"#
      case "\n": #"\n"#
      case "\t": #"\t"#
      case _ where scalar.needsOctal:
        // Always three digits, so that a digit that follows is not part of the escape.
        (UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter).map { "\\" + $0.text(digits: 3, radix: 8) }.joined()
      default: nil
      }
    }
  }
}

extension Unicode.Scalar {
  fileprivate var needsOctal: Bool { self != "\n" && self != "\t" && isUnprintable }
}
