import Anvil

enum LandingPageSamples {
  /// Compiled only: the sample's server does not exist. `ShortCallProgramTests` makes the same call.
  static func call(id: Int) async throws(APIError) -> User {
    // sample: call
    let api = Gateway("https://api.example.com/v1").failing(as: APIError.self)
    let user = try await api.get("users/\(id)", as: User.self)
    // end sample
    return user
  }
}
