/// The whole of `citm_catalog.json`, every field typed.
enum CitmCatalog {
  struct Root: Codable, Equatable, Sendable {
    var areaNames: [String: String]
    var audienceSubCategoryNames: [String: String]
    var blockNames: [String: Nothing]
    var events: [String: EventsValue]
    var performances: [Performance]
    var seatCategoryNames: [String: String]
    var subTopicNames: [String: String]
    var subjectNames: SubjectNames
    var topicNames: [String: String]
    var topicSubTopics: [String: [Int]]
    var venueNames: VenueNames
  }

  struct VenueNames: Codable, Equatable, Sendable {
    var PLEYEL_PLEYEL: String
  }

  struct SubjectNames: Codable, Equatable, Sendable {
  }

  struct Performance: Codable, Equatable, Sendable {
    var eventId: Int
    var id: Int
    var logo: String?
    var name: Nothing?
    var prices: [PerformancePrice]
    var seatCategories: [PerformanceSeatCategorie]
    var seatMapImage: Nothing?
    var start: Int
    var venueCode: String
  }

  struct PerformanceSeatCategorie: Codable, Equatable, Sendable {
    var areas: [PerformanceSeatCategorieArea]
    var seatCategoryId: Int
  }

  struct PerformanceSeatCategorieArea: Codable, Equatable, Sendable {
    var areaId: Int
    var blockIds: [Nothing]
  }

  struct PerformancePrice: Codable, Equatable, Sendable {
    var amount: Int
    var audienceSubCategoryId: Int
    var seatCategoryId: Int
  }

  struct EventsValue: Codable, Equatable, Sendable {
    var description: Nothing?
    var id: Int
    var logo: String?
    var name: String
    var subTopicIds: [Int]
    var subjectCode: Nothing?
    var subtitle: Nothing?
    var topicIds: [Int]
  }
}
