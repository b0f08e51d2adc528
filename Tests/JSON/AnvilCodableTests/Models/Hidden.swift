import AnvilCodable
import Testing

@JSONCodable
private struct Hidden: Equatable {
  var value: Int
  private var other: String?
}

@JSONCodable
fileprivate enum HiddenEnum: Equatable { case a(Int) }

@JSONCodable
private struct HiddenOuter: Equatable {
  var inner: Inner

  @JSONCodable
  struct Inner: Equatable { var x: Int }
}

private enum HiddenSpace {
  @JSONCodable
  struct Place: Equatable {
    var a: Int
    @CodableDefault([]) var list: [[String: Int]]
    @CodableDefault([["a": 1]]) var other: [[String: Int]]?
  }

  @JSONCodable
  enum Way: Equatable { case up, to(Int) }

  @JSONCodable
  final class Item: Equatable {
    var number: Int
    static func == (lhs: Item, rhs: Item) -> Bool { lhs.number == rhs.number }
  }
}

func hiddenTypesAgree() {
  expectAgreement(#"{"inner": {"x": 1}}"#, HiddenOuter(inner: .init(x: 1)))
  expectAgreement(
    #"{"a": 1, "list": [{"b": 2}]}"#, HiddenSpace.Place(a: 1, list: [["b": 2]], other: [["a": 1]]),
    writing: #"{"a": 1, "list": [{"b": 2}], "other": [{"a": 1}]}"#)
  expectAgreement(#"{"to": {"_0": 1}}"#, HiddenSpace.Way.to(1))
  expectAgreement(#"{"number": 1}"#, as: HiddenSpace.Item.self)
  expectAgreement(#"{"value": 1, "other": "x"}"#, as: Hidden.self)
  expectAgreement(#"{"a": {"_0": 1}}"#, HiddenEnum.a(1))
}

struct Vault: Equatable {
  fileprivate enum Secret: String, Codable { case open, shut }

  @JSONCodable
  fileprivate struct Door: Equatable {
    var secret: Secret
    private var other: Int?
  }

  @JSONCodable
  struct Window: Equatable {
    fileprivate var secret: Secret
    @CodableDefault(Secret.shut) fileprivate var second: Secret
    fileprivate var third: Secret?
    private var width: Int
  }

  static func doorsAgree() { expectAgreement(#"{"secret": "open", "other": 1}"#, as: Door.self) }
}
