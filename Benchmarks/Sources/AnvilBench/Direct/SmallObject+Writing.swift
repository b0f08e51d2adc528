import AnvilJSON

extension SmallObject: JSONWritable {
  func write(to writer: inout JSON.Writer) {
    writer.object { members in
      members.write("id", id)
      members.write("name", name)
      members.write("full_name", full_name)
      members.write("owner", owner)
      members.write("description", ifPresent: description)
      members.write("fork", fork)
      members.write("stars", stars)
      members.write("score", score)
      members.write("language", ifPresent: language)
      members.write("topics", topics)
      members.write("archived", archived)
      members.write("size", size)
    }
  }
}

extension SmallObject.Owner: JSONWritable {
  func write(to writer: inout JSON.Writer) {
    writer.object { members in
      members.write("login", login)
      members.write("id", id)
      members.write("url", url)
      members.write("site_admin", site_admin)
    }
  }
}

extension Nothing: JSONWritable {
  func write(to writer: inout JSON.Writer) {
    writer.object { _ in }
  }
}
