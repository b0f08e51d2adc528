internal import AnvilBase
internal import AnvilDiagnosis
internal import AnvilJSON
internal import Foundation

/// A table with a row for each object and a column for each key, in the order of first appearance. Strings are printed as text, nested
/// values as compact JSON, and missing members as blanks. Columns of numbers are aligned to the right.
struct JSONTable {
  enum Unsuitable: Error, CustomStringConvertible {
    case notObjects
    case tooManyColumns

    var description: String {
      switch self {
      case .notObjects: "is neither an object nor an array of objects, as --table requires"
      case .tooManyColumns:
        "has objects with more than \(JSONTable.columnLimit) different keys, the limit of --table: --path selects a part"
      }
    }
  }

  private struct Column {
    let key: String
    var width: Int
    var isNumeric = true
  }

  /// A cell with a value. A row has no cell for a missing member.
  private struct Cell {
    let column: Int
    let text: String
  }

  static let columnLimit = 1_000
  private static let gap = 2
  private static let narrowest = 4

  private var columns: [Column] = []
  private var rows: [[Cell]] = []

  init(_ values: [JSON]) throws(Unsuitable) {
    var positions: [String: Int] = [:]
    for value in values {
      guard value.kind == .object else { throw .notObjects }
      var cells: [Int: String] = [:]
      for (key, member) in value.members {
        let position = positions[key] ?? columns.count
        if position == columns.count {
          guard position < Self.columnLimit else { throw .tooManyColumns }
          positions[key] = position
          columns.append(Column(key: key, width: key.printable.displayWidth))
        }
        // If several members have the same key, the first one is used.
        guard cells[position] == nil else { continue }
        let text = Self.text(member)
        cells[position] = text
        columns[position].width = max(columns[position].width, text.displayWidth)
        if member.kind != .number, member.kind != .null { columns[position].isNumeric = false }
      }
      rows.append(cells.sorted { $0.key < $1.key }.map { Cell(column: $0.key, text: $0.value) })
    }
  }

  /// Returns the text of the table. The longest cells are shortened so that lines fit in `width`; `nil` means no limit.
  func text(width: Int?, hasColors: Bool) -> String {
    guard !columns.isEmpty else { return rows.isEmpty ? "no rows\n" : "\(rows.count) empty objects\n" }
    let widths = widths(fitting: width)
    let starts = widths.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1 + Self.gap) }
    let keys = columns.indices.map { Cell(column: $0, text: columns[$0].key.printable) }
    var text = line(keys, widths, starts, mark: hasColors ? "\u{1B}[1m" : nil) + "\n"
    if !hasColors { text += widths.map { String(repeating: "-", count: $0) }.joined(separator: "  ") + "\n" }
    for row in rows { text += line(row, widths, starts, mark: nil) + "\n" }
    return text
  }

  private func line(_ cells: [Cell], _ widths: [Int], _ starts: [Int], mark: String?) -> String {
    var line = ""
    var end = 0
    for cell in cells {
      let shown = Self.shortened(cell.text, to: widths[cell.column])
      let width = shown.displayWidth
      let indent = columns[cell.column].isNumeric ? widths[cell.column] - width : 0
      let start = starts[cell.column] + indent
      line += String(repeating: " ", count: start - end) + (mark.map { "\($0)\(shown)\u{1B}[0m" } ?? shown)
      end = start + width
    }
    while line.last == " " { line.removeLast() }
    return line
  }

  /// Returns the widths of the columns. If the line does not fit, the widest columns are narrowed to a common width.
  private func widths(fitting width: Int?) -> [Int] {
    let widths = columns.map(\.width)
    guard let width else { return widths }
    let available = width - Self.gap * (widths.count - 1)
    guard widths.reduce(0, +) > available else { return widths }
    func sum(_ limit: Int) -> Int { widths.reduce(0) { $0 + min($1, limit) } }
    var limit = Self.narrowest
    var excluded = max(widths.max() ?? 0, limit + 1)
    while excluded - limit > 1 {
      let middle = (limit + excluded) / 2
      if sum(middle) <= available { limit = middle } else { excluded = middle }
    }
    var rest = available - sum(limit)
    var narrowed = widths.map { min($0, limit) }
    for index in widths.indices.reversed() where widths[index] > limit && rest > 0 {
      narrowed[index] += 1
      rest -= 1
    }
    return narrowed
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
