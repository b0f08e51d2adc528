import Testing

/// Diagnostics of stored models.
extension DiagnosticTests {
  @Test func storedModelsThatAreNotStructsAreReported() {
    expect(
      "@StoredModel final class A { var a: Int = 0 }",
      "1:20: a stored model must be a struct: its properties are the columns of a row")
    expect("@StoredModel struct A {}", "1:14: a stored model needs a property to store")
    expect(
      "@StoredModel struct A<T: Codable> { var a: T }",
      "1:22: a stored model cannot be generic: its table has one set of columns")
  }

  @Test func repeatedColumnsAreReported() {
    expect(
      """
      @StoredModel struct A {
        @Column("Name") var a: Int
        var name: String
      }
      """, "3:7: a already has the column name")
    expect(
      """
      @JSONCodable @StoredModel struct A {
        @CodableIgnored @Column("x") var a = 1
        @Column("") var b: Int
        @Column(name) var c: Int
      }
      """, "2:19: an ignored property has no column", "3:3: a column needs a name",
      "4:11: the name of a column must be a string literal")
    expect(
      """
      @JSONCodable struct A {
        @Column("b") var a: Int
        @MatchKey var id: Int
      }
      """, "2:3: @Column has no effect without @StoredModel on the type",
      "3:3: @MatchKey has no effect without @StoredModel on the type")
  }

  @Test func invalidMatchKeysAreReported() {
    expect(
      """
      @JSONCodable @StoredModel struct A {
        @MatchKey var a: Int?
        @MatchKey @CodingKey("b", "c") var b: Int
      }
      """, "2:17: a match key cannot be nil: the row could not be found again",
      "3:38: a match key must be a single key, because it is read before the payload is decoded")
  }

  @Test func aStoredModelReportsEachErrorOnce() {
    expect("@JSONCodable @StoredModel struct A { var a = 1 }", "1:42: a macro cannot infer types: write the type of a")
    expect("@StoredModel struct A { var a = 1 }", "1:29: a macro cannot infer types: write the type of a")
  }
}
