import Testing

@testable import AnvilCommands

/// The text of the progress bar.
struct ProgressBarTests {
  @Test(arguments: [
    (126_000_000, 300_000_000, 97.1e6, " 42 % [############                  ] 126 MB of 300 MB, 97.1 MB/s, 0:02 left"),
    (0, 10, 0, "  0 % [                              ] 0 B of 10 B, 0 B/s"),
    (10, 10, 5, "100 % [##############################] 10 B of 10 B, 5 B/s, 0:00 left"),
    (
      1_000_000, 100_000_000_000, 1e6,
      "  0 % [                           ] 1.00 MB of 100 GB, 1.00 MB/s, 27:46:39 left"
    ),
  ])
  func lineFitsEightyColumns(count: Int, total: Int, rate: Double, line: String) {
    #expect(ProgressBar.line(count: count, total: total, rate: rate, width: 80) == line)
    #expect(line.count < 80)
  }

  @Test func narrowTerminalHasNoBar() {
    #expect(ProgressBar.line(count: 1, total: 2, rate: 1, width: 40) == " 50 % 1 B of 2 B, 1 B/s, 0:01 left")
    #expect(ProgressBar.line(count: 1, total: 2, rate: 1, width: 10) == " 50 % 1 B")
  }

  @Test func unknownLengthHasNoFraction() {
    #expect(ProgressBar.line(count: 12_345, total: nil, rate: 999.6, width: 80) == "12.3 kB, 1.00 kB/s")
  }
}
