#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A model that takes over what an input says and keeps the rest.
///
/// A `Codable` value type that adopts the protocol needs to write nothing:
///
///     struct User: Codable, DecoderUpdatable {
///       var name: String
///       var nickname: String?
///       var address: Address   // updated in place when `Address` is updatable too, otherwise replaced
///     }
///     user = try JSON.Decoder().update(user, from: Data(#"{"nickname": null}"#.utf8))   // the name stays
///
/// With that default
/// - a key in the input replaces, an absent key keeps what is there, and an unknown key is ignored;
/// - a nested `DecoderUpdatable` value, optional or not, is updated in place, at whatever depth;
/// - an explicit null clears an optional and is an error elsewhere;
/// - arrays, dictionaries, sets and enums are replaced as a whole, and so is a value that decodes itself from an array.
///
/// The default decodes the type anew from a decoder that reads the input where it has the key and otherwise what
/// `encode(to:)` says of the old value. Therefore `encode(to:)` and `init(from:)` have to mirror each other: a property
/// that is not encoded is not kept, and of two keys read for one property the first wins, be it the old value's.
///
/// A class writes its own `update(from:)`, since a default could not change it in place: use
/// `KeyedDecodingContainer.update(_:forKey:)` for what it holds and `super.update(from:)` in a subclass.
public protocol DecoderUpdatable {
  /// Takes over what `decoder` says; whatever it does not mention stays.
  ///
  /// - Throws: `DecodingError` when the input does not fit. The default then leaves the value as it was; an object that
  ///   the value refers to and that has been updated before the failure stays updated.
  mutating func update(from decoder: any Decoder) throws
}

extension DecoderUpdatable where Self: Codable {
  /// Decodes the type from the input where it has a key, and from the old value where it has not.
  ///
  /// - Throws: what `init(from:)` throws of the input, with the place in it, and what `encode(to:)` throws of the old
  ///   value. The value is then as it was.
  /// - Complexity: that of encoding the value one level deep and of decoding the input; nothing is turned into bytes.
  public mutating func update(from decoder: any Decoder) throws {
    if isReplacedWhole {
      self = try decoder.singleValueContainer().decode(Self.self)
    } else {
      let old = try RecordedValue(self).expanded(at: .decoder(decoder), userInfo: decoder.userInfo)
      self = try Self(from: OverlayDecoder(new: decoder, old: old))
    }
  }

  /// Whether the input says all of the value or nothing.
  ///
  /// The keys of an enum are alternatives and those of a dictionary are data: neither can be laid over the old ones. For
  /// Foundation's types only the format knows the form.
  private var isReplacedWhole: Bool {
    switch Mirror(reflecting: self).displayStyle {
    case .enum: true
    case .collection, .dictionary, .set: self is any Collection  // not one whose mirror only shows it as such
    default: self is Date || self is Data || self is URL || self is Decimal
    }
  }
}

extension DecoderUpdatable where Self: Decodable {
  /// Unavailable: the default needs the old value's attributes, which only `Encodable` types have.
  @available(
    *, unavailable,
    message: "the default needs a Codable type: adopt Codable in place of Decodable, or write update(from:)"
  )
  public mutating func update(from decoder: any Decoder) throws {}
}

extension DecoderUpdatable where Self: Decodable & AnyObject {
  /// Unavailable: decoding makes a new object, and those who hold the old one would not see the update.
  @available(*, unavailable, message: "a class updates itself in place: write update(from:)")
  public mutating func update(from decoder: any Decoder) throws {}
}

extension DecoderUpdatable where Self: Codable & AnyObject {
  /// Not for classes: decoding makes a new object, and those who hold the old one would not see the update.
  @available(*, unavailable, message: "a class updates itself in place: write update(from:)")
  public mutating func update(from decoder: any Decoder) throws {}
}
