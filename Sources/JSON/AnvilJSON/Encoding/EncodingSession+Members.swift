/// Members of objects: their keys, replacement and order.
extension EncodingSession {
  /// The member count from which an index is used to find earlier members with the same key.
  private static let indexedCount = 128

  /// Begins a member of the innermost object: separator, key and colon.
  ///
  /// - Returns: The number of the earlier member of the object with the same key, if there is one. It must be replaced
  ///   once the value has been encoded.
  @inline(__always)
  func beginMember(_ name: String) -> Int? {
    let top = slots.top
    let count = slots[top].count
    if count > 0 { output.append(0x2C) }
    if isPretty { breakLine(depth: slots[top].depth &+ 1) }
    let start = output.count
    output.append(quoted: name, escapingSlashes: escapesSlashes)
    let hash = hash(from: start)
    if isPretty {
      output.reserve(3)
      output.put((0x203A20 as UInt32).littleEndian, length: 3)
    } else {
      output.append(0x3A)
    }
    members.push(EncodedMember(start: start, value: output.count, hash: hash))
    slots[top].count = count &+ 1
    let bit: UInt64 = 1 &<< (hash &>> 58)
    let seen = slots[top].seen
    slots[top].seen = seen | bit
    return seen & bit == 0 && count < Self.indexedCount ? nil : earlierMember(name)
  }

  /// Returns a hash of the quoted text from `start` on, computed from its ends and its length.
  @inline(__always)
  private func hash(from start: Int) -> UInt64 {
    let length = output.count &- start
    var mixed = UInt64(truncatingIfNeeded: length)
    if length >= 8 {
      mixed ^= output.word(at: start) ^ (output.word(at: output.count &- 8) &* 0x9E37_79B9_7F4A_7C15)
    } else {
      for offset in start..<output.count { mixed = mixed &<< 8 | UInt64(truncatingIfNeeded: output[offset]) }
    }
    mixed = (mixed ^ mixed &>> 32) &* 0xD6E8_FEB8_6659_FD93
    return mixed ^ mixed &>> 29 &* 0xBF58_476D_1CE4_E5B9
  }

  /// Returns the number of the earlier member with the same key as the last member; `nil` if no other member has that key.
  @inline(never)
  private func earlierMember(_ name: String) -> Int? {
    let first = slots[slots.top].firstMember
    let last = members.top
    if slots[slots.top].count > Self.indexedCount { return indexedMember(name) }
    for index in first..<last where members[index].hash == members[last].hash && !members[index].isReplaced {
      if hasSameKey(index, last) { return index - first }
    }
    return nil
  }

  private func indexedMember(_ name: String) -> Int? {
    let slot = slots[slots.top]
    let last = members.top - slot.firstMember
    if indexes[slot.identity] == nil {
      var index: [ScalarKey: Int] = [:]
      for number in 0..<last where !members[slot.firstMember + number].isReplaced {
        index[ScalarKey(String(decoding: rawKey(of: slot.firstMember + number), as: UTF8.self))] = number
      }
      indexes[slot.identity] = index
    }
    return indexes[slot.identity]?.updateValue(last, forKey: ScalarKey(name))
  }

  private func hasSameKey(_ index: Int, _ other: Int) -> Bool {
    let first = keyRange(of: index)
    let second = keyRange(of: other)
    guard first.count == second.count else { return false }
    return zip(first, second).allSatisfy { output[$0] == output[$1] }
  }

  /// Returns the range of the key of the member at `index` in the text, without its quotation marks.
  private func keyRange(of index: Int) -> Range<Int> {
    let member = members[index]
    return member.start + 1..<member.value - (isPretty ? 4 : 2)
  }

  /// Returns the unescaped bytes of the key of the member at `index`.
  private func rawKey(of index: Int) -> [UInt8] {
    output.withSpan(keyRange(of: index)) { StringText.unescaped($0) }
  }

  /// Marks a member of an object as replaced by the last member that was begun, which takes its position.
  @inline(never)
  func replaceMember(_ number: Int, of identity: Int) {
    guard activate(identity) else { return }
    let top = slots.top
    let index = slots[top].firstMember + number
    members[index].isReplaced = true
    let position = members[index].firstPosition
    members[members.top].firstPosition = position >= 0 ? position : Int32(truncatingIfNeeded: number)
    slots[top].hasReplacedMembers = true
  }

  /// Returns the number of the innermost object's member with the key `name`; members that have been replaced are
  /// ignored.
  func member(named name: String) -> Int? {
    let first = slots[slots.top].firstMember
    let bytes = Array(name.utf8)
    return (first..<members.count).last { !members[$0].isReplaced && rawKey(of: $0) == bytes }.map { $0 - first }
  }

  /// Returns the range of the value of a member of the innermost object.
  func valueRange(ofMember number: Int) -> Range<Int> {
    let index = slots[slots.top].firstMember + number
    let end = index == members.top ? output.count : members[index + 1].start - separatorLength
    return members[index].value..<end
  }

  /// The number of bytes between two members of the innermost object.
  private var separatorLength: Int { isPretty ? 2 + 2 * (slots[slots.top].depth + 1) : 1 }

  /// Removes the replaced members of the innermost object, and sorts the others if requested.
  @inline(never)
  func arrangeMembers() {
    let slot = slots[slots.top]
    let first = slot.firstMember
    guard members.count > first else { return }
    var order = (first..<members.count).filter { !members[$0].isReplaced }
    if sortsKeys {
      sort(&order)
    } else if slot.hasReplacedMembers {
      order = order.map { (index: $0, position: position(of: $0, after: first)) }.sorted { $0.position < $1.position }
        .map(\.index)
    }
    if order.count == slot.count, zip(order, order.dropFirst()).allSatisfy({ $0 < $1 }) { return }
    let ranges = order.map { members[$0].start..<valueRange(ofMember: $0 - first).upperBound }
    let origin = members[first].start
    let text = output.cut(from: origin)
    for (number, range) in ranges.enumerated() {
      if number > 0 {
        output.append(0x2C)
        if isPretty { breakLine(depth: slot.depth + 1) }
      }
      output.append(text.elementSpan.extracting(range.lowerBound - origin..<range.upperBound - origin))
    }
  }

  /// Returns the position of the member at `index` in the text, where a member takes that of the first one with its key.
  private func position(of index: Int, after first: Int) -> Int {
    let position = members[index].firstPosition
    return position >= 0 ? Int(position) : index - first
  }

  private func sort(_ order: inout [Int]) {
    let hasEscapes = order.contains { keyRange(of: $0).contains { output[$0] == 0x5C } }
    guard hasEscapes else { return order.sort(by: precedes) }
    let keys = order.map { rawKey(of: $0) }
    let sorted = order.indices.sorted { keys[$0].lexicographicallyPrecedes(keys[$1]) }
    order = sorted.map { order[$0] }
  }

  /// Returns whether the key of the member at `index` sorts before the key of the member at `other`. Both are compared without escapes.
  private func precedes(_ index: Int, _ other: Int) -> Bool {
    let first = keyRange(of: index)
    let second = keyRange(of: other)
    for offset in 0..<min(first.count, second.count) {
      let byte = output[first.lowerBound + offset]
      let otherByte = output[second.lowerBound + offset]
      if byte != otherByte { return byte < otherByte }
    }
    return first.count < second.count
  }
}
