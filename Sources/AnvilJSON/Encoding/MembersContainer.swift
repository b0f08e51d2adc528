/// The members of one object, by key, in a frame that the session keeps: plain data.
struct MembersContainer<Key: CodingKey>: MembersEncodingContainer {
  let frame: ObjectFrame
}

/// The members of one object, by key, in a frame of its own.
struct OwnedMembersContainer<Key: CodingKey>: MembersEncodingContainer {
  private let owner: OwnedFrame<ObjectFrame.State>

  init(_ owner: OwnedFrame<ObjectFrame.State>) {
    self.owner = owner
  }

  var frame: ObjectFrame { owner.frame }
}
