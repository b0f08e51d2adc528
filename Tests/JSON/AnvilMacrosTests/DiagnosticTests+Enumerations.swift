import Testing

/// Diagnostics of enumerations.
extension DiagnosticTests {
  @Test func valuesWithTheSameTagAreReported() {
    let message = "is identified by the member op too, and an object has it only once: add content: to @JSONTagged"
    expect(
      """
      @JSONCodable @JSONTagged(by: "op")
      indirect enum Expression {
        case neg(Expression)
        case inner(Inner)
        case other(Other)
        case number(value: Int)
        case sum(Expression, Expression)
        @JSONCodable @JSONTagged(by: "op") enum Inner { case a }
        @JSONCodable @JSONTagged(by: "other") enum Other { case a(Expression) }
      }
      """, "3:12: Expression \(message)", "4:14: Inner \(message)")
    expect(
      """
      @JSONCodable @JSONTagged(by: "op")
      enum Outer {
        case a(x: Int)
        @JSONCodable @JSONTagged(by: "op") indirect enum Inner { case b(Outer), c(Self) }
      }
      """, "4:67: Outer \(message)", "4:77: Self \(message)")
    expect("@JSONCodable @JSONTagged(by: \"op\", content: \"c\") indirect enum A { case neg(A) }")
    expect(
      "@JSONCodable @JSONTagged(by: \"op\") indirect enum A { case a; @CodableUnknown case other(A) }",
      "1:89: a value of other would contain itself without end: use another type, such as JSON")
  }

  @Test func tagsThatAreNotStringsNeedAMember() {
    let message = "a number or a Boolean identifies a case only with @JSONTagged(by:): write a string literal"
    expect("@JSONCodable enum A { @CodingKey(1) case a(x: Int) }", "1:23: \(message)")
    expect("@JSONCodable @JSONTagged enum A { @CodableAlias(1) case a(x: Int) }", "1:35: \(message)")
    expect("@JSONCodable struct A { @CodingKey(1) var a: Int }", "1:36: a key must be a string literal")
    expect(
      "@JSONCodable @JSONTagged(by: \"t\") enum A { @CodingKey(1) case a; @CodingKey(\"1\") case b }",
      "1:87: the cases a and b have the same key 1")
    expect(
      "@JSONCodable @JSONTagged(by: \"t\") enum A { @CodingKey(x) case a }",
      "1:55: a key must be a literal: a string, a whole number or a Boolean")
    expect("@JSONCodable @JSONTagged(by: \"t\") enum A { @CodingKey(-1) case a; @CodingKey(false) case b(x: Int) }")
  }

  @Test func missingKeysOfCasesAreReported() {
    expect(
      """
      @JSONCodable enum A {
        case a(x: Int, y: Int), b
        enum CodingKeys: CodingKey { case a }
        enum ACodingKeys: CodingKey { case x }
      }
      """, "2:18: ACodingKeys has no case y", "2:27: CodingKeys has no case b")
  }

  @Test func enumerationsWithoutAvailableCasesAreReported() {
    expect(
      "@JSONCodable enum A { @available(*, unavailable, message: \"b\") case a(x: Int) }",
      "1:19: an enum without cases has no values to code")
    expect("@JSONCodable enum A { @available(*, unavailable) case a(() -> Void); @available(*, deprecated) case b }")
  }

  @Test func functionsInCasesAreReported() {
    expect(
      "@JSONCodable enum A { case f(() -> Void), g(x: @Sendable (Int) -> Int), h((Int, Int)), i((Int)) }",
      "1:30: a function cannot be coded: use a named type", "1:45: a function cannot be coded: use a named type",
      "1:75: a tuple cannot be coded: use a named type")
  }

  @Test func keysThatEqualTheTagAreReported() {
    expect(
      """
      @JSONCodable @JSONTagged(by: "type")
      enum A {
        case a(type: Int)
        case b(Box)
        case c(kind: Int)
      }
      """, "3:10: the key type is already the key of the tag")
    expect(
      """
      @JSONCodable @JSONTagged(by: "type", content: "type")
      enum A { case a(Int) }
      """, "1:14: the tag and the content have the same key type")
    expect(
      """
      @JSONCodable @JSONTagged(by: "type")
      enum A {
        case a(Int)
        case b([Box])
        case c(Box?)
        case d(JSON)
        case e(_ value: Date)
      }
      """,
      "3:10: the tag is a member of the value, but Int has no members: add content: to @JSONTagged",
      "4:10: the tag is a member of the value, but [Box] has no members: add content: to @JSONTagged",
      "5:10: the tag is a member of the value, but Box? has no members: add content: to @JSONTagged",
      "6:10: the tag is a member of the value, but JSON has no members: add content: to @JSONTagged",
      "7:10: the tag is a member of the value, but Date has no members: add content: to @JSONTagged")
  }

  @Test func tagsOfOtherTypesAreReported() {
    expect(
      "@JSONCodable @JSONTagged(by: \"a\") struct A {}", "1:14: @JSONTagged is for enums with associated values")
    expect(
      "@JSONCodable @JSONTagged enum A: String { case a }",
      "1:14: an enum with raw values is coded by them: remove @JSONTagged")
    expect(
      #"@JSONCodable @JSONTagged(by: tag) enum A { case a }"#, "1:30: a key must be a string literal")
  }

  @Test func invalidUnknownCasesAreReported() {
    expect(
      "@JSONCodable enum A { case a; @CodableUnknown case b; @CodableUnknown case c }",
      "1:76: only one case can be @CodableUnknown")
    expect(
      "@JSONCodable enum A { case a; @CodableUnknown case b(x: String) }",
      "1:52: a case for unknown texts can have one associated value without a label, or none")
    expect(
      "@JSONCodable enum A { case a(Int); @CodableUnknown case b(String) }",
      "1:57: b needs @JSONTagged: without a tag, an unknown value is not recognized")
  }
}
