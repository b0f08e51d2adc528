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

  @Test func theBodyIsTheDifferenceOfTwoModels() throws {
    var changed = Self.profile
    changed.nickname = nil
    changed.address.zip = "NW1"
    let body = try HTTP.Body.mergePatch(from: Self.profile, to: changed)
    #expect(body.contentType == "application/merge-patch+json")
    let patch = try JSON(parsing: #require(body.data))
    #expect(patch == ["nickname": nil, "address": ["zip": "NW1"]])
    let patched = try JSON(parsing: JSON.Encoder().encode(Self.profile)).applying(mergePatch: patch)
    #expect(try JSON.Decoder().decode(Profile.self, from: patched) == changed)
  }

  @Test func modelsAreWrittenByTheEncoder() throws {
    let encoder = JSON.Encoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    var changed = Self.profile
    changed.userName = "lovelace"
    #expect(
      try HTTP.Body.mergePatch(from: Self.profile, to: changed, encoder: encoder).string == #"{"user_name":"lovelace"}"#
    )
  }

  @Test func equalModelsMakeAnEmptyPatch() throws {
    #expect(try HTTP.Body.mergePatch(from: Self.profile, to: Self.profile).string == "{}")
  }

  @Test func valuesOfJSONAreCompared() throws {
    let body = try HTTP.Body.mergePatch(from: ["a": 1, "b": 2] as JSON, to: ["a": 1, "b": 3] as JSON)
    #expect(body.string == #"{"b":3}"# && body.contentType == .applicationMergePatchJSON)
  }
}
