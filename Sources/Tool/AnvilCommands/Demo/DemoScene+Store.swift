internal import Anvil
internal import AnvilSQLite
internal import AnvilSync

/// The scene that stores models.
extension DemoScene {
  static func kept(in store: DemoStore) -> DemoScene {
    DemoScene(
      title: "Stored models: found by their keys, updated or inserted",
      code:
        #"ManagedGateway(…, context: store.context).request("users", "ada", "repos").execute().decode(managedList: …)"#
    ) { api in
      let gateway = ManagedGateway(api.gateway, context: store.context)
      let user = gateway.request("users", "ada").execute().decode(managed: User.self)
      let list = gateway.request("users", "ada", "repos").execute().decode(managedList: [Repository].self)
      do {
        let (user, list) = try await Promise.all(user, list).value
        let repositories = list.models.map(\.fullName).joined(separator: ", ")
        return Result(
          outcome: .stored(1 + list.models.count, list.changes),
          lines: [
            "\(user.login) and \(list.models.count) repositories are stored in \(store.path)",
            "\(repositories): \(list.changes)",
          ])
      } catch {
        return .unexpected(error)
      }
    }
  }
}
