import Testing

@testable import AnvilJSON

/// The coding paths of encoders and errors, and values that fail.
extension EncoderContainerTests {
  @Test func errorsHaveTheirPath() {
    expectSame { encoder in
      var root = encoder.container(keyedBy: AnyKey.self)
      try root.encode(["x": [Failing()]], forKey: AnyKey("a"))
    }
    expectSame { encoder in
      var list = encoder.unkeyedContainer()
      try list.encode(1)
      try list.encode(Double.infinity)
    }
    expectSame { encoder in
      var single = encoder.singleValueContainer()
      try single.encode([Float.nan])
    }
  }

  /// Foundation omits the path components of nested containers.
  @Test func errorsInNestedContainersHaveTheirWholePath() {
    let text = EncoderOracle.text(
      Script { encoder in
        var root = encoder.container(keyedBy: AnyKey.self)
        var list = root.nestedUnkeyedContainer(forKey: AnyKey("a"))
        var object = list.nestedContainer(keyedBy: AnyKey.self)
        try root.encode(1, forKey: AnyKey("other"))
        #expect(object.codingPath.map(\.stringValue) == ["a", "Index 0"])
        try object.encode(["c": Double.nan], forKey: AnyKey("b"))
      })
    #expect(text == #"invalid nan at ["a", "0", "b", "c"]"#)
  }

  @Test func valuesThatFailToEncodeAreLeftOut() {
    expectSame { encoder in
      var root = encoder.container(keyedBy: AnyKey.self)
      try root.encode(1, forKey: AnyKey("kept"))
      try? root.encode(Failing(), forKey: AnyKey("failing"))
      try? root.encode(Failing(), forKey: AnyKey("kept"))
      var list = root.nestedUnkeyedContainer(forKey: AnyKey("list"))
      try? list.encode(Failing())
      try list.encode(1)
      try? list.encode(Failing())
      try? list.encode(Double.nan)
      #expect(list.count == 1)
      try? root.encode(Failing(), forKey: AnyKey("last"))
    }
  }

  @Test func encodersHaveTheirCodingPath() {
    expectSame { encoder in
      var root = encoder.container(keyedBy: AnyKey.self)
      func path(_ path: [any CodingKey]) -> String {
        path.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
      }
      try root.encode(path(encoder.codingPath), forKey: AnyKey("own"))
      try root.encode(Script { try path($0.codingPath).encode(to: $0) }, forKey: AnyKey("member"))
      var list = root.nestedUnkeyedContainer(forKey: AnyKey("list"))
      try list.encode(path(list.codingPath))
      let object = list.nestedContainer(keyedBy: AnyKey.self)
      try list.encode(path(object.codingPath))
      try path(root.superEncoder().codingPath).encode(to: root.superEncoder())
    }
  }
}
