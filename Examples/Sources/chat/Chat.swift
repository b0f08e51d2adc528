import Anvil

/// A client of a chat API that streams its answers.
struct Chat: Sendable {
  private let api: TypedGateway<ChatError>

  init(_ gateway: Gateway) {
    var gateway = gateway
    gateway.idleTimeout = gateway.idleTimeout ?? .seconds(20)
    gateway.idempotency = .keyed  // an attempt that was answered 529 before its first byte may be repeated
    api = gateway.failing(as: ChatError.self)
  }

  /// Sends `question` and returns the answer, whose text is passed to `show` as it arrives.
  func answer(to question: String, show: @Sendable (String) -> Void) async throws(ChatError) -> Answer {
    var request = api.request("chat", method: .post)
    request.body = .encoding(Question(text: question))
    var answer = Answer()
    for try await event in request.events(of: Chunk.self, until: "[DONE]") {
      if let error = event.error { throw .refused(error.message) }
      if let text = event.text {
        answer.text += text
        show(text)
      }
      for part in event.toolCalls ?? [] {
        answer.toolCalls[part.index, default: ToolCall()].name += part.name ?? ""
        answer.toolCalls[part.index, default: ToolCall()].arguments += part.arguments ?? ""
      }
    }
    return answer
  }
}

struct Question: Encodable, Sendable { var text: String }
struct ToolCall: Sendable { var name = "", arguments = "" }
struct Answer: Sendable { var text = "", toolCalls: [Int: ToolCall] = [:] }

/// The data of an event: text, parts of tool calls, or an error in the middle of the answer.
struct Chunk: Decodable, Sendable {
  struct Part: Decodable, Sendable { var index: Int, name: String?, arguments: String? }
  struct Problem: Decodable, Sendable { var message: String }

  var text: String?, toolCalls: [Part]?, error: Problem?
}

enum ChatError: DecodingFailureRepresentable {
  case refused(String), cancelled, silent, undecodable(DecodingFailure), network(TransportFailure)

  init(transportFailure failure: TransportFailure) {
    switch failure.error.code {
    case .cancelled: self = .cancelled
    case .timedOut: self = .silent
    default: self = .network(failure)
    }
  }

  init(decodingFailure: DecodingFailure) { self = .undecodable(decodingFailure) }
}
