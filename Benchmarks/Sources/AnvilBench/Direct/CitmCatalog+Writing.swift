import AnvilJSON

extension CitmCatalog.Root: JSONWritable {
  func write(to writer: inout JSON.Writer) {
    writer.object { members in
      members.write("areaNames", areaNames)
      members.write("audienceSubCategoryNames", audienceSubCategoryNames)
      members.write("blockNames", blockNames)
      members.write("events", events)
      members.write("performances", performances)
      members.write("seatCategoryNames", seatCategoryNames)
      members.write("subTopicNames", subTopicNames)
      members.write("subjectNames", subjectNames)
      members.write("topicNames", topicNames)
      members.write("topicSubTopics", topicSubTopics)
      members.write("venueNames", venueNames)
    }
  }
}

extension CitmCatalog.VenueNames: JSONWritable {
  func write(to writer: inout JSON.Writer) {
    writer.object { members in
      members.write("PLEYEL_PLEYEL", PLEYEL_PLEYEL)
    }
  }
}

extension CitmCatalog.SubjectNames: JSONWritable {
  func write(to writer: inout JSON.Writer) {
    writer.object { _ in }
  }
}

extension CitmCatalog.Performance: JSONWritable {
  func write(to writer: inout JSON.Writer) {
    writer.object { members in
      members.write("eventId", eventId)
      members.write("id", id)
      members.write("logo", ifPresent: logo)
      members.write("name", ifPresent: name)
      members.write("prices", prices)
      members.write("seatCategories", seatCategories)
      members.write("seatMapImage", ifPresent: seatMapImage)
      members.write("start", start)
      members.write("venueCode", venueCode)
    }
  }
}

extension CitmCatalog.PerformanceSeatCategorie: JSONWritable {
  func write(to writer: inout JSON.Writer) {
    writer.object { members in
      members.write("areas", areas)
      members.write("seatCategoryId", seatCategoryId)
    }
  }
}

extension CitmCatalog.PerformanceSeatCategorieArea: JSONWritable {
  func write(to writer: inout JSON.Writer) {
    writer.object { members in
      members.write("areaId", areaId)
      members.write("blockIds", blockIds)
    }
  }
}

extension CitmCatalog.PerformancePrice: JSONWritable {
  func write(to writer: inout JSON.Writer) {
    writer.object { members in
      members.write("amount", amount)
      members.write("audienceSubCategoryId", audienceSubCategoryId)
      members.write("seatCategoryId", seatCategoryId)
    }
  }
}

extension CitmCatalog.EventsValue: JSONWritable {
  func write(to writer: inout JSON.Writer) {
    writer.object { members in
      members.write("description", ifPresent: description)
      members.write("id", id)
      members.write("logo", ifPresent: logo)
      members.write("name", name)
      members.write("subTopicIds", subTopicIds)
      members.write("subjectCode", ifPresent: subjectCode)
      members.write("subtitle", ifPresent: subtitle)
      members.write("topicIds", topicIds)
    }
  }
}
