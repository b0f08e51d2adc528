import AnvilDiagnosis
import AnvilJSON
import Testing

@Suite struct WideFieldTests {
  @Test func thirtyMissingFieldsAreThirtyErrors() throws {
    do {
      _ = try WideFields.decode(JSON(parsing: "{}"))
      Issue.record("nothing is there")
    } catch let error as JSONDecodingErrors {
      // A missing object with four looked-up members is reported once.
      let keys = error.errors.compactMap { ($0 as? MissingKeyError)?.key.description }
      #expect(keys.count == error.errors.count)
      #expect(Set(keys).count == keys.count)
      #expect(keys.contains("n"))
      #expect(keys.contains("p1") && keys.contains("p26"))
      #expect(!keys.contains("p5"))
    }
  }
}
