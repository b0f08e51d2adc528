/// The members of one object, by key, in a frame that the session keeps: plain data.
struct MembersContainer<Key: CodingKey>: MembersEncodingContainer {
  let frame: ObjectFrame
}

/// The members of one object, by key, in a frame of its own.
struct OwnedMembersContainer<Key: CodingKey>: MembersEncodingContainer {
  private let owner: OwnedObjectFrame

  init(_ owner: OwnedObjectFrame) {
    self.owner = owner
  }

  var frame: ObjectFrame { owner.frame }
}
