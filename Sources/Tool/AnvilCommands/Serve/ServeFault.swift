internal import AnvilHTTP
internal import AnvilServer

/// A fault in every *n*th reply of `anvil serve`.
struct ServeFault: Sendable {
  enum Kind: Sendable {
    case status(Int)
    case fault(LoopbackServer.Fault)
  }

  let kind: Kind
  /// The number *n*: every *n*th reply has the fault. It is 1 if every reply has it.
  let interval: Int

  /// The names of the faults, without the statuses.
  static let names = LoopbackServer.Fault.all.map(\.name)

  /// Reads a list such as `503/3,reset-before-head/10`.
  static func list(_ text: String) throws(UsageError) -> [ServeFault] {
    var faults: [ServeFault] = []
    for item in text.split(separator: ",", omittingEmptySubsequences: false) {
      faults.append(try ServeFault(String(item)))
    }
    return faults
  }

  private init(_ text: String) throws(UsageError) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let name = parts.first ?? ""
    if let status = Int(name), (400...599).contains(status) {
      kind = .status(status)
    } else if let fault = LoopbackServer.Fault.all.first(where: { $0.name == name }) {
      kind = .fault(fault.fault)
    } else {
      let suggestion = Suggestion.text(for: name, among: Self.names)
      throw UsageError(
        "--faults \(name.quotedExcerpt) is neither a status from 400 to 599 nor the name of a fault\(suggestion)")
    }
    guard parts.count > 1 else {
      interval = 1
      return
    }
    guard let interval = Int(parts[1]), interval > 0 else {
      throw UsageError("--faults \(text.quotedExcerpt): \(parts[1].quotedExcerpt) is not a number above 0")
    }
    self.interval = interval
  }

  /// The reply with the fault.
  var reply: LoopbackServer.Reply {
    switch kind {
    case .status(let code):
      .json(#"{"error": "a fault of --faults"}"#, status: HTTP.Status(code: code))
    case .fault(let fault): .fault(fault)
    }
  }

  /// The fault in the form of the log.
  var description: String {
    switch kind {
    case .status(let code): "\(code)"
    case .fault(let fault): LoopbackServer.Fault.all.first { $0.fault == fault }?.name ?? "fault"
    }
  }
}
