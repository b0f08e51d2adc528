import AnvilJSON

extension Canada.Root: JSONWritable {
  func write(to writer: inout JSON.Writer) {
    writer.object { members in
      members.write("type", type)
      members.write("features", features)
    }
  }
}

extension Canada.Feature: JSONWritable {
  func write(to writer: inout JSON.Writer) {
    writer.object { members in
      members.write("type", type)
      members.write("properties", properties)
      members.write("geometry", geometry)
    }
  }
}

extension Canada.FeatureGeometry: JSONWritable {
  func write(to writer: inout JSON.Writer) {
    writer.object { members in
      members.write("type", type)
      members.write("coordinates", coordinates)
    }
  }
}

extension Canada.FeatureProperties: JSONWritable {
  func write(to writer: inout JSON.Writer) {
    writer.object { members in
      members.write("name", name)
    }
  }
}
