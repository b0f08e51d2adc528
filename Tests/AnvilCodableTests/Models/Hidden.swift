import AnvilCodable
import Testing

@JSONCodable
private struct Hidden: Equatable {
  var value: Int
  private var other: String?
}

@JSONCodable
fileprivate enum HiddenEnum: Equatable { case a(Int) }

func hiddenTypesAgree() {
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
