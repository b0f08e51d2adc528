import AnvilJSON

// What a macro would write for each model, or a person.

extension CitmCatalog.Root: JSONReadable {
  static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Self {
    var areaNames: [String: String]?
    var audienceSubCategoryNames: [String: String]?
    var blockNames: [String: Nothing]?
    var events: [String: CitmCatalog.EventsValue]?
    var performances: [CitmCatalog.Performance]?
    var seatCategoryNames: [String: String]?
    var subTopicNames: [String: String]?
    var subjectNames: CitmCatalog.SubjectNames?
    var topicNames: [String: String]?
    var topicSubTopics: [String: [Int]]?
    var venueNames: CitmCatalog.VenueNames?
    try reader.beginObject()
    repeat {
      try reader.read("areaNames", into: &areaNames)
      try reader.read("audienceSubCategoryNames", into: &audienceSubCategoryNames)
      try reader.read("blockNames", into: &blockNames)
      try reader.read("events", into: &events)
      try reader.read("performances", into: &performances)
      try reader.read("seatCategoryNames", into: &seatCategoryNames)
      try reader.read("subTopicNames", into: &subTopicNames)
      try reader.read("subjectNames", into: &subjectNames)
      try reader.read("topicNames", into: &topicNames)
      try reader.read("topicSubTopics", into: &topicSubTopics)
      try reader.read("venueNames", into: &venueNames)
    } while try reader.hasMoreMembers()
    return try Self(
      areaNames: reader.require(areaNames, "areaNames"),
      audienceSubCategoryNames: reader.require(audienceSubCategoryNames, "audienceSubCategoryNames"),
      blockNames: reader.require(blockNames, "blockNames"),
      events: reader.require(events, "events"),
      performances: reader.require(performances, "performances"),
      seatCategoryNames: reader.require(seatCategoryNames, "seatCategoryNames"),
      subTopicNames: reader.require(subTopicNames, "subTopicNames"),
      subjectNames: reader.require(subjectNames, "subjectNames"),
      topicNames: reader.require(topicNames, "topicNames"),
      topicSubTopics: reader.require(topicSubTopics, "topicSubTopics"),
      venueNames: reader.require(venueNames, "venueNames"))
  }
}

extension CitmCatalog.VenueNames: JSONReadable {
  static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Self {
    var PLEYEL_PLEYEL: String?
    try reader.beginObject()
    repeat {
      try reader.read("PLEYEL_PLEYEL", into: &PLEYEL_PLEYEL)
    } while try reader.hasMoreMembers()
    return try Self(
      PLEYEL_PLEYEL: reader.require(PLEYEL_PLEYEL, "PLEYEL_PLEYEL"))
  }
}

extension CitmCatalog.SubjectNames: JSONReadable {
  static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Self {
    try reader.beginObject()
    while try reader.hasMoreMembers() {}
    return Self()
  }
}

extension CitmCatalog.Performance: JSONReadable {
  static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Self {
    var eventId: Int?
    var id: Int?
    var logo: String??
    var name: Nothing??
    var prices: [CitmCatalog.PerformancePrice]?
    var seatCategories: [CitmCatalog.PerformanceSeatCategorie]?
    var seatMapImage: Nothing??
    var start: Int?
    var venueCode: String?
    try reader.beginObject()
    repeat {
      try reader.read("eventId", into: &eventId)
      try reader.read("id", into: &id)
      try reader.read("logo", into: &logo)
      try reader.read("name", into: &name)
      try reader.read("prices", into: &prices)
      try reader.read("seatCategories", into: &seatCategories)
      try reader.read("seatMapImage", into: &seatMapImage)
      try reader.read("start", into: &start)
      try reader.read("venueCode", into: &venueCode)
    } while try reader.hasMoreMembers()
    return try Self(
      eventId: reader.require(eventId, "eventId"),
      id: reader.require(id, "id"),
      logo: logo ?? nil,
      name: name ?? nil,
      prices: reader.require(prices, "prices"),
      seatCategories: reader.require(seatCategories, "seatCategories"),
      seatMapImage: seatMapImage ?? nil,
      start: reader.require(start, "start"),
      venueCode: reader.require(venueCode, "venueCode"))
  }
}

extension CitmCatalog.PerformanceSeatCategorie: JSONReadable {
  static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Self {
    var areas: [CitmCatalog.PerformanceSeatCategorieArea]?
    var seatCategoryId: Int?
    try reader.beginObject()
    repeat {
      try reader.read("areas", into: &areas)
      try reader.read("seatCategoryId", into: &seatCategoryId)
    } while try reader.hasMoreMembers()
    return try Self(
      areas: reader.require(areas, "areas"),
      seatCategoryId: reader.require(seatCategoryId, "seatCategoryId"))
  }
}

extension CitmCatalog.PerformanceSeatCategorieArea: JSONReadable {
  static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Self {
    var areaId: Int?
    var blockIds: [Nothing]?
    try reader.beginObject()
    repeat {
      try reader.read("areaId", into: &areaId)
      try reader.read("blockIds", into: &blockIds)
    } while try reader.hasMoreMembers()
    return try Self(
      areaId: reader.require(areaId, "areaId"),
      blockIds: reader.require(blockIds, "blockIds"))
  }
}

extension CitmCatalog.PerformancePrice: JSONReadable {
  static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Self {
    var amount: Int?
    var audienceSubCategoryId: Int?
    var seatCategoryId: Int?
    try reader.beginObject()
    repeat {
      try reader.read("amount", into: &amount)
      try reader.read("audienceSubCategoryId", into: &audienceSubCategoryId)
      try reader.read("seatCategoryId", into: &seatCategoryId)
    } while try reader.hasMoreMembers()
    return try Self(
      amount: reader.require(amount, "amount"),
      audienceSubCategoryId: reader.require(audienceSubCategoryId, "audienceSubCategoryId"),
      seatCategoryId: reader.require(seatCategoryId, "seatCategoryId"))
  }
}

extension CitmCatalog.EventsValue: JSONReadable {
  static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Self {
    var description: Nothing??
    var id: Int?
    var logo: String??
    var name: String?
    var subTopicIds: [Int]?
    var subjectCode: Nothing??
    var subtitle: Nothing??
    var topicIds: [Int]?
    try reader.beginObject()
    repeat {
      try reader.read("description", into: &description)
      try reader.read("id", into: &id)
      try reader.read("logo", into: &logo)
      try reader.read("name", into: &name)
      try reader.read("subTopicIds", into: &subTopicIds)
      try reader.read("subjectCode", into: &subjectCode)
      try reader.read("subtitle", into: &subtitle)
      try reader.read("topicIds", into: &topicIds)
    } while try reader.hasMoreMembers()
    return try Self(
      description: description ?? nil,
      id: reader.require(id, "id"),
      logo: logo ?? nil,
      name: reader.require(name, "name"),
      subTopicIds: reader.require(subTopicIds, "subTopicIds"),
      subjectCode: subjectCode ?? nil,
      subtitle: subtitle ?? nil,
      topicIds: reader.require(topicIds, "topicIds"))
  }
}
