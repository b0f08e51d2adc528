import AnvilCodable

/// The models of `citm_catalog.json`, coded by macros.
enum MacroCitmCatalog {
  @JSONCodable
  struct Root: Equatable, Sendable {
    var areaNames: [String: String]
    var audienceSubCategoryNames: [String: String]
    var blockNames: [String: MacroNothing]
    var events: [String: EventsValue]
    var performances: [Performance]
    var seatCategoryNames: [String: String]
    var subTopicNames: [String: String]
    var subjectNames: SubjectNames
    var topicNames: [String: String]
    var topicSubTopics: [String: [Int]]
    var venueNames: VenueNames
  }

  @JSONCodable
  struct VenueNames: Equatable, Sendable {
    var PLEYEL_PLEYEL: String
  }

  @JSONCodable
  struct SubjectNames: Equatable, Sendable {
  }

  @JSONCodable
  struct Performance: Equatable, Sendable {
    var eventId: Int
    var id: Int
    var logo: String?
    var name: MacroNothing?
    var prices: [PerformancePrice]
    var seatCategories: [PerformanceSeatCategorie]
    var seatMapImage: MacroNothing?
    var start: Int
    var venueCode: String
  }

  @JSONCodable
  struct PerformanceSeatCategorie: Equatable, Sendable {
    var areas: [PerformanceSeatCategorieArea]
    var seatCategoryId: Int
  }

  @JSONCodable
  struct PerformanceSeatCategorieArea: Equatable, Sendable {
    var areaId: Int
    var blockIds: [MacroNothing]
  }

  @JSONCodable
  struct PerformancePrice: Equatable, Sendable {
    var amount: Int
    var audienceSubCategoryId: Int
    var seatCategoryId: Int
  }

  @JSONCodable
  struct EventsValue: Equatable, Sendable {
    var description: MacroNothing?
    var id: Int
    var logo: String?
    var name: String
    var subTopicIds: [Int]
    var subjectCode: MacroNothing?
    var subtitle: MacroNothing?
    var topicIds: [Int]
  }
}
