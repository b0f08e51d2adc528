import AnvilClient
import Foundation
import Testing

@Suite struct AnyErrorTests {
  private struct Refusal: Error, CustomStringConvertible {
    var description = "the door is shut"
  }

  @Test func hasTheDescriptionOfTheWrappedError() {
    let error = AnyError(Refusal())
    #expect(error.description == "the door is shut")
    #expect(error.errorDescription == "the door is shut")
    #expect(error.localizedDescription == "the door is shut")
  }
}
