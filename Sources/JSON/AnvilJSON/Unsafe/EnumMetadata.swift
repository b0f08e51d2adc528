/// The cases of an enumeration without associated values, numbered in the order of their declaration. The runtime's metadata describes
/// them.
///
/// A `Decodable` enumeration need not be `CaseIterable`, and coding keys hardly ever are. The names and the number of their cases
/// are available only in the metadata.
///
/// Source: swift/docs/ABI/TypeMetadata.rst, “Nominal Type Descriptors”.
package struct EnumMetadata {
  /// The number of cases, at least one.
  package let count: Int
  private let type: Any.Type

  /// Creates the shape of `type`; `nil` if it is not an enumeration, has associated values, has no cases or may be imported from
  /// Objective-C, and on platforms with other metadata.
  package init?(of type: Any.Type) {
    // Pointers to descriptors are signed on arm64e, and have another size on 32-bit platforms.
    #if _pointerBitWidth(_64) && !(arch(arm64) && _ptrauth(_arm64e))
    // Safety: a metatype is the address of the type's metadata, which lives as long as the process. Its first word is
    // its kind; that of an enumeration has the address of its descriptor as the second, which is seven words of 32
    // bits.
    let metadata = unsafe unsafeBitCast(type, to: UnsafeRawPointer.self)
    guard unsafe metadata.load(as: UInt.self) == Self.enumKind,
      let descriptor = unsafe metadata.load(fromByteOffset: 8, as: UnsafeRawPointer?.self)
    else { return nil }
    let payloadCases = unsafe descriptor.load(fromByteOffset: 20, as: UInt32.self) & 0xFF_FFFF
    let emptyCases = unsafe descriptor.load(fromByteOffset: 24, as: UInt32.self)
    guard payloadCases == 0, emptyCases > 0, Self.isTag(size: Self.size(of: type), count: Int(emptyCases)) else {
      return nil
    }
    // Enumerations for Objective-C keep their raw values, not numbers.
    guard !Self.mayBeObjectiveC(type) else { return nil }
    self.type = type
    count = Int(emptyCases)
    #else
    return nil
    #endif
  }

  private static var enumKind: UInt { 0x201 }

  /// Returns true if an enumeration of `count` cases that takes `size` bytes stores the number of the case in them.
  private static func isTag(size: Int, count: Int) -> Bool {
    switch size {
    case 0: count == 1
    case 1: count <= 0x100
    case 2: count <= 0x1_0000
    default: false
    }
  }

  private static func size(of type: Any.Type) -> Int {
    func size<T>(_: T.Type) -> Int { MemoryLayout<T>.size }
    return _openExistential(type, do: size)
  }

  private static func mayBeObjectiveC(_ type: Any.Type) -> Bool {
    #if canImport(ObjectiveC)
    func isKeptRaw<T: RawRepresentable>(_ type: T.Type) -> Bool {
      T.RawValue.self is any FixedWidthInteger.Type && MemoryLayout<T.RawValue>.size == MemoryLayout<T>.size
    }
    guard let type = type as? any RawRepresentable.Type else { return false }
    return isKeptRaw(type)
    #else
    return false
    #endif
  }

  /// Returns the case numbered `number` in the order of the declaration; `nil` if it does not exist or `type` is another type.
  package func value<T>(_ type: T.Type, _ number: Int) -> T? {
    guard type == self.type, number >= 0, number < count else { return nil }
    return unsafe withUnsafeTemporaryAllocation(of: T.self, capacity: 1) { memory in
      guard let value = memory.baseAddress else { return nil }
      let bytes = UnsafeMutableRawPointer(value)
      // Safety: the memory has the type's size, which is 0, 1 or 2 bytes as `init` has seen; without associated values,
      // every number below `count` in them is an initialised value, and one that needs no clean-up.
      for offset in 0..<MemoryLayout<T>.size {
        unsafe bytes.storeBytes(
          of: UInt8(truncatingIfNeeded: number >> (8 * offset)), toByteOffset: offset, as: UInt8.self)
      }
      return unsafe value.pointee
    }
  }

  /// Returns the cases of `type` in the order of their declaration; an empty array if it is not an enumeration without associated values.
  package static func cases<T>(of type: T.Type) -> [T] {
    EnumMetadata(of: type).map { shape in (0..<shape.count).compactMap { shape.value(type, $0) } } ?? []
  }

  /// Returns the name of the case `value` in the source code. Returns `nil` if the type is not an enumeration without associated values, or
  /// if the program was built without the names of cases.
  package static func caseName<T>(of value: T) -> String? {
    guard EnumMetadata(of: T.self) != nil, let name = unsafe _enumCaseName(value) else { return nil }
    // Safety: a C string in the program's constants.
    return unsafe String(cString: name)
  }
}

/// A function of the runtime, declared as in the standard library, which uses it for descriptions.
@_silgen_name("swift_EnumCaseName")
private func _enumCaseName<T>(_ value: T) -> UnsafePointer<CChar>?
