import Anvil
import AnvilTesting
import Foundation
import Synchronization

// A server on the loopback interface that answers each question in another way.
let server = try LoopbackServer()
let busyAnswers = Atomic(0)
server.on(.post, "/chat") { request in
  func events(_ data: String..., then end: LoopbackServer.Step = .close) -> LoopbackServer.Reply {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
    return .raw([.send(Data((head + data.map { "data: \($0)\n\n" }.joined()).utf8)), end])
  }
  switch (try? JSON(parsing: request.body))?["text"]?.string {
  case "weather":
    return events(
      #"{"text": "Let me "}"#, #"{"text": "look."}"#,
      #"{"toolCalls": [{"index": 0, "name": "weather", "arguments": "{\"city\":"}]}"#,
      #"{"toolCalls": [{"index": 0, "arguments": " \"Oslo\"}"}]}"#, "[DONE]")
  case "busy":
    let count = busyAnswers.wrappingAdd(1, ordering: .relaxed).newValue
    return count == 1 ? .status(529) : events(#"{"text": "Here I am."}"#, "[DONE]")
  case "broken": return events(#"{"text": "Well, "}"#, #"{"error": {"message": "overloaded"}}"#)
  case "cut": return events(#"{"text": "Well, "}"#)
  case "garbled": return events(#"{"text": 7}"#)
  default: return events(#"{"text": "Well, "}"#, then: .hang)
  }
}

var gateway = Gateway(baseURL: server.url)
gateway.idleTimeout = .seconds(2)
let chat = Chat(gateway)

func ask(_ question: String, show: @Sendable (String) -> Void = { _ in }) async {
  do throws(ChatError) {
    let answer = try await chat.answer(to: question, show: show)
    let calls = answer.toolCalls.values.map { " \($0.name)(\($0.arguments))" }.joined()
    print("\(question): \(answer.text)\(calls)")
  } catch {
    switch error {
    case .refused(let message): print("\(question): refused, \(message)")
    case .cancelled: print("\(question): cancelled")
    case .silent: print("\(question): the server was silent")
    case .undecodable(let failure): print("\(question): undecodable, \(failure)")
    case .network(let failure): print("\(question): \(failure.error.code)")
    }
  }
}

await ask("weather", show: { print("… \($0)") })
for question in ["busy", "broken", "cut", "garbled", "silent"] { await ask(question) }
print("busy was asked \(busyAnswers.load(ordering: .relaxed)) times")

// The reader stops: the task is cancelled with the first words.
let task = Mutex<Task<Void, Never>?>(nil)
let reading = Task { await ask("endless", show: { _ in task.withLock { $0?.cancel() } }) }
task.withLock { $0 = reading }
await reading.value
