import AnvilJSON

extension CitmCatalog.Root: JSONDecodable {
  static func decode(_ json: JSON) throws -> Self {
    try Self(
      areaNames: json => "areaNames",
      audienceSubCategoryNames: json => "audienceSubCategoryNames",
      blockNames: json => "blockNames",
      events: json => "events",
      performances: json => "performances",
      seatCategoryNames: json => "seatCategoryNames",
      subTopicNames: json => "subTopicNames",
      subjectNames: json => "subjectNames",
      topicNames: json => "topicNames",
      topicSubTopics: json => "topicSubTopics",
      venueNames: json => "venueNames"
    )
  }
}

extension CitmCatalog.VenueNames: JSONDecodable {
  static func decode(_ json: JSON) throws -> Self {
    try Self(
      PLEYEL_PLEYEL: json => "PLEYEL_PLEYEL"
    )
  }
}

extension CitmCatalog.SubjectNames: JSONDecodable {
  static func decode(_ json: JSON) throws -> Self { Self() }
}

extension CitmCatalog.Performance: JSONDecodable {
  static func decode(_ json: JSON) throws -> Self {
    try Self(
      eventId: json => "eventId",
      id: json => "id",
      logo: json =>? "logo",
      name: json =>? "name",
      prices: json => "prices",
      seatCategories: json => "seatCategories",
      seatMapImage: json =>? "seatMapImage",
      start: json => "start",
      venueCode: json => "venueCode"
    )
  }
}

extension CitmCatalog.PerformanceSeatCategorie: JSONDecodable {
  static func decode(_ json: JSON) throws -> Self {
    try Self(
      areas: json => "areas",
      seatCategoryId: json => "seatCategoryId"
    )
  }
}

extension CitmCatalog.PerformanceSeatCategorieArea: JSONDecodable {
  static func decode(_ json: JSON) throws -> Self {
    try Self(
      areaId: json => "areaId",
      blockIds: json => "blockIds"
    )
  }
}

extension CitmCatalog.PerformancePrice: JSONDecodable {
  static func decode(_ json: JSON) throws -> Self {
    try Self(
      amount: json => "amount",
      audienceSubCategoryId: json => "audienceSubCategoryId",
      seatCategoryId: json => "seatCategoryId"
    )
  }
}

extension CitmCatalog.EventsValue: JSONDecodable {
  static func decode(_ json: JSON) throws -> Self {
    try Self(
      description: json =>? "description",
      id: json => "id",
      logo: json =>? "logo",
      name: json => "name",
      subTopicIds: json => "subTopicIds",
      subjectCode: json =>? "subjectCode",
      subtitle: json =>? "subtitle",
      topicIds: json => "topicIds"
    )
  }
}
