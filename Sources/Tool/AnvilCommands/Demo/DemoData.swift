/// The invented people, repositories and events of the demo API, as JSON in the format of GitHub's API.
enum DemoData {
  static let users = [
    user(1, "ada", name: "Ada Norling", company: "Nordlicht Works", location: "Gothenburg", repos: 7, followers: 1204),
    user(2, "tomoko", name: "Tomoko Arai", company: nil, location: "Kanazawa", repos: 31, followers: 388),
    user(3, "mbeki-l", name: "Lindiwe Mbeki", company: "Ubuntu Rail", location: "Durban", repos: 12, followers: 91),
    user(4, "quiet", name: nil, company: nil, location: nil, repos: 0, followers: 0),
  ]

  static let repositories = [
    repository(
      101, "ada/bellows", description: "Keeps a fire going: a job queue over plain files", language: "Swift",
      stars: 3120, forks: 204, issues: 17, license: ("apache-2.0", "Apache License 2.0", "Apache-2.0"),
      topics: ["queue", "swift", "server"], pushed: "2026-10-30T08:12:44Z"),
    repository(
      102, "ada/tongs", description: "Takes hot JSON out of slow servers", language: "Swift", stars: 871, forks: 40,
      issues: 3, license: ("mit", "MIT License", "MIT"), topics: ["json", "http"], pushed: "2026-11-02T19:01:00Z"),
    repository(
      103, "ada/clinker", description: nil, language: "C", stars: 12, forks: 1, issues: 0, license: nil, topics: [],
      pushed: "2019-03-14T15:09:26Z", archived: true),
    repository(
      104, "ada/straße", description: "Größen, “quotes” \\\"escaped\\\" and 🔨", language: nil, stars: 5, forks: 0,
      issues: 1,
      license: ("other", "Other", nil), topics: ["unicode"], pushed: "2026-01-01T00:00:00Z"),
    repository(
      105, "tomoko/ferrite", description: "A small magnet: dependency graphs from build logs", language: "Rust",
      stars: 14_208, forks: 911, issues: 230, license: ("mit", "MIT License", "MIT"),
      topics: ["build", "graph", "cli", "rust"], pushed: "2026-11-20T23:59:59Z"),
    repository(
      106, "mbeki-l/timetable", description: "Railway timetables as a service", language: "Kotlin", stars: 466,
      forks: 77, issues: 42, license: ("agpl-3.0", "GNU Affero General Public License v3.0", "AGPL-3.0"),
      topics: ["transport", "gtfs"], pushed: "2026-11-19T06:30:00Z"),
  ]

  static let events = [
    event(
      "52001", "PushEvent", by: (1, "ada"), in: (101, "ada/bellows"), at: "2026-11-20T10:00:00Z",
      #"{"push_id": 9001, "size": 2, "distinct_size": 2, "ref": "refs/heads/main", "head": "7f9c2ba4", "before": "e83c5163", "commits": [{"sha": "1b6453892473a467", "author": {"email": "ada@example.org", "name": "Ada Norling"}, "message": "Let the queue drain before it closes", "distinct": true}, {"sha": "7f9c2ba4e88f827d", "author": {"email": "ada@example.org", "name": "Ada Norling"}, "message": "Say why in the changelog", "distinct": true}]}"#
    ),
    event(
      "52002", "IssuesEvent", by: (2, "tomoko"), in: (102, "ada/tongs"), at: "2026-11-20T10:07:31Z",
      #"{"action": "opened", "issue": {"id": 77, "number": 44, "title": "Timeouts below a second are rounded up", "state": "open", "user": {"id": 2, "login": "tomoko"}, "labels": [{"name": "bug", "color": "d73a4a"}], "comments": 3, "body": null}}"#
    ),
    event(
      "52003", "WatchEvent", by: (3, "mbeki-l"), in: (105, "tomoko/ferrite"), at: "2026-11-20T11:15:02Z",
      #"{"action": "started"}"#),
    event(
      "52004", "PullRequestEvent", by: (3, "mbeki-l"), in: (102, "ada/tongs"), at: "2026-11-20T12:40:00Z",
      #"{"action": "closed", "number": 45, "pull_request": {"id": 78, "number": 45, "state": "closed", "title": "Count milliseconds", "merged": true, "additions": 120, "deletions": 31, "changed_files": 4}}"#
    ),
    event(
      "52005", "ReleaseEvent", by: (1, "ada"), in: (102, "ada/tongs"), at: "2026-11-20T13:00:00Z",
      #"{"action": "published", "release": {"id": 12, "tag_name": "v1.4.0", "name": "Milliseconds", "draft": false, "prerelease": false, "assets": []}}"#
    ),
    event(
      "52006", "GollumEvent", by: (2, "tomoko"), in: (105, "tomoko/ferrite"), at: "2026-11-20T13:37:00Z",
      #"{"pages": [{"page_name": "Home", "action": "edited"}]}"#),
  ]

  private static let owners = ["ada": 1, "tomoko": 2, "mbeki-l": 3]

  static func array(_ elements: [String]) -> String {
    "[\(elements.joined(separator: ","))]"
  }

  private static func user(
    _ id: Int, _ login: String, name: String?, company: String?, location: String?, repos: Int, followers: Int
  ) -> String {
    """
    {"id": \(id), "login": "\(login)", "avatar_url": "https://avatars.example.org/u/\(id)?v=4", "gravatar_id": "",
     "url": "https://api.example.org/users/\(login)", "html_url": "https://example.org/\(login)", "type": "User",
     "site_admin": false, "name": \(text(name)), "company": \(text(company)), "blog": "", "location": \(text(location)),
     "email": null, "hireable": null, "bio": null, "twitter_username": null, "public_repos": \(repos),
     "public_gists": 0, "followers": \(followers), "following": \(id * 3), "created_at": "201\(id)-02-03T04:05:06Z",
     "updated_at": "2026-11-01T00:00:00Z"}
    """
  }

  private static func repository(
    _ id: Int, _ fullName: String, description: String?, language: String?, stars: Int, forks: Int, issues: Int,
    license: (key: String, name: String, spdx: String?)?, topics: [String], pushed: String, archived: Bool = false
  ) -> String {
    let names = fullName.split(separator: "/")
    let owner = names.first.map(String.init) ?? fullName
    let license =
      license.map {
        #"{"key": "\#($0.key)", "name": "\#($0.name)", "spdx_id": \#(text($0.spdx)), "url": null, "node_id": "MDc6"}"#
      } ?? "null"
    return """
      {"id": \(id), "node_id": "R_kgDO\(id)", "name": "\(names.last ?? "")", "full_name": "\(fullName)", "private": false,
       "owner": {"login": "\(owner)", "id": \(owners[owner] ?? 0), "avatar_url": "https://avatars.example.org/\(owner)?v=4",
                 "html_url": "https://example.org/\(owner)", "type": "User", "site_admin": false},
       "html_url": "https://example.org/\(fullName)", "description": \(text(description)), "fork": false,
       "url": "https://api.example.org/repos/\(fullName)", "created_at": "2015-05-04T03:02:01Z",
       "updated_at": "2026-11-20T00:00:00Z", "pushed_at": "\(pushed)", "homepage": null, "size": \(id * 37),
       "stargazers_count": \(stars), "watchers_count": \(stars), "language": \(text(language)), "has_issues": true,
       "has_wiki": false, "forks_count": \(forks), "archived": \(archived), "disabled": false,
       "open_issues_count": \(issues), "license": \(license), "allow_forking": true,
       "topics": [\(topics.map { text($0) }.joined(separator: ", "))], "visibility": "public",
       "default_branch": "main", "score": 1.0}
      """
  }

  private static func event(
    _ id: String, _ type: String, by actor: (id: Int, login: String), in repo: (id: Int, name: String), at date: String,
    _ payload: String
  ) -> String {
    """
    {"id": "\(id)", "type": "\(type)", "public": true, "created_at": "\(date)", "payload": \(payload),
     "actor": {"id": \(actor.id), "login": "\(actor.login)", "display_login": "\(actor.login)", "gravatar_id": "",
               "url": "https://api.example.org/users/\(actor.login)"},
     "repo": {"id": \(repo.id), "name": "\(repo.name)", "url": "https://api.example.org/repos/\(repo.name)"}}
    """
  }

  private static func text(_ value: String?) -> String {
    value.map { "\"\($0)\"" } ?? "null"
  }
}
