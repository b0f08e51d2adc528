import Testing

@testable import AnvilSchema

struct NameTests {
  @Test(arguments: [
    ("people", "person"), ("salespeople", "salesperson"), ("children", "child"), ("women", "woman"),
    ("addresses", "address"), ("address", "address"), ("statuses", "status"), ("status", "status"), ("data", "data"),
    ("news", "news"), ("series", "series"), ("media", "media"), ("metadata", "metadata"), ("categories", "category"),
    ("boxes", "box"), ("matches", "match"), ("batches", "batch"), ("branches", "branch"), ("caches", "cache"),
    ("dishes", "dish"), ("classes", "class"), ("cases", "case"), ("databases", "database"), ("courses", "course"),
    ("responses", "response"), ("houses", "house"), ("uses", "use"), ("viruses", "virus"), ("buses", "bus"),
    ("sizes", "size"), ("heroes", "hero"), ("photos", "photo"), ("movies", "movie"), ("cookies", "cookie"),
    ("leaves", "leaf"), ("moves", "move"), ("indices", "index"), ("indexes", "index"), ("matrices", "matrix"),
    ("prices", "price"), ("analyses", "analysis"), ("analysis", "analysis"), ("keys", "key"), ("urls", "url"),
    ("ids", "id"), ("aliases", "alias"), ("quizzes", "quiz"), ("criteria", "criterion"), ("s", "s"), ("user", "user"),
    ("licenses", "license"), ("exercises", "exercise"), ("mice", "mouse"), ("clauses", "clause"), ("axes", "axis"),
  ])
  func pluralsHaveSingulars(plural: String, singular: String) {
    #expect(Singular.form(of: plural) == singular)
  }

  @Test(arguments: [
    ("id", "id"), ("created_at", "createdAt"), ("createdAt", "createdAt"), ("avatarUrl", "avatarUrl"),
    ("aUrlOf0", "aUrlOf0"),
    ("aUrlOf9", "aUrlOf9"),
    ("avatar_url", "avatarURL"), ("user_ids", "userIDs"), ("Name", "name"), ("ID", "id"), ("URLPath", "urlPath"),
    ("HTMLBody", "htmlBody"), ("content-type", "contentType"), ("first name", "firstName"), ("@type", "type"),
    ("$ref", "ref"), ("_id", "id"), ("2x", "_2x"), ("+1", "plus1"), ("-1", "minus1"), ("", "empty"), ("*", "star"),
    ("+-*@#", "plusMinusStarAt"),
    ("größe", "größe"), ("日本", "日本"), ("😀", "member"), ("class", "class"), ("self", "selfValue"), ("init", "initValue"),
    ("hashValue", "hashValue" + "Value"), ("a.b/c", "aBC"), ("x1_y2", "x1Y2"), ("SCREAMING_SNAKE", "screamingSnake"),
  ])
  func keysBecomeProperties(key: String, name: String) {
    #expect(SwiftName.property(key) == name)
  }

  @Test(arguments: [
    ("people", "Person"), ("user_mentions", "UserMention"), ("url", "URL"), ("urls", "URL"), ("userList", "User"),
    ("HTTP-headers", "HTTPHeader"), ("日本", "Item日本"), ("2x", "Item2x"),
  ])
  func pluralKeysBecomeTypes(key: String, name: String) {
    #expect(SwiftName.type(KeyWords(key).singular) == name)
  }

  @Test(arguments: [("class", "`class`"), ("default", "`default`"), ("name", "name"), ("type", "type")])
  func keywordsAreEscapedWithBackticks(name: String, written: String) {
    #expect(SwiftName.escaped(name) == written)
  }

  @Test(arguments: ["Type", "Data", "Date", "Error", "URL", "String", "Int", "Array", "Set", "Self", "JSON", "Task"])
  func namesOfSwiftTypesAreTaken(name: String) {
    #expect(SwiftName.isTaken(name))
  }
}
