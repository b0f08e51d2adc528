internal import AnvilDiagnosis
internal import AnvilJSON
internal import AnvilText
internal import Foundation

/// A table of objects. Each object has a row, and each key has a column, in the order of first appearance.
///
/// Strings are printed as text, nested values as compact JSON, and missing members as blanks. Columns of numbers are
/// aligned to the right.
struct JSONTable {
  private struct Column {
    let key: String
    var cells: [String]
    var isNumeric: Bool
  }

  private static let gap = 2
  private static let narrowest = 4

  private var columns: [Column] = []
  private let rowCount: Int

  /// Creates the table of `values`. Returns `nil` if one of them is not an object.
  init?(_ values: [JSON]) {
    rowCount = values.count
    var positions: [String: Int] = [:]
    for (row, value) in values.enumerated() {
      guard value.kind == .object else { return nil }
      for (key, member) in value.members {
        let position = positions[key] ?? columns.count
        if position == columns.count {
          positions[key] = position
          columns.append(Column(key: key, cells: Array(repeating: "", count: values.count), isNumeric: true))
        }
        // If several members have the same key, the first one is used.
        guard columns[position].cells[row].isEmpty else { continue }
        columns[position].cells[row] = Self.text(member)
        if member.kind != .number, member.kind != .null { columns[position].isNumeric = false }
      }
    }
  }

  /// Returns the text of the table.
  ///
  /// - Parameter width: The maximum width of a line. The longest cells are shortened to fit. `nil` means no limit.
  func text(width: Int?, hasColors: Bool) -> String {
    guard !columns.isEmpty else { return rowCount == 0 ? "no rows\n" : "\(rowCount) empty objects\n" }
    let widths = widths(fitting: width)
    var text = line(columns.map(\.key.printable), widths, mark: hasColors ? "\u{1B}[1m" : nil) + "\n"
    if !hasColors { text += widths.map { String(repeating: "-", count: $0) }.joined(separator: "  ") + "\n" }
    for row in 0..<rowCount { text += line(columns.map { $0.cells[row] }, widths, mark: nil) + "\n" }
    return text
  }

  private func line(_ cells: [String], _ widths: [Int], mark: String?) -> String {
    var line = ""
    for (index, cell) in cells.enumerated() {
      let shown = Self.shortened(cell, to: widths[index])
      let blanks = String(repeating: " ", count: widths[index] - shown.displayWidth)
      let text = mark.map { "\($0)\(shown)\u{1B}[0m" } ?? shown
      if index > 0 { line += String(repeating: " ", count: Self.gap) }
      let isLast = index == cells.count - 1
      line += columns[index].isNumeric ? blanks + text : isLast ? text : text + blanks
    }
    while line.last == " " { line.removeLast() }
    return line
  }

  private func widths(fitting width: Int?) -> [Int] {
    var widths = columns.map { column in
      max(column.key.printable.displayWidth, column.cells.map(\.displayWidth).max() ?? 0)
    }
    guard let width else { return widths }
    var excess = widths.reduce(0, +) + Self.gap * (widths.count - 1) - width
    while excess > 0, let widest = widths.indices.max(by: { widths[$0] < widths[$1] }), widths[widest] > Self.narrowest
    {
      widths[widest] -= 1
      excess -= 1
    }
    return widths
  }

  private static func text(_ value: JSON) -> String {
    (value.string ?? String(decoding: value.serializedData(), as: UTF8.self)).printable
  }

  private static func shortened(_ text: String, to width: Int) -> String {
    guard text.displayWidth > width else { return text }
    var shortened = ""
    var used = 1
    for character in text {
      let next = String(character).displayWidth
      guard used + next <= width else { break }
      shortened.append(character)
      used += next
    }
    return shortened + "…"
  }
}
