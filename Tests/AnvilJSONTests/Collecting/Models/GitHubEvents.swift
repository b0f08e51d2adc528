/// The whole of `github_events.json`, every field typed.
enum GitHubEvents {
  typealias Root = [RootItem]

  struct RootItem: Codable, Equatable, Sendable {
    var type: String
    var created_at: String
    var actor: RootItemActor
    var repo: RootItemRepo
    var `public`: Bool
    var payload: RootItemPayload
    var id: String
    var org: RootItemActor?
  }

  struct RootItemPayload: Codable, Equatable, Sendable {
    var commits: [RootItemPayloadCommit]?
    var distinct_size: Int?
    var ref: String?
    var push_id: Int?
    var head: String?
    var before: String?
    var size: Int?
    var description: String?
    var master_branch: String?
    var ref_type: String?
    var forkee: RootItemPayloadForkee?
    var action: String?
    var issue: RootItemPayloadIssue?
    var comment: RootItemPayloadComment?
    var pages: [RootItemPayloadPage]?
  }

  struct RootItemPayloadPage: Codable, Equatable, Sendable {
    var page_name: String
    var html_url: String
    var title: String
    var sha: String
    var summary: Nothing?
    var action: String
  }

  struct RootItemPayloadComment: Codable, Equatable, Sendable {
    var user: RootItemPayloadIssueUser
    var url: String
    var issue_url: String
    var created_at: String
    var body: String
    var updated_at: String
    var id: Int
  }

  struct RootItemPayloadIssue: Codable, Equatable, Sendable {
    var user: RootItemPayloadIssueUser
    var url: String
    var labels: [Nothing]
    var html_url: String
    var labels_url: String
    var pull_request: RootItemPayloadIssuePullRequest
    var created_at: String
    var closed_at: String?
    var milestone: Nothing?
    var title: String
    var body: String
    var updated_at: String
    var number: Int
    var state: String
    var assignee: RootItemPayloadForkeeOwner?
    var id: Int
    var events_url: String
    var comments_url: String
    var comments: Int
  }

  struct RootItemPayloadIssuePullRequest: Codable, Equatable, Sendable {
    var html_url: Nothing?
    var patch_url: Nothing?
    var diff_url: Nothing?
  }

  struct RootItemPayloadIssueUser: Codable, Equatable, Sendable {
    var url: String
    var gists_url: String
    var gravatar_id: String
    var type: String
    var avatar_url: String
    var subscriptions_url: String
    var received_events_url: String
    var organizations_url: String
    var repos_url: String
    var login: String
    var id: Int
    var starred_url: String
    var events_url: String
    var followers_url: String
    var following_url: String
  }

  struct RootItemPayloadForkee: Codable, Equatable, Sendable {
    var description: String
    var fork: Bool
    var url: String
    var language: String
    var stargazers_url: String
    var clone_url: String
    var tags_url: String
    var full_name: String
    var merges_url: String
    var forks: Int
    var `private`: Bool
    var git_refs_url: String
    var archive_url: String
    var collaborators_url: String
    var owner: RootItemPayloadForkeeOwner
    var languages_url: String
    var trees_url: String
    var labels_url: String
    var html_url: String
    var pushed_at: String
    var created_at: String
    var has_issues: Bool
    var forks_url: String
    var branches_url: String
    var commits_url: String
    var notifications_url: String
    var open_issues: Int
    var contents_url: String
    var blobs_url: String
    var issues_url: String
    var compare_url: String
    var issue_events_url: String
    var name: String
    var updated_at: String
    var statuses_url: String
    var forks_count: Int
    var assignees_url: String
    var ssh_url: String
    var `public`: Bool
    var has_wiki: Bool
    var subscribers_url: String
    var mirror_url: Nothing?
    var watchers_count: Int
    var id: Int
    var has_downloads: Bool
    var git_commits_url: String
    var downloads_url: String
    var pulls_url: String
    var homepage: String?
    var issue_comment_url: String
    var hooks_url: String
    var subscription_url: String
    var milestones_url: String
    var svn_url: String
    var events_url: String
    var git_tags_url: String
    var teams_url: String
    var comments_url: String
    var open_issues_count: Int
    var keys_url: String
    var git_url: String
    var contributors_url: String
    var size: Int
    var watchers: Int
  }

  struct RootItemPayloadForkeeOwner: Codable, Equatable, Sendable {
    var url: String
    var gists_url: String
    var gravatar_id: String
    var type: String
    var avatar_url: String
    var subscriptions_url: String
    var organizations_url: String
    var received_events_url: String
    var repos_url: String
    var login: String
    var id: Int
    var starred_url: String
    var events_url: String
    var followers_url: String
    var following_url: String
  }

  struct RootItemPayloadCommit: Codable, Equatable, Sendable {
    var url: String
    var message: String
    var distinct: Bool
    var sha: String
    var author: RootItemPayloadCommitAuthor
  }

  struct RootItemPayloadCommitAuthor: Codable, Equatable, Sendable {
    var email: String
    var name: String
  }

  struct RootItemRepo: Codable, Equatable, Sendable {
    var url: String
    var id: Int
    var name: String
  }

  struct RootItemActor: Codable, Equatable, Sendable {
    var gravatar_id: String
    var login: String
    var avatar_url: String
    var url: String
    var id: Int
  }
}
