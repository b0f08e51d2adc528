/// The contents of a form at one position: values, elements or members. Contradictory names produce more than one of them.
///
/// An empty node represents `nil` and empty values.
struct FormNode {
  /// The values of names that end at this position, in order.
  private(set) var texts: [String] = []
  /// The elements added with `[]`, in order.
  private(set) var items: [FormNode] = []
  /// The members by key. A key may be an index.
  private(set) var members: [String: FormNode] = [:]
  /// The keys of the members, in the order in which they occur.
  private(set) var keys: [String] = []

  init() {}

  private init(_ text: String) { texts = [text] }

  /// Inserts `text` at the position to which `steps` lead.
  ///
  /// - Complexity: O(*s*), where *s* is the number of steps.
  mutating func insert(_ text: String, at steps: ArraySlice<FormStep>) {
    guard let step = steps.first else {
      texts.append(text)
      return
    }
    let rest = steps.dropFirst()
    switch step {
    case .key(let key):
      if members[key] == nil { keys.append(key) }
      members[key, default: FormNode()].insert(text, at: rest)
    case .next:
      // The text belongs to the last element if that element does not have it yet.
      if items.last.map({ $0.texts.isEmpty && !rest.isEmpty && !$0.hasText(at: rest) }) != true {
        items.append(FormNode())
      }
      items[items.count - 1].insert(text, at: rest)
    }
  }

  private func hasText(at steps: ArraySlice<FormStep>) -> Bool {
    guard let step = steps.first else { return !texts.isEmpty }
    guard case .key(let key) = step, let member = members[key] else { return false }
    return member.hasText(at: steps.dropFirst())
  }
}

/// Access to the contents.
extension FormNode {
  /// A Boolean value that indicates whether the form has nothing at this position.
  var isAbsent: Bool { texts.isEmpty && items.isEmpty && members.isEmpty }

  /// A Boolean value that indicates whether the form has contradictory contents at this position.
  var isContradictory: Bool { [texts.isEmpty, items.isEmpty, members.isEmpty].count { !$0 } > 1 }

  /// The elements: those added with `[]`, the members in the order of their indices, or the values. `nil` if a key is not an index.
  ///
  /// - Complexity: O(*n* log *n*), where *n* is the number of elements, whatever the size of their indices.
  var elements: [FormNode]? {
    if members.isEmpty { return items.isEmpty ? texts.map(FormNode.init) : items }
    var indices: [(digits: Substring, key: String)] = []
    for key in keys {
      guard key.utf8.allSatisfy({ $0 &- 0x30 <= 9 }) else { return nil }
      indices.append((key.drop { $0 == "0" }, key))
    }
    indices.sort { ($0.digits.utf8.count, $0.digits) < ($1.digits.utf8.count, $1.digits) }
    return indices.compactMap { members[$0.key] }
  }
}
