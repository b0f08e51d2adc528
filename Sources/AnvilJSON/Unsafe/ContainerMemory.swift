/// Keyed containers that are used again: for each object an allocation less, and several look-ups of generic metadata.
///
/// Set-associative by the type of the keys: as many objects of one type as a set has ways can be open in each other. Each
/// container comes with a `State`, to which it refers by its address.
///
/// Safety: `entries` points to `count` initialised entries, `states` to as many states, of which those of entries with a
/// source are initialised, and `given` points to a bit for each entry; all live until `deallocate()`, and every index is
/// below `count`. An entry's `box` is alive as long as its `source`. A container is given out only while nothing but its
/// source refers to its box, so that a state has one user at a time. Boxes that are referred to from elsewhere (``hasEscaped``) must not outlive this memory:
/// ``EscapedContainers`` sees to that.
@safe
struct ContainerMemory<State: ContainerState> {
  @safe
  private struct Entry {
    var type: ObjectIdentifier?
    /// A ``ContainerSource``.
    var source: AnyObject?
    /// What the source's container consists of.
    var box: Unmanaged<AnyObject>?
  }

  private static var ways: Int { 4 }
  private static var sets: Int { 64 }
  private static var count: Int { ways * sets }

  private let entries: UnsafeMutablePointer<Entry>
  private let states: UnsafeMutablePointer<State>
  /// Which entries' containers were given out since ``beginUse()``, in words of 64.
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

  /// Forgets which containers were given out: nobody refers to any.
  func beginUse() {
    for word in 0..<(Self.count / 64) { unsafe given[word] = 0 }
  }

  /// Whether someone still refers to a container that was given out since ``beginUse()``.
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

  /// Whether nothing but its source refers to an entry's box.
  @inline(__always)
  private func isIdle(_ index: Int) -> Bool {
    // Safety: an unmanaged reference and a managed one are the same pointer, and the check changes no count.
    unsafe withUnsafeMutablePointer(to: &entries[index].box) { box in
      unsafe box.withMemoryRebound(to: AnyObject?.self, capacity: 1) {
        unsafe isKnownUniquelyReferenced(&$0.pointee)
      }
    }
  }

  /// The source of a container in `state`; `nil` where all that there is room for are in use.
  ///
  /// - Parameter make: makes a container that refers to its state, where there is none yet.
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

  /// The container of a source that was made to give containers of this type.
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

  /// A source in the place of one with other keys that is not in use.
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

/// What a container refers to by its address.
protocol ContainerState: BitwiseCopyable {
  associatedtype Frame
  /// What refers to the state at `address`.
  static func frame(at address: UnsafeMutablePointer<Self>) -> Frame
}

/// The object that a keyed container of the standard library consists of.
enum ContainerBox {
  /// The box of `container`, not retained; `nil` if it does not consist of one, as it always has.
  static func box<Container>(of container: Container) -> Unmanaged<AnyObject>? {
    let fields = Mirror(reflecting: container).children
    guard let field = fields.first?.value, fields.count == 1, type(of: field) is AnyClass,
      MemoryLayout<Container>.size == MemoryLayout<AnyObject>.size
    else { return nil }
    // Safety: both are of one size; what is read is compared with the object that the field is found to be.
    let box = unsafe unsafeBitCast(container, to: Unmanaged<AnyObject>.self)
    return unsafe box.toOpaque() == Unmanaged.passUnretained(field as AnyObject).toOpaque() ? box : nil
  }
}
