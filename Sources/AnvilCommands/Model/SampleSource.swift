internal import AnvilHTTP
internal import AnvilShape
internal import Foundation

/// Where a sample comes from.
enum SampleSource: Sendable {
  case standardInput
  /// A file by the name that it was given by.
  case file(String)
  /// What a server answers.
  case url(GetOptions)

  /// The source that `operand` names: a URL where it begins like one, standard input for `-`, else a file.
  ///
  /// - Parameter requestOptions: what `anvil get` would be given for a URL.
  /// - Throws: ``UsageError`` for a URL that cannot be requested, or not with these options.
  init(_ operand: String, requestOptions: [String]) throws(UsageError) {
    let start = operand.prefix(8).lowercased()
    if start.hasPrefix("http://") || start.hasPrefix("https://") {
      self = .url(try GetOptions(ArgumentParser(["--follow"] + requestOptions + ["--", operand])))
    } else {
      self = operand == "-" ? .standardInput : .file(operand)
    }
  }

  /// Whether it is asked by HTTP.
  var isURL: Bool { if case .url = self { true } else { false } }

  /// What messages call it.
  var description: String {
    switch self {
    case .standardInput: "standard input"
    case .file(let name): name
    case .url(let options): "\(options.request)"
    }
  }

  /// What the models say they were made from: no folder of this machine, no secret.
  var origin: String {
    switch self {
    case .standardInput: "standard input"
    case .file(let name): URL(filePath: name).lastPathComponent
    case .url(let options): options.request.url.host().map { $0 + options.request.url.path } ?? "a URL"
    }
  }

  /// Whether the name says that it has one document a line.
  var hasLines: Bool {
    guard case .file(let name) = self else { return false }
    return ["ndjson", "jsonl"].contains(URL(filePath: name).pathExtension.lowercased())
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
