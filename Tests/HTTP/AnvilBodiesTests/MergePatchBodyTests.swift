import AnvilBodies
import AnvilHTTP
import AnvilJSON
import Foundation
import Testing

@Suite struct MergePatchBodyTests {
  private struct Profile: Codable, Equatable {
    struct Address: Codable, Equatable {
      var city: String
      var zip: String
    }

    var userName: String
    var nickname: String?
    var address: Address
    var tags: [String]
  }

  private static let profile = Profile(
    userName: "ada", nickname: "al", address: Profile.Address(city: "London", zip: "W1"), tags: ["a"])

  @Test func theBodyContainsTheDifferenceOfTwoModels() async throws {
    var changed = Self.profile
    changed.nickname = nil
    changed.address.zip = "NW1"
    let body = HTTP.Body.mergePatch(from: Self.profile, to: changed)
    #expect(body.contentType == "application/merge-patch+json")
    let patch = try await JSON(parsing: body.collect())
    #expect(patch == ["nickname": nil, "address": ["zip": "NW1"]])
    let patched = try JSON(parsing: JSON.Encoder().encode(Self.profile)).applying(mergePatch: patch)
    #expect(try JSON.Decoder().decode(Profile.self, from: patched) == changed)
  }

  @Test func modelsAreWrittenInTheFormat() throws {
    let encoder = JSON.Encoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    var changed = Self.profile
    changed.userName = "lovelace"
    let text = #"{"user_name":"lovelace"}"#
    #expect(try HTTP.Body.mergePatch(from: Self.profile, to: changed, with: encoder).encoded().string == text)
    var body = HTTP.Body.mergePatch(from: Self.profile, to: changed)
    body.encodingFormat = encoder
    #expect(try body.encoded().string == text)
  }

  @Test func equalModelsHaveAnEmptyPatch() throws {
    #expect(try HTTP.Body.mergePatch(from: Self.profile, to: Self.profile).encoded().string == "{}")
  }

  @Test func aFormatOtherThanJSONIsRejected() {
    let body = HTTP.Body.mergePatch(from: Self.profile, to: Self.profile, with: PropertyListEncoder())
    let error = #expect(throws: HTTP.BodyError.self) { try body.encoded() }
    #expect(error?.description == "a value of type Profile cannot be encoded: application/x-plist is not JSON")
  }

  @Test func patchesCanBeCreatedFromJSONValues() throws {
    let body = try HTTP.Body.mergePatch(from: ["a": 1, "b": 2] as JSON, to: ["a": 1, "b": 3] as JSON).encoded()
    #expect(body.string == #"{"b":3}"# && body.contentType == .applicationMergePatchJSON)
  }
}
