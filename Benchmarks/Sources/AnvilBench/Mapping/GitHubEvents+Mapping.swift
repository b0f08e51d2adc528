import AnvilJSON

extension GitHubEvents.RootItem: JSONDecodable {
  static func decode(_ json: JSON) throws -> Self {
    try Self(
      type: json => "type",
      created_at: json => "created_at",
      actor: json => "actor",
      repo: json => "repo",
      public: json => "public",
      payload: json => "payload",
      id: json => "id",
      org: json =>? "org"
    )
  }
}

extension GitHubEvents.RootItemPayload: JSONDecodable {
  static func decode(_ json: JSON) throws -> Self {
    try Self(
      commits: json =>? "commits",
      distinct_size: json =>? "distinct_size",
      ref: json =>? "ref",
      push_id: json =>? "push_id",
      head: json =>? "head",
      before: json =>? "before",
      size: json =>? "size",
      description: json =>? "description",
      master_branch: json =>? "master_branch",
      ref_type: json =>? "ref_type",
      forkee: json =>? "forkee",
      action: json =>? "action",
      issue: json =>? "issue",
      comment: json =>? "comment",
      pages: json =>? "pages"
    )
  }
}

extension GitHubEvents.RootItemPayloadPage: JSONDecodable {
  static func decode(_ json: JSON) throws -> Self {
    try Self(
      page_name: json => "page_name",
      html_url: json => "html_url",
      title: json => "title",
      sha: json => "sha",
      summary: json =>? "summary",
      action: json => "action"
    )
  }
}

extension GitHubEvents.RootItemPayloadComment: JSONDecodable {
  static func decode(_ json: JSON) throws -> Self {
    try Self(
      user: json => "user",
      url: json => "url",
      issue_url: json => "issue_url",
      created_at: json => "created_at",
      body: json => "body",
      updated_at: json => "updated_at",
      id: json => "id"
    )
  }
}

extension GitHubEvents.RootItemPayloadIssue: JSONDecodable {
  static func decode(_ json: JSON) throws -> Self {
    try Self(
      user: json => "user",
      url: json => "url",
      labels: json => "labels",
      html_url: json => "html_url",
      labels_url: json => "labels_url",
      pull_request: json => "pull_request",
      created_at: json => "created_at",
      closed_at: json =>? "closed_at",
      milestone: json =>? "milestone",
      title: json => "title",
      body: json => "body",
      updated_at: json => "updated_at",
      number: json => "number",
      state: json => "state",
      assignee: json =>? "assignee",
      id: json => "id",
      events_url: json => "events_url",
      comments_url: json => "comments_url",
      comments: json => "comments"
    )
  }
}

extension GitHubEvents.RootItemPayloadIssuePullRequest: JSONDecodable {
  static func decode(_ json: JSON) throws -> Self {
    try Self(
      html_url: json =>? "html_url",
      patch_url: json =>? "patch_url",
      diff_url: json =>? "diff_url"
    )
  }
}

extension GitHubEvents.RootItemPayloadIssueUser: JSONDecodable {
  static func decode(_ json: JSON) throws -> Self {
    try Self(
      url: json => "url",
      gists_url: json => "gists_url",
      gravatar_id: json => "gravatar_id",
      type: json => "type",
      avatar_url: json => "avatar_url",
      subscriptions_url: json => "subscriptions_url",
      received_events_url: json => "received_events_url",
      organizations_url: json => "organizations_url",
      repos_url: json => "repos_url",
      login: json => "login",
      id: json => "id",
      starred_url: json => "starred_url",
      events_url: json => "events_url",
      followers_url: json => "followers_url",
      following_url: json => "following_url"
    )
  }
}

extension GitHubEvents.RootItemPayloadForkee: JSONDecodable {
  static func decode(_ json: JSON) throws -> Self {
    try Self(
      description: json => "description",
      fork: json => "fork",
      url: json => "url",
      language: json => "language",
      stargazers_url: json => "stargazers_url",
      clone_url: json => "clone_url",
      tags_url: json => "tags_url",
      full_name: json => "full_name",
      merges_url: json => "merges_url",
      forks: json => "forks",
      private: json => "private",
      git_refs_url: json => "git_refs_url",
      archive_url: json => "archive_url",
      collaborators_url: json => "collaborators_url",
      owner: json => "owner",
      languages_url: json => "languages_url",
      trees_url: json => "trees_url",
      labels_url: json => "labels_url",
      html_url: json => "html_url",
      pushed_at: json => "pushed_at",
      created_at: json => "created_at",
      has_issues: json => "has_issues",
      forks_url: json => "forks_url",
      branches_url: json => "branches_url",
      commits_url: json => "commits_url",
      notifications_url: json => "notifications_url",
      open_issues: json => "open_issues",
      contents_url: json => "contents_url",
      blobs_url: json => "blobs_url",
      issues_url: json => "issues_url",
      compare_url: json => "compare_url",
      issue_events_url: json => "issue_events_url",
      name: json => "name",
      updated_at: json => "updated_at",
      statuses_url: json => "statuses_url",
      forks_count: json => "forks_count",
      assignees_url: json => "assignees_url",
      ssh_url: json => "ssh_url",
      public: json => "public",
      has_wiki: json => "has_wiki",
      subscribers_url: json => "subscribers_url",
      mirror_url: json =>? "mirror_url",
      watchers_count: json => "watchers_count",
      id: json => "id",
      has_downloads: json => "has_downloads",
      git_commits_url: json => "git_commits_url",
      downloads_url: json => "downloads_url",
      pulls_url: json => "pulls_url",
      homepage: json =>? "homepage",
      issue_comment_url: json => "issue_comment_url",
      hooks_url: json => "hooks_url",
      subscription_url: json => "subscription_url",
      milestones_url: json => "milestones_url",
      svn_url: json => "svn_url",
      events_url: json => "events_url",
      git_tags_url: json => "git_tags_url",
      teams_url: json => "teams_url",
      comments_url: json => "comments_url",
      open_issues_count: json => "open_issues_count",
      keys_url: json => "keys_url",
      git_url: json => "git_url",
      contributors_url: json => "contributors_url",
      size: json => "size",
      watchers: json => "watchers"
    )
  }
}

extension GitHubEvents.RootItemPayloadForkeeOwner: JSONDecodable {
  static func decode(_ json: JSON) throws -> Self {
    try Self(
      url: json => "url",
      gists_url: json => "gists_url",
      gravatar_id: json => "gravatar_id",
      type: json => "type",
      avatar_url: json => "avatar_url",
      subscriptions_url: json => "subscriptions_url",
      organizations_url: json => "organizations_url",
      received_events_url: json => "received_events_url",
      repos_url: json => "repos_url",
      login: json => "login",
      id: json => "id",
      starred_url: json => "starred_url",
      events_url: json => "events_url",
      followers_url: json => "followers_url",
      following_url: json => "following_url"
    )
  }
}

extension GitHubEvents.RootItemPayloadCommit: JSONDecodable {
  static func decode(_ json: JSON) throws -> Self {
    try Self(
      url: json => "url",
      message: json => "message",
      distinct: json => "distinct",
      sha: json => "sha",
      author: json => "author"
    )
  }
}

extension GitHubEvents.RootItemPayloadCommitAuthor: JSONDecodable {
  static func decode(_ json: JSON) throws -> Self {
    try Self(
      email: json => "email",
      name: json => "name"
    )
  }
}

extension GitHubEvents.RootItemRepo: JSONDecodable {
  static func decode(_ json: JSON) throws -> Self {
    try Self(
      url: json => "url",
      id: json => "id",
      name: json => "name"
    )
  }
}

extension GitHubEvents.RootItemActor: JSONDecodable {
  static func decode(_ json: JSON) throws -> Self {
    try Self(
      gravatar_id: json => "gravatar_id",
      login: json => "login",
      avatar_url: json => "avatar_url",
      url: json => "url",
      id: json => "id"
    )
  }
}
