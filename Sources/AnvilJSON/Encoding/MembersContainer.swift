/// The members of one object, by key, in a frame owned by the session. It is a trivial type.
struct MembersContainer<Key: CodingKey>: MembersEncodingContainer {
  let frame: ObjectFrame
}

/// The members of one object, by key, in a frame owned by the container.
struct OwnedMembersContainer<Key: CodingKey>: MembersEncodingContainer {
  private let owner: OwnedFrame<ObjectFrame.State>

  init(_ owner: OwnedFrame<ObjectFrame.State>) {
    self.owner = owner
  }

  var frame: ObjectFrame { owner.frame }
}
