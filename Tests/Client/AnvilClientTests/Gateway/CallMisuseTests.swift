#if os(Linux) || os(macOS)
import AnvilTestSupport
import Testing

/// Calls that the compiler accepts or rejects, and its messages.
@Suite(.enabled(if: Compiler.isAvailable, "there is no swiftc in the search path"), .timeLimit(.minutes(15)))
struct CallMisuseTests {
  private static let beginning = """
    import AnvilClient
    import Foundation
    import AnvilHTTP
    import AnvilBase

    struct User: Codable, Equatable, Sendable { var id: Int }
    struct Envelope: DecodableContainer {
      var data: User
      var element: User { data }
    }
    struct UserID: RawRepresentable { var rawValue: Int }
    struct Key { var text: String }
    enum Sort: String { case stars }
    enum State: String, HTTP.QueryValue { case open }
    struct Described: CustomStringConvertible { var description: String { "text" } }
    typealias E = AnyError

    func use(
      _ gateway: Gateway, _ api: TypedGateway<E>, _ id: UserID, _ key: Key, _ optional: Int?, _ names: [String: String],
      _ text: String, _ date: Date, _ described: Described, _ state: State?
    ) async throws {

    """

  private func diagnostics(_ kind: String, _ lines: [String]) async throws -> [(line: String, message: String)] {
    let program = Self.beginning + lines.joined(separator: "\n") + "\n}\n"
    let first = Self.beginning.count { $0 == "\n" } + 1
    return try await Compiler.diagnostics(kind, in: program, phase: "-typecheck").map { diagnostic in
      let index = (Compiler.line(of: diagnostic) ?? 0) - first
      return (lines.indices.contains(index) ? lines[index] : "", diagnostic)
    }
  }

  @Test func aCallWithoutATypeIsACompilerErrorWithAHint() async throws {
    let misuses = [
      #"let a = try await api.get("users/1")"#,
      #"_ = try await api.get("users/1")"#,
      #"try await api.get("users/1")"#,
      #"let b = try await api.get("users/\(1)", query: ["page": 2])"#,
      #"let c = try await gateway.get("users/1")"#,
      #"try await gateway.get("users/1", query: ["page": 2])"#,
    ]
    let errors = try await diagnostics("error", misuses)
    for misuse in misuses {
      #expect(errors.contains { $0.line == misuse && $0.message.contains("as: User.self") }, "\(misuse): \(errors)")
    }
    #expect(errors.count == misuses.count, "\(errors)")
  }

  @Test func missingConformancesAreNamed() async throws {
    let misuses = [
      (#"_ = try await api.get("users", as: Undecodable.self)"#, "'Decodable'"),
      (#"let a: Undecodable = try await gateway.get("users/\(1)")"#, "'Decodable'"),
      (#"let b: Undecodable = try await api.post("users", body: 1)"#, "'Decodable'"),
    ]
    let lines = misuses.map(\.0)
    let errors = try await diagnostics("error", ["struct Undecodable: Sendable {}"] + lines)
    for (line, name) in misuses {
      let messages = errors.filter { $0.line == line }.map(\.message)
      #expect(messages.contains { $0.contains(name) } && !messages.contains { $0.contains("HTTP.Path") }, "\(messages)")
    }
  }

  @Test func aBodyThatCannotBeEncodedIsNamed() async throws {
    let misuses = [
      #"try await api.post("users", body: Plain())"#,
      #"try await gateway.put("users/\(id)", query: ["page": 1], body: Plain())"#,
      #"try await api.patch("users/1", body: Plain?.some(Plain()))"#,
      #"_ = try await api.post("users", body: Plain(), as: User.self)"#,
      #"let a: User = try await gateway.put("users/1", body: [Plain()])"#,
      #"let b: User = try await api.patch("users/\(1)", body: Plain(), container: Envelope.self)"#,
      #"_ = try await api.post("users", body: { 1 }, as: Decoded<User>.self)"#,
    ]
    let errors = try await diagnostics("error", ["struct Plain: Sendable {}"] + misuses)
    for misuse in misuses {
      let messages = errors.filter { $0.line == misuse }.map(\.message)
      #expect(messages.count == 1 && messages.allSatisfy { $0.contains("the body must be Encodable") }, "\(messages)")
    }
  }

  @Test func callsWithATypeCompile() async throws {
    let lines = [
      #"let a: User = try await api.get("users/1")"#,
      #"let b: User = try await gateway.get("users/1", query: ["page": 1])"#,
      #"let c: [User]? = try await api.request("users").execute()"#,
      #"let d: User = try await gateway.request("users/1").execute()"#,
      #"let e = try await gateway.request("users/1").execute().decode(as: User.self).value"#,
      #"let f: Promise<HTTP.Response> = gateway.request("users/1").execute()"#,
      #"let g = try await api.get("users/1", container: Envelope.self)"#,
      #"let h = try await api.get("users/1") == User(id: 1)"#,
      #"let i = Task { () throws(E) -> User in try await api.get("users/1") }"#,
      #"func j<T: Decodable & Sendable>() async throws(E) -> T { try await gateway.get("users/1") }"#,
      #"async let k: User = api.get("users/1")"#,
      #"let l = try await gateway.get("users/\(id)/\(Sort.stars)", as: Decoded<User>.self).value"#,
      #"let m: User = try await gateway.get("users", query: HTTP.Query(names))"#,
      #"let n: [User] = try await api.get("users", query: ["team": text, "labels": ["a", "b"], "since": date, "page": nil])"#,
      #"let o: [User] = try await api.get("users", query: ["state": state, "n": 3, "ids": [1, 2], "page": optional])"#,
      #"let p = try gateway.request(template: "x{?since,ids*}", ["since": date, "ids": [1, 2]])"#,
      #"let q = api.request("users", 1, text, UUID(), true)"#,
      #"try await print(a, b, c as Any, d, e, f, g, h, i, j() as User, k, l, m, n, o, p, q)"#,
    ]
    #expect(try await diagnostics("error", lines).map(\.message) == [])
    #expect(try await diagnostics("warning", lines).map(\.message) == [])
  }

  /// They act at a fixed position, where they see each attempt. Elsewhere they would count calls.
  @Test func partsWithAPropertyAreNotInterceptors() async throws {
    let misuses = ["CircuitBreaker()", "RateLimiter()", "RequestLog { _ in }"].map {
      "do { var part = ClientConfiguration.bare; part.interceptors = [(\($0), at: .call)] }"
    }
    let errors = try await diagnostics("error", misuses)
    for misuse in misuses { #expect(errors.contains { $0.line == misuse }, "\(misuse): \(errors)") }
    #expect(errors.allSatisfy { $0.message.contains("Interceptor") }, "\(errors)")
  }

  /// A failure that cannot be created from a decoding failure is the mistake, not the path.
  @Test func aModelForAFailureThatCannotDecodeNamesTheProtocol() async throws {
    let calls = [
      #"get("users/1", as: User.self)"#, #"delete("users/1", as: User.self)"#,
      #"post("users/1", body: User(id: 1), as: User.self)"#, #"put("users/1", body: HTTP.Body.empty, as: User.self)"#,
      #"patch("users/1", as: User.self)"#, #"get("users/1", as: Decoded<User>.self)"#,
      #"get("users/1", container: Envelope.self)"#,
    ]
    let misuses =
      calls.map { "_ = try await gateway.failing(as: TransportFailure.self).\($0)" }
      + [#"let a: User = try await gateway.failing(as: TransportFailure.self).get("users/1")"#]
    let errors = try await diagnostics("error", misuses)
    for misuse in misuses {
      #expect(
        errors.contains { $0.line == misuse && $0.message.contains("DecodingFailureRepresentable") },
        "\(misuse): \(errors)")
    }
  }

  @Test func valuesWithoutTextAndVariablesAsPathsAreCompilerErrorsWithAHint() async throws {
    let misuses = [
      (#"_ = gateway.request("users/\(key)/repos")"#, "use a string or a number"),
      (#"_ = api.request("users/\(key)")"#, "use a string or a number"),
      (#"_ = gateway.request("users/\(optional)/repos")"#, "unwrap the value"),
      (#"try await api.delete("users/\(optional)")"#, "unwrap the value"),
      (#"let a: User = try await gateway.get("users/\(optional)")"#, "unwrap the value"),
      (#"_ = api.request(text)"#, "HTTP.Path(syntax: text)"),
      (#"_ = gateway.request(text, "repos", method: .put)"#, "HTTP.Path(syntax: text)"),
      (#"let b = try await api.get(text, as: User.self)"#, "HTTP.Path(syntax: text)"),
      (#"let c: User = try await gateway.get(text, query: ["page": 1])"#, "HTTP.Path(syntax: text)"),
      (#"let f = try await api.get(text, container: Envelope.self)"#, "HTTP.Path(syntax: text)"),
      (#"let g: User = try await api.get(text, container: Envelope.self)"#, "HTTP.Path(syntax: text)"),
      (#"let h = try await api.delete(text, as: User.self, container: Envelope.self)"#, "HTTP.Path(syntax: text)"),
      (#"let i = try await api.post(text, body: User(id: 1), container: Envelope.self)"#, "HTTP.Path(syntax: text)"),
      (#"let j = try await api.put(text, container: Envelope.self)"#, "HTTP.Path(syntax: text)"),
      (#"let k: User = try await api.patch(text, container: Envelope.self)"#, "HTTP.Path(syntax: text)"),
      (#"let l = try await api.get(text, as: Decoded<User>.self)"#, "HTTP.Path(syntax: text)"),
      (#"let m = try await api.post(text, as: Decoded<User>.self)"#, "HTTP.Path(syntax: text)"),
      (#"try await api.delete(text)"#, "HTTP.Path(syntax: text)"),
      (#"try await api.head(text)"#, "HTTP.Path(syntax: text)"),
      (#"try await api.post(text, body: User(id: 1))"#, "HTTP.Path(syntax: text)"),
      (#"try await api.post(text)"#, "HTTP.Path(syntax: text)"),
      (#"let d = try await gateway.put(text, body: User(id: 1), as: User.self)"#, "HTTP.Path(syntax: text)"),
      (#"let e: User = try await gateway.patch(text, body: HTTP.Body.empty)"#, "HTTP.Path(syntax: text)"),
      (#"_ = gateway.request("days/\(date)")"#, "use a string or a number"),
      (#"_ = gateway.request("users/\(described)")"#, "use a string or a number"),
      (#"_ = gateway.request("users/\([1, 2])")"#, "use a string or a number"),
      (#"_ = gateway.request("users", date)"#, "HTTP.PathValue"),
      (#"_ = gateway.request("users", described)"#, "HTTP.PathValue"),
      (#"_ = gateway.request("users", [1, 2])"#, "HTTP.PathValue"),
      (#"_ = gateway.request("users", query: ["key": described])"#, "HTTP.QueryValue"),
      (#"_ = gateway.request("users", query: ["key": User(id: 1)])"#, "HTTP.QueryValue"),
      (#"_ = gateway.request("users", query: ["key": Sort.stars])"#, "HTTP.QueryValue"),
      (#"_ = gateway.request("users", query: ["key": [described]])"#, "HTTP.QueryValue"),
      (#"_ = gateway.request("users", query: ["key": ["a": 1]])"#, "HTTP.QueryValue"),
      (#"_ = try gateway.request(template: "x{?a*}", ["a": [described]])"#, "HTTP.QueryValue"),
      (#"_ = Gateway(text)"#, "Gateway(baseURL: url)"),
    ]
    let errors = try await diagnostics("error", misuses.map(\.0))
    for (misuse, advice) in misuses {
      #expect(errors.contains { $0.line == misuse && $0.message.contains(advice) }, "\(misuse): \(errors)")
    }
  }
}
#endif
