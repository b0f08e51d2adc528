import AnvilJSON

// What a macro would write for each model, or a person.

extension SmallObject: JSONReadable {
  static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Self {
    var id: Int?
    var name: String?
    var full_name: String?
    var owner: Owner?
    var description: String??
    var fork: Bool?
    var stars: Int?
    var score: Double?
    var language: String??
    var topics: [String]?
    var archived: Bool?
    var size: Int?
    try reader.beginObject()
    repeat {
      try reader.read("id", into: &id)
      try reader.read("name", into: &name)
      try reader.read("full_name", into: &full_name)
      try reader.read("owner", into: &owner)
      try reader.read("description", into: &description)
      try reader.read("fork", into: &fork)
      try reader.read("stars", into: &stars)
      try reader.read("score", into: &score)
      try reader.read("language", into: &language)
      try reader.read("topics", into: &topics)
      try reader.read("archived", into: &archived)
      try reader.read("size", into: &size)
    } while try reader.hasMoreMembers()
    return try Self(
      id: reader.require(id, "id"),
      name: reader.require(name, "name"),
      full_name: reader.require(full_name, "full_name"),
      owner: reader.require(owner, "owner"),
      description: description ?? nil,
      fork: reader.require(fork, "fork"),
      stars: reader.require(stars, "stars"),
      score: reader.require(score, "score"),
      language: language ?? nil,
      topics: reader.require(topics, "topics"),
      archived: reader.require(archived, "archived"),
      size: reader.require(size, "size"))
  }
}

extension SmallObject.Owner: JSONReadable {
  static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Self {
    var login: String?
    var id: Int?
    var url: String?
    var site_admin: Bool?
    try reader.beginObject()
    repeat {
      try reader.read("login", into: &login)
      try reader.read("id", into: &id)
      try reader.read("url", into: &url)
      try reader.read("site_admin", into: &site_admin)
    } while try reader.hasMoreMembers()
    return try Self(
      login: reader.require(login, "login"),
      id: reader.require(id, "id"),
      url: reader.require(url, "url"),
      site_admin: reader.require(site_admin, "site_admin"))
  }
}

extension Nothing: JSONReadable {
  static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Self {
    try reader.beginObject()
    while try reader.hasMoreMembers() {}
    return Self()
  }
}
