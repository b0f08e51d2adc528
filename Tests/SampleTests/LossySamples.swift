import Anvil
import AnvilTestSupport
import AnvilTesting
import Foundation
import Testing

// sample: lenient
enum No: DefaultValueSource {
  static var defaultValue: Bool { false }
}

struct Shop: Codable, Sendable {
  enum Status: String, Codable { case open, closed }
  struct Product: Codable { var name: String, price: Decimal }

  var name: String  // strict: must exist and be a string
  var status: OpenEnum<Status>
  @LossyArray var products: [Product]
  @LossyDictionary var stock: [String: Int]
  @DefaultValue<No> var isFeatured: Bool
  var tags: LossyArray<String>?
  @NumberOrString var rating: Double
}
// end sample

@JSONCodable
struct Price {
  var amount: Decimal
  @CodableDefault("EUR") var currency: String
  @CodableDefault([]) @LossyArray var notes: [String]
}

// sample: mapping
struct Stand: JSONDecodable {
  let products: [String], count: Int, currency: String

  static func decode(_ json: JSON) throws -> Stand {
    let products: LossyArray<String> = try json => "products"
    let count: NumberOrString<Int> = try json => "count"
    return Stand(
      products: products.wrappedValue, count: count.wrappedValue, currency: try (json =>? "currency") ?? "EUR")
  }
}
// end sample

private let guide = "\(Checkout.guides)/LossyDecoding.md"
private let text = """
  {
    "name": "Forge",
    "status": "renovating",
    "products": [{"name": "Tongs", "price": 24}, {"name": "Anvil"}, {"name": "Bellows", "price": 90}],
    "stock": {"Tongs": 3, "Bellows": "few"},
    "isFeatured": null,
    "rating": "4.5"
  }
  """

@Suite(.timeLimit(.minutes(15))) struct LossySamples {
  private let data = Data(text.utf8)

  @Test func theGuideShowsTheDocument() throws {
    try expectShown(text, in: guide, language: "json")
  }

  @Test func toleratedValuesAreReported() throws {
    let decoder = JSON.Decoder()
    // sample: reporting
    let (shop, report) = try decoder.decodeReporting(Shop.self, from: data)
    print(report)  // one line for each tolerated error
    print(shop.$products.skippedCount)  // 1
    // end sample
    #expect(shop.products.map(\.name) == ["Tongs", "Bellows"] && shop.$products.skippedCount == 1)
    #expect(shop.stock == ["Tongs": 3] && !shop.isFeatured && shop.tags == nil && shop.rating == 4.5)
    try expectShown(report.description, in: guide)
    #expect(!report.description.contains("renovating") && report.detailedDescription.contains("renovating"))
  }

  @Test func unknownCasesAreKept() throws {
    let shop = try JSON.Decoder().decode(Shop.self, from: data)
    var words: String
    // sample: open
    switch shop.status {
    case .known(.open): words = "come in"
    case .known(.closed): words = "come back"
    case .unknown(let text): words = "ask: \(text)"  // encoded without changes
    }
    // end sample
    #expect(words == "ask: renovating")
    #expect(try JSON(parsing: JSON.Encoder().encode(shop))["status"] == "renovating")
  }

  @Test func defaultsCanBeCustom() throws {
    #expect(try JSON.Decoder().decode(Price.self, from: Data(#"{"amount": 1}"#.utf8)).currency == "EUR")
    #expect(throws: DecodingError.self) {
      try JSON.Decoder().decode(Price.self, from: Data(#"{"amount": 1, "currency": 978}"#.utf8))
    }
  }

  @Test func reportsWorkWithAnyDecoder() throws {
    let report = DecodingReport(problemLimit: 100)
    let decoder = JSONDecoder()
    decoder.userInfo[.decodingReport] = report
    let shop = try decoder.decode(Shop.self, from: data)
    #expect(shop.rating == 4.5 && report.entries.count == 5)
  }

  @Test func responsesAreDecodedLeniently() async throws {
    let session = StubSession()
    let url = try #require(URL(string: "https://api.example.com/shop"))
    session.on(.get, url, .json(text))
    let backend = BackendService(transportService: TransportService(session: session))
    let decoder = JSON.Decoder()
    // sample: request
    let report = DecodingReport()
    let request = AnyRequest<Shop>(url: url, decoder: decoder.reporting(to: report))
    let shop = try await backend.execute(request)
    for entry in report.entries where entry.code == .skippedElement { print(entry.path) }
    // end sample
    #expect(shop.name == "Forge")
    #expect(report.entries.filter { $0.code == .skippedElement }.map { "\($0.path)" } == ["products[1]"])
  }

  @Test func mappingsReadLenientTypes() throws {
    let data = Data(#"{"products": ["Tongs", 7], "count": "12"}"#.utf8)
    let stand = try Stand.decode(JSON(parsing: data))
    #expect(stand.products == ["Tongs"] && stand.count == 12 && stand.currency == "EUR")
  }

  @Test func toleratedValuesAreNotDiagnosed() throws {
    let data = Data(text.replacing(#""Forge""#, with: "7").utf8)
    let diagnosis = try #require(throws: JSON.Diagnosis.self) {
      try JSON.Decoder().decodeAll(Shop.self, from: data)
    }
    #expect(diagnosis.line == "decode.type-mismatch $.name expected String found number @2:11")
  }
}
