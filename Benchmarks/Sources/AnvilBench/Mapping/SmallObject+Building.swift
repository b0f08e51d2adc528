import AnvilJSON

extension SmallObject: JSONEncodable {
  func encode(into json: inout JSON.Builder) throws {
    try json.write(id, at: "id")
    try json.write(name, at: "name")
    try json.write(full_name, at: "full_name")
    try json.write(owner, at: "owner")
    try json.write(ifPresent: description, at: "description")
    try json.write(fork, at: "fork")
    try json.write(stars, at: "stars")
    try json.write(score, at: "score")
    try json.write(ifPresent: language, at: "language")
    try json.write(topics, at: "topics")
    try json.write(archived, at: "archived")
    try json.write(size, at: "size")
  }
}

extension SmallObject.Owner: JSONEncodable {
  func encode(into json: inout JSON.Builder) throws {
    try json.write(login, at: "login")
    try json.write(id, at: "id")
    try json.write(url, at: "url")
    try json.write(site_admin, at: "site_admin")
  }
}

extension Nothing: JSONEncodable {
  func encode(into json: inout JSON.Builder) throws {}
}
