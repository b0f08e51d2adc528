import AnvilJSON

// What a macro would write for each model, or a person.

extension GitHubEvents.RootItem: JSONReadable {
  static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Self {
    var type: String?
    var created_at: String?
    var actor: GitHubEvents.RootItemActor?
    var repo: GitHubEvents.RootItemRepo?
    var `public`: Bool?
    var payload: GitHubEvents.RootItemPayload?
    var id: String?
    var org: GitHubEvents.RootItemActor??
    try reader.beginObject()
    repeat {
      try reader.read("type", into: &type)
      try reader.read("created_at", into: &created_at)
      try reader.read("actor", into: &actor)
      try reader.read("repo", into: &repo)
      try reader.read("public", into: &`public`)
      try reader.read("payload", into: &payload)
      try reader.read("id", into: &id)
      try reader.read("org", into: &org)
    } while try reader.hasMoreMembers()
    return try Self(
      type: reader.require(type, "type"),
      created_at: reader.require(created_at, "created_at"),
      actor: reader.require(actor, "actor"),
      repo: reader.require(repo, "repo"),
      public: reader.require(`public`, "public"),
      payload: reader.require(payload, "payload"),
      id: reader.require(id, "id"),
      org: org ?? nil)
  }
}

extension GitHubEvents.RootItemPayload: JSONReadable {
  static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Self {
    var commits: [GitHubEvents.RootItemPayloadCommit]??
    var distinct_size: Int??
    var ref: String??
    var push_id: Int??
    var head: String??
    var before: String??
    var size: Int??
    var description: String??
    var master_branch: String??
    var ref_type: String??
    var forkee: GitHubEvents.RootItemPayloadForkee??
    var action: String??
    var issue: GitHubEvents.RootItemPayloadIssue??
    var comment: GitHubEvents.RootItemPayloadComment??
    var pages: [GitHubEvents.RootItemPayloadPage]??
    try reader.beginObject()
    repeat {
      try reader.read("commits", into: &commits)
      try reader.read("distinct_size", into: &distinct_size)
      try reader.read("ref", into: &ref)
      try reader.read("push_id", into: &push_id)
      try reader.read("head", into: &head)
      try reader.read("before", into: &before)
      try reader.read("size", into: &size)
      try reader.read("description", into: &description)
      try reader.read("master_branch", into: &master_branch)
      try reader.read("ref_type", into: &ref_type)
      try reader.read("forkee", into: &forkee)
      try reader.read("action", into: &action)
      try reader.read("issue", into: &issue)
      try reader.read("comment", into: &comment)
      try reader.read("pages", into: &pages)
    } while try reader.hasMoreMembers()
    return Self(
      commits: commits ?? nil,
      distinct_size: distinct_size ?? nil,
      ref: ref ?? nil,
      push_id: push_id ?? nil,
      head: head ?? nil,
      before: before ?? nil,
      size: size ?? nil,
      description: description ?? nil,
      master_branch: master_branch ?? nil,
      ref_type: ref_type ?? nil,
      forkee: forkee ?? nil,
      action: action ?? nil,
      issue: issue ?? nil,
      comment: comment ?? nil,
      pages: pages ?? nil)
  }
}

extension GitHubEvents.RootItemPayloadPage: JSONReadable {
  static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Self {
    var page_name: String?
    var html_url: String?
    var title: String?
    var sha: String?
    var summary: Nothing??
    var action: String?
    try reader.beginObject()
    repeat {
      try reader.read("page_name", into: &page_name)
      try reader.read("html_url", into: &html_url)
      try reader.read("title", into: &title)
      try reader.read("sha", into: &sha)
      try reader.read("summary", into: &summary)
      try reader.read("action", into: &action)
    } while try reader.hasMoreMembers()
    return try Self(
      page_name: reader.require(page_name, "page_name"),
      html_url: reader.require(html_url, "html_url"),
      title: reader.require(title, "title"),
      sha: reader.require(sha, "sha"),
      summary: summary ?? nil,
      action: reader.require(action, "action"))
  }
}

extension GitHubEvents.RootItemPayloadComment: JSONReadable {
  static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Self {
    var user: GitHubEvents.RootItemPayloadIssueUser?
    var url: String?
    var issue_url: String?
    var created_at: String?
    var body: String?
    var updated_at: String?
    var id: Int?
    try reader.beginObject()
    repeat {
      try reader.read("user", into: &user)
      try reader.read("url", into: &url)
      try reader.read("issue_url", into: &issue_url)
      try reader.read("created_at", into: &created_at)
      try reader.read("body", into: &body)
      try reader.read("updated_at", into: &updated_at)
      try reader.read("id", into: &id)
    } while try reader.hasMoreMembers()
    return try Self(
      user: reader.require(user, "user"),
      url: reader.require(url, "url"),
      issue_url: reader.require(issue_url, "issue_url"),
      created_at: reader.require(created_at, "created_at"),
      body: reader.require(body, "body"),
      updated_at: reader.require(updated_at, "updated_at"),
      id: reader.require(id, "id"))
  }
}

extension GitHubEvents.RootItemPayloadIssue: JSONReadable {
  static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Self {
    var user: GitHubEvents.RootItemPayloadIssueUser?
    var url: String?
    var labels: [Nothing]?
    var html_url: String?
    var labels_url: String?
    var pull_request: GitHubEvents.RootItemPayloadIssuePullRequest?
    var created_at: String?
    var closed_at: String??
    var milestone: Nothing??
    var title: String?
    var body: String?
    var updated_at: String?
    var number: Int?
    var state: String?
    var assignee: GitHubEvents.RootItemPayloadForkeeOwner??
    var id: Int?
    var events_url: String?
    var comments_url: String?
    var comments: Int?
    try reader.beginObject()
    repeat {
      try reader.read("user", into: &user)
      try reader.read("url", into: &url)
      try reader.read("labels", into: &labels)
      try reader.read("html_url", into: &html_url)
      try reader.read("labels_url", into: &labels_url)
      try reader.read("pull_request", into: &pull_request)
      try reader.read("created_at", into: &created_at)
      try reader.read("closed_at", into: &closed_at)
      try reader.read("milestone", into: &milestone)
      try reader.read("title", into: &title)
      try reader.read("body", into: &body)
      try reader.read("updated_at", into: &updated_at)
      try reader.read("number", into: &number)
      try reader.read("state", into: &state)
      try reader.read("assignee", into: &assignee)
      try reader.read("id", into: &id)
      try reader.read("events_url", into: &events_url)
      try reader.read("comments_url", into: &comments_url)
      try reader.read("comments", into: &comments)
    } while try reader.hasMoreMembers()
    return try Self(
      user: reader.require(user, "user"),
      url: reader.require(url, "url"),
      labels: reader.require(labels, "labels"),
      html_url: reader.require(html_url, "html_url"),
      labels_url: reader.require(labels_url, "labels_url"),
      pull_request: reader.require(pull_request, "pull_request"),
      created_at: reader.require(created_at, "created_at"),
      closed_at: closed_at ?? nil,
      milestone: milestone ?? nil,
      title: reader.require(title, "title"),
      body: reader.require(body, "body"),
      updated_at: reader.require(updated_at, "updated_at"),
      number: reader.require(number, "number"),
      state: reader.require(state, "state"),
      assignee: assignee ?? nil,
      id: reader.require(id, "id"),
      events_url: reader.require(events_url, "events_url"),
      comments_url: reader.require(comments_url, "comments_url"),
      comments: reader.require(comments, "comments"))
  }
}

extension GitHubEvents.RootItemPayloadIssuePullRequest: JSONReadable {
  static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Self {
    var html_url: Nothing??
    var patch_url: Nothing??
    var diff_url: Nothing??
    try reader.beginObject()
    repeat {
      try reader.read("html_url", into: &html_url)
      try reader.read("patch_url", into: &patch_url)
      try reader.read("diff_url", into: &diff_url)
    } while try reader.hasMoreMembers()
    return Self(
      html_url: html_url ?? nil,
      patch_url: patch_url ?? nil,
      diff_url: diff_url ?? nil)
  }
}

extension GitHubEvents.RootItemPayloadIssueUser: JSONReadable {
  static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Self {
    var url: String?
    var gists_url: String?
    var gravatar_id: String?
    var type: String?
    var avatar_url: String?
    var subscriptions_url: String?
    var received_events_url: String?
    var organizations_url: String?
    var repos_url: String?
    var login: String?
    var id: Int?
    var starred_url: String?
    var events_url: String?
    var followers_url: String?
    var following_url: String?
    try reader.beginObject()
    repeat {
      try reader.read("url", into: &url)
      try reader.read("gists_url", into: &gists_url)
      try reader.read("gravatar_id", into: &gravatar_id)
      try reader.read("type", into: &type)
      try reader.read("avatar_url", into: &avatar_url)
      try reader.read("subscriptions_url", into: &subscriptions_url)
      try reader.read("received_events_url", into: &received_events_url)
      try reader.read("organizations_url", into: &organizations_url)
      try reader.read("repos_url", into: &repos_url)
      try reader.read("login", into: &login)
      try reader.read("id", into: &id)
      try reader.read("starred_url", into: &starred_url)
      try reader.read("events_url", into: &events_url)
      try reader.read("followers_url", into: &followers_url)
      try reader.read("following_url", into: &following_url)
    } while try reader.hasMoreMembers()
    return try Self(
      url: reader.require(url, "url"),
      gists_url: reader.require(gists_url, "gists_url"),
      gravatar_id: reader.require(gravatar_id, "gravatar_id"),
      type: reader.require(type, "type"),
      avatar_url: reader.require(avatar_url, "avatar_url"),
      subscriptions_url: reader.require(subscriptions_url, "subscriptions_url"),
      received_events_url: reader.require(received_events_url, "received_events_url"),
      organizations_url: reader.require(organizations_url, "organizations_url"),
      repos_url: reader.require(repos_url, "repos_url"),
      login: reader.require(login, "login"),
      id: reader.require(id, "id"),
      starred_url: reader.require(starred_url, "starred_url"),
      events_url: reader.require(events_url, "events_url"),
      followers_url: reader.require(followers_url, "followers_url"),
      following_url: reader.require(following_url, "following_url"))
  }
}

extension GitHubEvents.RootItemPayloadForkee: JSONReadable {
  static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Self {
    var description: String?
    var fork: Bool?
    var url: String?
    var language: String?
    var stargazers_url: String?
    var clone_url: String?
    var tags_url: String?
    var full_name: String?
    var merges_url: String?
    var forks: Int?
    var `private`: Bool?
    var git_refs_url: String?
    var archive_url: String?
    var collaborators_url: String?
    var owner: GitHubEvents.RootItemPayloadForkeeOwner?
    var languages_url: String?
    var trees_url: String?
    var labels_url: String?
    var html_url: String?
    var pushed_at: String?
    var created_at: String?
    var has_issues: Bool?
    var forks_url: String?
    var branches_url: String?
    var commits_url: String?
    var notifications_url: String?
    var open_issues: Int?
    var contents_url: String?
    var blobs_url: String?
    var issues_url: String?
    var compare_url: String?
    var issue_events_url: String?
    var name: String?
    var updated_at: String?
    var statuses_url: String?
    var forks_count: Int?
    var assignees_url: String?
    var ssh_url: String?
    var `public`: Bool?
    var has_wiki: Bool?
    var subscribers_url: String?
    var mirror_url: Nothing??
    var watchers_count: Int?
    var id: Int?
    var has_downloads: Bool?
    var git_commits_url: String?
    var downloads_url: String?
    var pulls_url: String?
    var homepage: String??
    var issue_comment_url: String?
    var hooks_url: String?
    var subscription_url: String?
    var milestones_url: String?
    var svn_url: String?
    var events_url: String?
    var git_tags_url: String?
    var teams_url: String?
    var comments_url: String?
    var open_issues_count: Int?
    var keys_url: String?
    var git_url: String?
    var contributors_url: String?
    var size: Int?
    var watchers: Int?
    try reader.beginObject()
    repeat {
      try reader.read("description", into: &description)
      try reader.read("fork", into: &fork)
      try reader.read("url", into: &url)
      try reader.read("language", into: &language)
      try reader.read("stargazers_url", into: &stargazers_url)
      try reader.read("clone_url", into: &clone_url)
      try reader.read("tags_url", into: &tags_url)
      try reader.read("full_name", into: &full_name)
      try reader.read("merges_url", into: &merges_url)
      try reader.read("forks", into: &forks)
      try reader.read("private", into: &`private`)
      try reader.read("git_refs_url", into: &git_refs_url)
      try reader.read("archive_url", into: &archive_url)
      try reader.read("collaborators_url", into: &collaborators_url)
      try reader.read("owner", into: &owner)
      try reader.read("languages_url", into: &languages_url)
      try reader.read("trees_url", into: &trees_url)
      try reader.read("labels_url", into: &labels_url)
      try reader.read("html_url", into: &html_url)
      try reader.read("pushed_at", into: &pushed_at)
      try reader.read("created_at", into: &created_at)
      try reader.read("has_issues", into: &has_issues)
      try reader.read("forks_url", into: &forks_url)
      try reader.read("branches_url", into: &branches_url)
      try reader.read("commits_url", into: &commits_url)
      try reader.read("notifications_url", into: &notifications_url)
      try reader.read("open_issues", into: &open_issues)
      try reader.read("contents_url", into: &contents_url)
      try reader.read("blobs_url", into: &blobs_url)
      try reader.read("issues_url", into: &issues_url)
      try reader.read("compare_url", into: &compare_url)
      try reader.read("issue_events_url", into: &issue_events_url)
      try reader.read("name", into: &name)
      try reader.read("updated_at", into: &updated_at)
      try reader.read("statuses_url", into: &statuses_url)
      try reader.read("forks_count", into: &forks_count)
      try reader.read("assignees_url", into: &assignees_url)
      try reader.read("ssh_url", into: &ssh_url)
      try reader.read("public", into: &`public`)
      try reader.read("has_wiki", into: &has_wiki)
      try reader.read("subscribers_url", into: &subscribers_url)
      try reader.read("mirror_url", into: &mirror_url)
      try reader.read("watchers_count", into: &watchers_count)
      try reader.read("id", into: &id)
      try reader.read("has_downloads", into: &has_downloads)
      try reader.read("git_commits_url", into: &git_commits_url)
      try reader.read("downloads_url", into: &downloads_url)
      try reader.read("pulls_url", into: &pulls_url)
      try reader.read("homepage", into: &homepage)
      try reader.read("issue_comment_url", into: &issue_comment_url)
      try reader.read("hooks_url", into: &hooks_url)
      try reader.read("subscription_url", into: &subscription_url)
      try reader.read("milestones_url", into: &milestones_url)
      try reader.read("svn_url", into: &svn_url)
      try reader.read("events_url", into: &events_url)
      try reader.read("git_tags_url", into: &git_tags_url)
      try reader.read("teams_url", into: &teams_url)
      try reader.read("comments_url", into: &comments_url)
      try reader.read("open_issues_count", into: &open_issues_count)
      try reader.read("keys_url", into: &keys_url)
      try reader.read("git_url", into: &git_url)
      try reader.read("contributors_url", into: &contributors_url)
      try reader.read("size", into: &size)
      try reader.read("watchers", into: &watchers)
    } while try reader.hasMoreMembers()
    return try Self(
      description: reader.require(description, "description"),
      fork: reader.require(fork, "fork"),
      url: reader.require(url, "url"),
      language: reader.require(language, "language"),
      stargazers_url: reader.require(stargazers_url, "stargazers_url"),
      clone_url: reader.require(clone_url, "clone_url"),
      tags_url: reader.require(tags_url, "tags_url"),
      full_name: reader.require(full_name, "full_name"),
      merges_url: reader.require(merges_url, "merges_url"),
      forks: reader.require(forks, "forks"),
      private: reader.require(`private`, "private"),
      git_refs_url: reader.require(git_refs_url, "git_refs_url"),
      archive_url: reader.require(archive_url, "archive_url"),
      collaborators_url: reader.require(collaborators_url, "collaborators_url"),
      owner: reader.require(owner, "owner"),
      languages_url: reader.require(languages_url, "languages_url"),
      trees_url: reader.require(trees_url, "trees_url"),
      labels_url: reader.require(labels_url, "labels_url"),
      html_url: reader.require(html_url, "html_url"),
      pushed_at: reader.require(pushed_at, "pushed_at"),
      created_at: reader.require(created_at, "created_at"),
      has_issues: reader.require(has_issues, "has_issues"),
      forks_url: reader.require(forks_url, "forks_url"),
      branches_url: reader.require(branches_url, "branches_url"),
      commits_url: reader.require(commits_url, "commits_url"),
      notifications_url: reader.require(notifications_url, "notifications_url"),
      open_issues: reader.require(open_issues, "open_issues"),
      contents_url: reader.require(contents_url, "contents_url"),
      blobs_url: reader.require(blobs_url, "blobs_url"),
      issues_url: reader.require(issues_url, "issues_url"),
      compare_url: reader.require(compare_url, "compare_url"),
      issue_events_url: reader.require(issue_events_url, "issue_events_url"),
      name: reader.require(name, "name"),
      updated_at: reader.require(updated_at, "updated_at"),
      statuses_url: reader.require(statuses_url, "statuses_url"),
      forks_count: reader.require(forks_count, "forks_count"),
      assignees_url: reader.require(assignees_url, "assignees_url"),
      ssh_url: reader.require(ssh_url, "ssh_url"),
      public: reader.require(`public`, "public"),
      has_wiki: reader.require(has_wiki, "has_wiki"),
      subscribers_url: reader.require(subscribers_url, "subscribers_url"),
      mirror_url: mirror_url ?? nil,
      watchers_count: reader.require(watchers_count, "watchers_count"),
      id: reader.require(id, "id"),
      has_downloads: reader.require(has_downloads, "has_downloads"),
      git_commits_url: reader.require(git_commits_url, "git_commits_url"),
      downloads_url: reader.require(downloads_url, "downloads_url"),
      pulls_url: reader.require(pulls_url, "pulls_url"),
      homepage: homepage ?? nil,
      issue_comment_url: reader.require(issue_comment_url, "issue_comment_url"),
      hooks_url: reader.require(hooks_url, "hooks_url"),
      subscription_url: reader.require(subscription_url, "subscription_url"),
      milestones_url: reader.require(milestones_url, "milestones_url"),
      svn_url: reader.require(svn_url, "svn_url"),
      events_url: reader.require(events_url, "events_url"),
      git_tags_url: reader.require(git_tags_url, "git_tags_url"),
      teams_url: reader.require(teams_url, "teams_url"),
      comments_url: reader.require(comments_url, "comments_url"),
      open_issues_count: reader.require(open_issues_count, "open_issues_count"),
      keys_url: reader.require(keys_url, "keys_url"),
      git_url: reader.require(git_url, "git_url"),
      contributors_url: reader.require(contributors_url, "contributors_url"),
      size: reader.require(size, "size"),
      watchers: reader.require(watchers, "watchers"))
  }
}

extension GitHubEvents.RootItemPayloadForkeeOwner: JSONReadable {
  static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Self {
    var url: String?
    var gists_url: String?
    var gravatar_id: String?
    var type: String?
    var avatar_url: String?
    var subscriptions_url: String?
    var organizations_url: String?
    var received_events_url: String?
    var repos_url: String?
    var login: String?
    var id: Int?
    var starred_url: String?
    var events_url: String?
    var followers_url: String?
    var following_url: String?
    try reader.beginObject()
    repeat {
      try reader.read("url", into: &url)
      try reader.read("gists_url", into: &gists_url)
      try reader.read("gravatar_id", into: &gravatar_id)
      try reader.read("type", into: &type)
      try reader.read("avatar_url", into: &avatar_url)
      try reader.read("subscriptions_url", into: &subscriptions_url)
      try reader.read("organizations_url", into: &organizations_url)
      try reader.read("received_events_url", into: &received_events_url)
      try reader.read("repos_url", into: &repos_url)
      try reader.read("login", into: &login)
      try reader.read("id", into: &id)
      try reader.read("starred_url", into: &starred_url)
      try reader.read("events_url", into: &events_url)
      try reader.read("followers_url", into: &followers_url)
      try reader.read("following_url", into: &following_url)
    } while try reader.hasMoreMembers()
    return try Self(
      url: reader.require(url, "url"),
      gists_url: reader.require(gists_url, "gists_url"),
      gravatar_id: reader.require(gravatar_id, "gravatar_id"),
      type: reader.require(type, "type"),
      avatar_url: reader.require(avatar_url, "avatar_url"),
      subscriptions_url: reader.require(subscriptions_url, "subscriptions_url"),
      organizations_url: reader.require(organizations_url, "organizations_url"),
      received_events_url: reader.require(received_events_url, "received_events_url"),
      repos_url: reader.require(repos_url, "repos_url"),
      login: reader.require(login, "login"),
      id: reader.require(id, "id"),
      starred_url: reader.require(starred_url, "starred_url"),
      events_url: reader.require(events_url, "events_url"),
      followers_url: reader.require(followers_url, "followers_url"),
      following_url: reader.require(following_url, "following_url"))
  }
}

extension GitHubEvents.RootItemPayloadCommit: JSONReadable {
  static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Self {
    var url: String?
    var message: String?
    var distinct: Bool?
    var sha: String?
    var author: GitHubEvents.RootItemPayloadCommitAuthor?
    try reader.beginObject()
    repeat {
      try reader.read("url", into: &url)
      try reader.read("message", into: &message)
      try reader.read("distinct", into: &distinct)
      try reader.read("sha", into: &sha)
      try reader.read("author", into: &author)
    } while try reader.hasMoreMembers()
    return try Self(
      url: reader.require(url, "url"),
      message: reader.require(message, "message"),
      distinct: reader.require(distinct, "distinct"),
      sha: reader.require(sha, "sha"),
      author: reader.require(author, "author"))
  }
}

extension GitHubEvents.RootItemPayloadCommitAuthor: JSONReadable {
  static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Self {
    var email: String?
    var name: String?
    try reader.beginObject()
    repeat {
      try reader.read("email", into: &email)
      try reader.read("name", into: &name)
    } while try reader.hasMoreMembers()
    return try Self(
      email: reader.require(email, "email"),
      name: reader.require(name, "name"))
  }
}

extension GitHubEvents.RootItemRepo: JSONReadable {
  static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Self {
    var url: String?
    var id: Int?
    var name: String?
    try reader.beginObject()
    repeat {
      try reader.read("url", into: &url)
      try reader.read("id", into: &id)
      try reader.read("name", into: &name)
    } while try reader.hasMoreMembers()
    return try Self(
      url: reader.require(url, "url"),
      id: reader.require(id, "id"),
      name: reader.require(name, "name"))
  }
}

extension GitHubEvents.RootItemActor: JSONReadable {
  static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Self {
    var gravatar_id: String?
    var login: String?
    var avatar_url: String?
    var url: String?
    var id: Int?
    try reader.beginObject()
    repeat {
      try reader.read("gravatar_id", into: &gravatar_id)
      try reader.read("login", into: &login)
      try reader.read("avatar_url", into: &avatar_url)
      try reader.read("url", into: &url)
      try reader.read("id", into: &id)
    } while try reader.hasMoreMembers()
    return try Self(
      gravatar_id: reader.require(gravatar_id, "gravatar_id"),
      login: reader.require(login, "login"),
      avatar_url: reader.require(avatar_url, "avatar_url"),
      url: reader.require(url, "url"),
      id: reader.require(id, "id"))
  }
}
