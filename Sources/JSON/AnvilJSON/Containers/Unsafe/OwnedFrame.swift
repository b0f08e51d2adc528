/// A frame that lives as long as its container and keeps the session alive. It is used for containers that are made after the
/// session is closed, or when all entries of ``ContainerMemory`` are in use.
///
/// Safety: `state` is initialised and lives as long as the object.
@safe
final class OwnedFrame<State: ContainerState> {
  private let session: AnyObject
  /// Another object that the state refers to without retaining it.
  private let kept: AnyObject?
  private let state: UnsafeMutablePointer<State>

  init(_ state: State, of session: AnyObject, keeping kept: AnyObject? = nil) {
    self.session = session
    self.kept = kept
    unsafe self.state = .allocate(capacity: 1)
    unsafe self.state.initialize(to: state)
  }

  deinit { unsafe state.deallocate() }

  var frame: State.Frame { unsafe State.frame(at: state) }
}
