import AnvilJSON

extension FuzzTarget {
  /// Places, patches and merge patches: the input is a document and, each behind a NUL, what is done to it.
  static let values = FuzzTarget(name: "values", repeated: .elements) { bytes in
    let parts = bytes.split(separator: 0, maxSplits: 3, omittingEmptySubsequences: false).map(Array.init)
    guard let json = checkedParse(parts[0]) else { return }
    checkPlaces(in: json)
    for part in parts.dropFirst() {
      let text = String(decoding: part, as: UTF8.self)
      if let pointer = try? JSON.Pointer(text) {
        require(hasScalars(pointer.description, of: text), "\(text) comes back as \(pointer)")
        _ = json[pointer]
        checkPatch(JSON.Patch([.copy(from: JSON.Pointer(), to: pointer), .remove(at: pointer)]), on: json)
      }
      guard let change = checkedParse(part) else { continue }
      checkMerge(change, into: json)
      if let patch = try? JSON.Patch(change) {
        require((try? JSON.Patch(patch.json)) == patch, "the patch is another one as JSON")
        checkPatch(patch, on: json)
      }
    }
  } growth: { bytes in
    let parts = bytes.split(separator: 0, maxSplits: 3, omittingEmptySubsequences: false).map(Array.init)
    guard let json = try? JSON(parsing: parts[0]) else { return }
    for element in json.elements.prefix(100) { _ = try? json.value(at: element.path) as JSON }
    for part in parts.dropFirst() {
      if let pointer = try? JSON.Pointer(String(decoding: part, as: UTF8.self)) {
        _ = json[pointer]
        _ = try? json.applying(JSON.Patch([.copy(from: JSON.Pointer(), to: pointer), .remove(at: pointer)]))
      }
      guard let change = try? JSON(parsing: part) else { continue }
      _ = try? json.applying(mergePatch: change, sizeLimit: 1 << 20)
      if let patch = try? JSON.Patch(change) { _ = try? json.applying(patch, sizeLimit: 1 << 20) }
    }
  }

  /// Every value is where it says it is.
  private static func checkPlaces(in json: JSON) {
    var pending = [json]
    var count = 0
    while let value = pending.popLast(), count < 200 {
      count += 1
      require(value.root == json, "another root")
      let members = Array(value.members)
      for (index, (key, member)) in members.enumerated()
      where !members[..<index].contains(where: { hasScalars($0.key, of: key) }) {
        require(value[key] == member, "\(key.debugDescription) is not found")
        pending.append(member)
      }
      for (index, element) in value.elements.enumerated() {
        require(value[index] == element, "element \(index) is not found")
        pending.append(element)
      }
      require(value[value.count] == nil && value[-1] == nil && value[.max] == nil, "an element beyond the end")
      let found: JSON = requireSuccess("no value at \(value.path)") { try json.value(at: value.path) }
      require(found == value, "another value at \(value.path)")
      let pointer = requireSuccess("a path is no pointer") { () throws(JSON.Pointer.SyntaxError) in
        try JSON.Pointer(value.path.pointer)
      }
      require(json[pointer] == value, "no value at \(pointer)")
      let patched = requireSuccess("a patch that changes nothing") { () throws(JSON.PatchError) in
        try json.applying(JSON.Patch([.test(value, at: pointer), .replace(at: pointer, with: value)]))
      }
      require(patched == json, "a patch that changes nothing gives \(patched)")
    }
  }

  /// A patch gives a value that is written and read like any other, or an error.
  private static func checkPatch(_ patch: JSON.Patch, on json: JSON) {
    do {
      checkOutput(of: try json.applying(patch, sizeLimit: 1 << 20))
    } catch {
      require(!"\(error)".isEmpty, "no description")
    }
  }

  /// A merge patch applied twice changes nothing more, and what it replaces is what it says.
  private static func checkMerge(_ patch: JSON, into json: JSON) {
    guard let merged = try? json.applying(mergePatch: patch, sizeLimit: 1 << 20) else { return }
    checkOutput(of: merged)
    let again = try? merged.applying(mergePatch: patch, sizeLimit: 1 << 20)
    require(again == merged, "a merge patch applied twice: \(merged), then \(String(describing: again))")
    if patch.kind != .object { require(merged == patch, "replaced by \(merged)") }
  }
}
