import AnvilJSON

extension CitmCatalog.Root: JSONEncodable {
  func encode(into json: inout JSON.Builder) throws {
    try json.write(areaNames, at: "areaNames")
    try json.write(audienceSubCategoryNames, at: "audienceSubCategoryNames")
    try json.write(blockNames, at: "blockNames")
    try json.write(events, at: "events")
    try json.write(performances, at: "performances")
    try json.write(seatCategoryNames, at: "seatCategoryNames")
    try json.write(subTopicNames, at: "subTopicNames")
    try json.write(subjectNames, at: "subjectNames")
    try json.write(topicNames, at: "topicNames")
    try json.write(topicSubTopics, at: "topicSubTopics")
    try json.write(venueNames, at: "venueNames")
  }
}

extension CitmCatalog.VenueNames: JSONEncodable {
  func encode(into json: inout JSON.Builder) throws {
    try json.write(PLEYEL_PLEYEL, at: "PLEYEL_PLEYEL")
  }
}

extension CitmCatalog.SubjectNames: JSONEncodable {
  func encode(into json: inout JSON.Builder) throws {}
}

extension CitmCatalog.Performance: JSONEncodable {
  func encode(into json: inout JSON.Builder) throws {
    try json.write(eventId, at: "eventId")
    try json.write(id, at: "id")
    try json.write(ifPresent: logo, at: "logo")
    try json.write(ifPresent: name, at: "name")
    try json.write(prices, at: "prices")
    try json.write(seatCategories, at: "seatCategories")
    try json.write(ifPresent: seatMapImage, at: "seatMapImage")
    try json.write(start, at: "start")
    try json.write(venueCode, at: "venueCode")
  }
}

extension CitmCatalog.PerformanceSeatCategorie: JSONEncodable {
  func encode(into json: inout JSON.Builder) throws {
    try json.write(areas, at: "areas")
    try json.write(seatCategoryId, at: "seatCategoryId")
  }
}

extension CitmCatalog.PerformanceSeatCategorieArea: JSONEncodable {
  func encode(into json: inout JSON.Builder) throws {
    try json.write(areaId, at: "areaId")
    try json.write(blockIds, at: "blockIds")
  }
}

extension CitmCatalog.PerformancePrice: JSONEncodable {
  func encode(into json: inout JSON.Builder) throws {
    try json.write(amount, at: "amount")
    try json.write(audienceSubCategoryId, at: "audienceSubCategoryId")
    try json.write(seatCategoryId, at: "seatCategoryId")
  }
}

extension CitmCatalog.EventsValue: JSONEncodable {
  func encode(into json: inout JSON.Builder) throws {
    try json.write(ifPresent: description, at: "description")
    try json.write(id, at: "id")
    try json.write(ifPresent: logo, at: "logo")
    try json.write(name, at: "name")
    try json.write(subTopicIds, at: "subTopicIds")
    try json.write(ifPresent: subjectCode, at: "subjectCode")
    try json.write(ifPresent: subtitle, at: "subtitle")
    try json.write(topicIds, at: "topicIds")
  }
}
