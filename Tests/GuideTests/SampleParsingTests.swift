import Testing

/// The parsers that `DocumentSampleTests` uses. If they found nothing, those tests would always pass.
@Suite struct SampleParsingTests {
  private func lines(_ texts: String...) -> [SampleLine] { texts.compactMap { SampleLine(Substring($0)) } }

  @Test func fencesAreFoundWithLanguageAndPlace() {
    let document = MarkdownDocument(
      """
      # Title

      ```swift
      let a = 1

        let b   = 2
      ```

      - an item

        ```text, wrap=80
        - ``x``
        ```

      ```
      untagged
      """)
    #expect(
      document.fences == [
        MarkdownDocument.Fence(language: "swift", line: 3, lines: lines("let a = 1", "let b = 2")),
        MarkdownDocument.Fence(language: "text", line: 11, lines: lines("- ``x``")),
        MarkdownDocument.Fence(language: "", line: 15, lines: lines("untagged")),
      ])
    #expect(document.indentedCode == [])
  }

  @Test func indentedCodeIsFound() {
    let text =
      "Text\n    continued\n\n    let a = 1\n    let b = 2\n\n- item\n\n    its second paragraph\n\nText\n\n    c\n"
    #expect(MarkdownDocument(text).indentedCode == [4, 13])
  }

  @Test func piecesOfOneNameAreOneSample() throws {
    let source = """
      // sample: a
      struct A {}
      // end sample
      func run() {
        // sample: b
        print(1)
        // end sample
        let hidden = A()

        // sample: a
        print(  hidden)
        // end sample
      }
      """
    #expect(
      try Sample.marked(in: source, file: "F") == [
        Sample(name: "a", file: "F", lines: lines("struct A {}", "print( hidden)")),
        Sample(name: "b", file: "F", lines: lines("print(1)")),
      ])
  }

  @Test func differencesReferToTheClosestSample() {
    let samples = [
      Sample(name: "a", file: "F", lines: lines("let a = 1", "let b = 2")),
      Sample(name: "b", file: "G", lines: lines("let a = 1", "print(a)", "exit()")),
    ]
    func difference(_ texts: String...) -> String? {
      MarkdownDocument.Fence(language: "swift", line: 1, lines: texts.compactMap { SampleLine(Substring($0)) })
        .difference(from: samples)
    }
    #expect(difference("let a = 1", "let b = 2") == nil)
    #expect(difference("  let a =  1", "", "print(a)", "exit()") == nil)
    #expect(
      difference("let a = 1", "print(b)", "exit()")
        == "no sample has this code; the closest, a of F, has `let b = 2` instead of `print(b)`")
    #expect(
      difference("let a = 1", "print(a)")
        == "no sample has this code; the closest, b of G, has `exit()` instead of the end")
    #expect(difference("let a = 1", "let b = 2", "x")?.hasSuffix("a of F, has the end instead of `x`") == true)
    #expect(difference("x") == "no sample has this code, and none has a similar beginning")
  }

  @Test(arguments: [
    ("// sample: a\n// sample: b", 2, "a sample within a sample"), ("x\n// end sample", 2, "no sample to end"),
    ("// sample: a\nx\n", 3, "a sample without an end"), ("// sample:", 1, "no name"),
  ])
  func marksThatDoNotMatchAreErrors(source: String, line: Int, reason: String) {
    #expect(throws: Sample.MarkError(file: "F", line: line, reason: reason)) {
      try Sample.marked(in: source, file: "F")
    }
  }
}
