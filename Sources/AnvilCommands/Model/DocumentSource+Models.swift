internal import AnvilHTTP
internal import AnvilSchema
internal import Foundation

/// What a sample's source says of the models that are made from it.
extension DocumentSource {
  /// What the models say they were made from: no folder of this machine, no secret.
  var origin: String {
    switch self {
    case .standardInput: "standard input"
    case .file(let name): URL(filePath: name).lastPathComponent
    case .url(let options): options.request.url.host().map { $0 + options.request.url.path } ?? "a URL"
    }
  }

  /// The type's name that goes with it.
  ///
  /// - Parameter documents: how many there are in one text.
  func typeName(for shape: Shape, documents: SampleText.Count) -> String {
    switch self {
    case .standardInput: return "Root"
    case .file(let name):
      let text = Self.withoutNumber(URL(filePath: name).deletingPathExtension().lastPathComponent)
      return documents == .several ? SwiftModels.typeName(ofOneOf: text) : SwiftModels.typeName(from: text, for: shape)
    case .url(let options):
      let steps = options.request.url.path.split(separator: "/").map { $0.prefix { $0 != "." } }
      let names = steps.map(String.init).filter { $0.contains(where: \.isLetter) }
      if shape.arrays.count == 0, let plural = names.last(where: SwiftModels.isPlural) {
        return SwiftModels.typeName(ofOneOf: plural)
      }
      return SwiftModels.typeName(from: names.last ?? "Root", for: shape)
    }
  }

  /// `user` of `user-1` and `user2`: numbers tell samples apart.
  private static func withoutNumber(_ name: String) -> String {
    let end = name.lastIndex { !$0.isNumber && !"-_. ".contains($0) }
    return end.map { String(name[...$0]) } ?? name
  }
}
