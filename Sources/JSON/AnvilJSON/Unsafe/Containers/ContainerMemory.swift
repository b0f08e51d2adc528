internal import Synchronization

/// A cache of keyed containers, which saves one allocation and several look-ups of generic metadata for each object.
///
/// The cache is set-associative by the type of the keys: a set has four ways, so up to four containers with keys of one type can be in use
/// at once. Each container has a `State`, to which it refers by its address.
///
/// Safety: `entries` points to `count` initialised entries. `states` points to `count` states, of which those of entries with a source are
/// initialised. `given` points to a bit for each entry. All of them live until `deallocate()`, and every index is below `count`. An entry's
/// `box` is alive as long as its `source`. A container is used only while nothing but its source refers to its box, so that a state has one
/// user at a time. Boxes that are referred to from elsewhere (``hasEscaped``) must not outlive this memory, which ``EscapedContainers``
/// ensures. Documentation/Design/json-engine.md, "Containers", lists these rules with the tests that fail without them.
@safe
struct ContainerMemory<State: ContainerState> {
  @safe
  private struct Entry {
    var type: ObjectIdentifier?
    /// A ``ContainerSource``.
    var source: AnyObject?
    /// The box object that the source's container stores as its only property.
    var box: Unmanaged<AnyObject>?
  }

  private static var ways: Int { 4 }
  private static var sets: Int { 64 }
  private static var count: Int { ways * sets }

  private let entries: UnsafeMutablePointer<Entry>
  private let states: UnsafeMutablePointer<State>
  /// A bit for each entry, in words of 64, that is set if the entry's container was used since ``beginUse()``.
  private let given: UnsafeMutablePointer<UInt64>

  init() {
    unsafe entries = .allocate(capacity: Self.count)
    unsafe entries.initialize(repeating: Entry(), count: Self.count)
    unsafe states = .allocate(capacity: Self.count)
    unsafe given = .allocate(capacity: Self.count / 64)
    unsafe given.initialize(repeating: 0, count: Self.count / 64)
  }

  func deallocate() {
    unsafe entries.deinitialize(count: Self.count)
    unsafe entries.deallocate()
    unsafe states.deallocate()
    unsafe given.deallocate()
  }

  /// Clears the record of used containers. No container may be in use during the call.
  func beginUse() {
    for word in 0..<(Self.count / 64) { unsafe given[word] = 0 }
  }

  /// True if a container that was used since ``beginUse()`` is still referred to.
  var hasEscaped: Bool {
    for word in 0..<(Self.count / 64) {
      var left = unsafe given[word]
      while left != 0 {
        if !isIdle(word &* 64 &+ left.trailingZeroBitCount) { return true }
        left &= left &- 1
      }
    }
    return false
  }

  /// Returns true if the box of the entry at `index` is referred to only by the entry's source.
  @inline(__always)
  private func isIdle(_ index: Int) -> Bool {
    // Safety: an unmanaged reference and a managed one are the same pointer, and the check changes no count.
    unsafe withUnsafeMutablePointer(to: &entries[index].box) { box in
      unsafe box.withMemoryRebound(to: AnyObject?.self, capacity: 1) {
        unsafe isKnownUniquelyReferenced(&$0.pointee)
      }
    }
  }

  /// Returns a source whose container has the state `state`; `nil` if all entries for keys of this type are in use.
  ///
  /// - Parameter make: Creates a container that refers to its state. It is called if no unused container exists.
  @inline(__always)
  func source<Key: CodingKey, Container>(
    keyedBy type: Key.Type, _ state: State, _ make: (State.Frame) -> Container
  ) -> AnyObject? {
    let identifier = ObjectIdentifier(type)
    let address = UInt(bitPattern: identifier)
    let set = Int(truncatingIfNeeded: (address &>> 4 ^ address &>> 12) & UInt(Self.sets &- 1))
    let first = set &* Self.ways
    for index in first..<(first &+ Self.ways) {
      if unsafe entries[index].type == identifier {
        guard isIdle(index) else { continue }
        give(index, state)
        return unsafe entries[index].source
      }
      if unsafe entries[index].type == nil { return add(identifier, state, index, make) }
    }
    return replace(identifier, state, from: first, make)
  }

  /// Returns the container of `source`, which must be the source of a `Container`.
  @inline(__always)
  static func container<Container>(of source: AnyObject) -> Container {
    // Safety: the caller made the source with containers of this type, which its keys decide.
    unsafe unsafeDowncast(source, to: ContainerSource<Container>.self).get()
  }

  @inline(never)
  private func add<Container>(
    _ type: ObjectIdentifier, _ state: State, _ index: Int, _ make: (State.Frame) -> Container
  ) -> AnyObject? {
    let container = unsafe make(State.frame(at: states + index))
    guard let box = unsafe ContainerBox.box(of: container) else { return nil }
    let source = ContainerSource(container)
    unsafe entries[index] = Entry(type: type, source: source, box: box)
    give(index, state)
    return source
  }

  @inline(__always)
  private func give(_ index: Int, _ state: State) {
    unsafe states[index] = state
    unsafe given[index &>> 6] |= 1 &<< UInt64(truncatingIfNeeded: index & 63)
  }

  /// Replaces an unused source, whose keys are of another type, with a new one. Returns `nil` if all sources of the set are in use.
  @inline(never)
  private func replace<Container>(
    _ type: ObjectIdentifier, _ state: State, from first: Int, _ make: (State.Frame) -> Container
  ) -> AnyObject? {
    for index in first..<(first + Self.ways) where unsafe entries[index].type != type {
      if isIdle(index) { return add(type, state, index, make) }
    }
    return nil
  }
}

/// The state to which a container refers by its address.
protocol ContainerState: BitwiseCopyable {
  associatedtype Frame
  /// Returns the frame that refers to the state at `address`.
  static func frame(at address: UnsafeMutablePointer<Self>) -> Frame
}

/// The box object that a keyed container of the standard library stores as its only property.
enum ContainerBox {
  /// Returns an unretained reference to the box of `container`; `nil` if the container does not consist of a single object. The latter has
  /// not been observed.
  static func box<Container>(of container: Container) -> Unmanaged<AnyObject>? {
    let fields = Mirror(reflecting: container).children
    guard let field = fields.first?.value, fields.count == 1, type(of: field) is AnyClass,
      MemoryLayout<Container>.size == MemoryLayout<AnyObject>.size
    else { return nil }
    // Safety: both have the same size, and the result is only compared with the object in the field.
    let box = unsafe unsafeBitCast(container, to: Unmanaged<AnyObject>.self)
    return unsafe box.toOpaque() == Unmanaged.passUnretained(field as AnyObject).toOpaque() ? box : nil
  }
}

/// Stores a container and returns copies of it, so that it can be used for one object after another.
///
/// The class is generic over the container, not over its keys, so that a copy finds its metadata in the object. When it was generic over
/// the keys, the runtime looked up the metadata each time. This took 470 instructions, more than decoding most fields.
final class ContainerSource<Container> {
  private let container: Container

  init(_ container: Container) {
    self.container = container
  }

  /// Returns the container. The method is not specialised, because that would bring the look-up back.
  @inline(never)
  @_semantics("optimize.sil.specialize.generic.never")
  func get() -> Container { container }
}

/// A session whose keyed containers hold uncounted references to it.
protocol ContainerOwner: AnyObject {
  /// True if one of the containers is still referred to.
  var hasEscapedContainers: Bool { get }
}

/// Sessions with keyed containers that are still referred to after the session has ended.
///
/// Such a container cannot report when its lifetime ends. Its session is therefore kept here, and released when a later session
/// finds that the containers are no longer referred to.
enum EscapedContainers {
  /// `@unchecked Sendable`: the only operations here are reading the reference counts of the session's containers, which is atomic, and
  /// releasing the session when no references are left. No other thread has access to the session then.
  private struct Kept: @unchecked Sendable {
    let session: any ContainerOwner
  }

  private static let kept = Mutex<[Kept]>([])
  private static let count = Atomic(0)

  static func keep(_ session: any ContainerOwner) {
    let kept = Kept(session: session)
    self.kept.withLock { sessions in
      sessions.append(kept)
      count.store(sessions.count, ordering: .relaxed)
    }
  }

  /// Releases the sessions whose containers are no longer referred to.
  @inline(__always)
  static func sweep() {
    if count.load(ordering: .relaxed) > 0 { sweepKept() }
  }

  @inline(never)
  private static func sweepKept() {
    // Sessions are released outside of the lock, since their deinitialisation may run any code.
    let ended = kept.withLock { sessions in
      // Each is checked only once, because a container may be released on another thread meanwhile.
      let firstEnded = sessions.partition { !$0.session.hasEscapedContainers }
      let ended = Array(sessions[firstEnded...])
      sessions.removeSubrange(firstEnded...)
      count.store(sessions.count, ordering: .relaxed)
      return ended
    }
    withExtendedLifetime(ended) {}
  }
}

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
