import AnvilJSON
import Testing

@Suite struct MappingPathTests {
  private static let descriptions: [(path: JSON.Path, description: String, pointer: String)] = [
    (JSON.Path(), "", ""),
    ([], "", ""),
    ("login", "login", "/login"),
    (0, "[0]", "/0"),
    (["people", 1, "login"], "people[1].login", "/people/1/login"),
    ("people" => 1 => "login", "people[1].login", "/people/1/login"),
    (["a", 0, "b"], "a[0].b", "/a/0/b"),
    (["odd.key"], #"["odd.key"]"#, "/odd.key"),
    ("a" => "odd.key" => "b", #"a["odd.key"].b"#, "/a/odd.key/b"),
    ("", #"[""]"#, "/"),
    (["a[0]", "b"], #"["a[0]"].b"#, "/a[0]/b"),
    ("say \"hi\"\n", #"["say \"hi\"\n"]"#, "/say \"hi\"\n"),
    ("a/b~c", #"["a/b~c"]"#, "/a~1b~0c"),
    ("grüße", "grüße", "/grüße"),
    (JSON.Path("x.y"), #"["x.y"]"#, "/x.y"),
    ("\0", #"["\u0000"]"#, "/\0"),
    ("\u{9B}\u{7F}", #"["\u009b\u007f"]"#, "/\u{9B}\u{7F}"),
    // Invisible characters and those that change the direction of text, because paths appear in errors and logs.
    ("\u{202E}nimda", #"["\u202enimda"]"#, "/\u{202E}nimda"),
    ("id\u{200B}", #"["id\u200b"]"#, "/id\u{200B}"),
    ("a\u{3164}", #"["a\u3164"]"#, "/a\u{3164}"),
    ("\u{E0041}", #"["\udb40\udc41"]"#, "/\u{E0041}"),
    ("👩‍👧", #"["👩‍👧"]"#, "/👩‍👧"),
  ]

  @Test(arguments: descriptions.indices)
  func pathsHaveADescriptionAndAPointer(row: Int) {
    let (path, description, pointer) = Self.descriptions[row]
    #expect(path.description == description)
    #expect(path.pointer == pointer)
  }

  @Test func pathsAreEqualRegardlessOfTheirConstruction() {
    let key = "login"
    let paths: [JSON.Path] = [
      ["people", 1, "login"], "people" => 1 => "login", ["people", 1] => JSON.Path(key), "people" => [1, "login"],
      JSON.Path("people").appending(1).appending("login"), JSON.Path() => "people" => 1 => "login" => JSON.Path(),
    ]
    #expect(Set(paths).count == 1)
    #expect(JSON.Path("a") == ["a"])
    #expect(JSON.Path("0") != 0)
    #expect(JSON.Path("a.b") != ["a", "b"])
  }

  private static let optional: [(path: JSON.OptionalPath, description: String)] = [
    ("a", "a?"),
    (0, "[0]?"),
    (["a", 0, "b"], "a?[0]?.b?"),
    ("a" =>? "b", "a?.b?"),
    ("a" => "b" => "c", "a?.b.c"),
    ("a" =>? "b" => "c", "a?.b?.c"),
    ("a" => "b" =>? "c", "a?.b.c?"),
    ("a" =>? "b" =>? "c", "a?.b?.c?"),
    ("a" => ["b", "c"] =>? "d", "a?.b.c.d?"),
    (JSON.Path("a") =>? "b", "a.b?"),
    (JSON.OptionalPath(requiring: ["a", "b"]), "a.b"),
    (JSON.OptionalPath(JSON.Path("x") => "y"), "x?.y?"),
    (JSON.OptionalPath("odd.key") => "b", #"["odd.key"]?.b"#),
    (JSON.OptionalPath(), ""),
  ]

  @Test(arguments: optional.indices)
  func stepsKeepTheirStrictness(row: Int) {
    #expect(Self.optional[row].path.description == Self.optional[row].description)
  }

  @Test func optionalPathsCompareStepsAndStrictness() {
    let paths: [JSON.OptionalPath] = [
      ["a", "b"], "a" =>? "b", JSON.OptionalPath("a").appending(["b"] as JSON.OptionalPath),
    ]
    #expect(Set(paths).count == 1)
    let strict: JSON.OptionalPath = "a" => "b"
    #expect(strict != paths[0])
    #expect(JSON.Path(strict) == ["a", "b"])
  }

  @Test func valuesHaveThePathFromTheRoot() throws {
    let json = try JSON(parsing: #"{"people": [{"login": "a"}, {"odd.key": {"login": [1, 2]}}]}"#)
    let path: JSON.Path = ["people", 1, "odd.key", "login", 1]
    let value: JSON = try json => path
    #expect(value.path == path)
    #expect(value.path.description == #"people[1]["odd.key"].login[1]"#)
    #expect(json.path == JSON.Path())
    #expect(try Int.decode(value) == 2)
  }
}
