/// The writing position in one object: the state of a keyed encoding container.
///
/// It is plain data for the same reason as ``MemberFrame``.
///
/// Safety: `state` points to an initialised `State` for as long as a container refers to it, and the session is alive as long:
/// ``ContainerMemory`` or ``OwnedFrame`` ensures both.
@safe
struct ObjectFrame: BitwiseCopyable {
  @safe
  struct State: ContainerState {
    fileprivate let session: Unmanaged<EncodingSession>
    /// The identity of the object's slot.
    let identity: Int

    static func frame(at address: UnsafeMutablePointer<State>) -> ObjectFrame { unsafe ObjectFrame(address) }

    @inline(__always)
    init(_ session: EncodingSession, identity: Int) {
      unsafe self.session = .passUnretained(session)
      self.identity = identity
    }
  }

  private let state: UnsafeMutablePointer<State>

  @inline(__always)
  init(_ state: UnsafeMutablePointer<State>) {
    unsafe self.state = state
  }

  @inline(__always) var identity: Int { unsafe state.pointee.identity }

  @inline(__always)
  func withSession<Result>(_ body: (EncodingSession) throws -> Result) rethrows -> Result {
    // Safety: a container's session is alive as long as the container is.
    try unsafe state.pointee.session._withUnsafeGuaranteedRef { try body($0) }
  }
}
