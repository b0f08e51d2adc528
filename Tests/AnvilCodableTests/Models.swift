import AnvilCodable

@JSONCodable
struct User: Equatable {
  var id: Int
  @CodingKey("full_name") var name: String
  @CodableDefault([]) var tags: [String]
  var company: String?
}
