import AnvilCodable

/// The models of `github_events.json`, coded by macros.
enum MacroGitHubEvents {
  typealias Root = [RootItem]

  @JSONCodable
  struct RootItem: Equatable, Sendable {
    var type: String
    var created_at: String
    var actor: RootItemActor
    var repo: RootItemRepo
    var `public`: Bool
    var payload: RootItemPayload
    var id: String
    var org: RootItemActor?
  }

  @JSONCodable
  struct RootItemPayload: Equatable, Sendable {
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

  @JSONCodable
  struct RootItemPayloadPage: Equatable, Sendable {
    var page_name: String
    var html_url: String
    var title: String
    var sha: String
    var summary: MacroNothing?
    var action: String
  }

  @JSONCodable
  struct RootItemPayloadComment: Equatable, Sendable {
    var user: RootItemPayloadIssueUser
    var url: String
    var issue_url: String
    var created_at: String
    var body: String
    var updated_at: String
    var id: Int
  }

  @JSONCodable
  struct RootItemPayloadIssue: Equatable, Sendable {
    var user: RootItemPayloadIssueUser
    var url: String
    var labels: [MacroNothing]
    var html_url: String
    var labels_url: String
    var pull_request: RootItemPayloadIssuePullRequest
    var created_at: String
    var closed_at: String?
    var milestone: MacroNothing?
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

  @JSONCodable
  struct RootItemPayloadIssuePullRequest: Equatable, Sendable {
    var html_url: MacroNothing?
    var patch_url: MacroNothing?
    var diff_url: MacroNothing?
  }

  @JSONCodable
  struct RootItemPayloadIssueUser: Equatable, Sendable {
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

  @JSONCodable
  struct RootItemPayloadForkee: Equatable, Sendable {
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
    var mirror_url: MacroNothing?
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

  @JSONCodable
  struct RootItemPayloadForkeeOwner: Equatable, Sendable {
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

  @JSONCodable
  struct RootItemPayloadCommit: Equatable, Sendable {
    var url: String
    var message: String
    var distinct: Bool
    var sha: String
    var author: RootItemPayloadCommitAuthor
  }

  @JSONCodable
  struct RootItemPayloadCommitAuthor: Equatable, Sendable {
    var email: String
    var name: String
  }

  @JSONCodable
  struct RootItemRepo: Equatable, Sendable {
    var url: String
    var id: Int
    var name: String
  }

  @JSONCodable
  struct RootItemActor: Equatable, Sendable {
    var gravatar_id: String
    var login: String
    var avatar_url: String
    var url: String
    var id: Int
  }
}
