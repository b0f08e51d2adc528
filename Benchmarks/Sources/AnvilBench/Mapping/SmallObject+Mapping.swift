import AnvilJSON

extension SmallObject.Owner: JSONDecodable {
  static func decode(_ json: JSON) throws -> Self {
    try Self(
      login: json => "login",
      id: json => "id",
      url: json => "url",
      site_admin: json => "site_admin"
    )
  }
}

extension SmallObject: JSONDecodable {
  static func decode(_ json: JSON) throws -> Self {
    try Self(
      id: json => "id",
      name: json => "name",
      full_name: json => "full_name",
      owner: json => "owner",
      description: json =>? "description",
      fork: json => "fork",
      stars: json => "stars",
      score: json => "score",
      language: json =>? "language",
      topics: json => "topics",
      archived: json => "archived",
      size: json => "size"
    )
  }
}

extension Nothing: JSONDecodable {
  static func decode(_ json: JSON) throws -> Self { Self() }
}
