internal import AnvilBase
internal import AnvilStore
internal import AnvilSync
internal import Foundation

/// The table that `anvil pull status` prints.
struct PullStatus {
  let positions: [PullPosition]
  /// The names of the pulls in the configuration file.
  let names: [String]

  /// The text of the table. Each partition has a line with the pull, the state of its listing, the number of pages, the
  /// cursor and the time of the last change.
  var text: String {
    var lines: [[String]] = [["PULL", "LISTING", "PAGES", "CURSOR", "CHANGED"]]
    for name in names {
      let own = positions.filter { $0.pull == name }
      if own.isEmpty { lines.append([name, "never run", "0", "-", "-"]) }
      for position in own {
        let state = position.state
        lines.append([
          position.partition.isEmpty ? name : "\(name)/\(position.partition)",
          state.isListed ? "complete" : "interrupted", "\(state.pages)", position.cursorText ?? "-",
          position.updated.formatted(.iso8601),
        ])
      }
    }
    let widths = lines[0].indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
    return lines.map { line in
      let last = line.count - 1
      let cells = line.indices.map { index in
        line[index] + String(repeating: " ", count: index == last ? 0 : widths[index] - line[index].count)
      }
      return cells.joined(separator: "  ").printable + "\n"
    }.joined()
  }
}
