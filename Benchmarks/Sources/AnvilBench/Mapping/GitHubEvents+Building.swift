import AnvilJSON

extension GitHubEvents.RootItem: JSONEncodable {
  func encode(into json: inout JSON.Builder) throws {
    try json.write(type, at: "type")
    try json.write(created_at, at: "created_at")
    try json.write(actor, at: "actor")
    try json.write(repo, at: "repo")
    try json.write(`public`, at: "public")
    try json.write(payload, at: "payload")
    try json.write(id, at: "id")
    try json.write(ifPresent: org, at: "org")
  }
}

extension GitHubEvents.RootItemPayload: JSONEncodable {
  func encode(into json: inout JSON.Builder) throws {
    try json.write(ifPresent: commits, at: "commits")
    try json.write(ifPresent: distinct_size, at: "distinct_size")
    try json.write(ifPresent: ref, at: "ref")
    try json.write(ifPresent: push_id, at: "push_id")
    try json.write(ifPresent: head, at: "head")
    try json.write(ifPresent: before, at: "before")
    try json.write(ifPresent: size, at: "size")
    try json.write(ifPresent: description, at: "description")
    try json.write(ifPresent: master_branch, at: "master_branch")
    try json.write(ifPresent: ref_type, at: "ref_type")
    try json.write(ifPresent: forkee, at: "forkee")
    try json.write(ifPresent: action, at: "action")
    try json.write(ifPresent: issue, at: "issue")
    try json.write(ifPresent: comment, at: "comment")
    try json.write(ifPresent: pages, at: "pages")
  }
}

extension GitHubEvents.RootItemPayloadPage: JSONEncodable {
  func encode(into json: inout JSON.Builder) throws {
    try json.write(page_name, at: "page_name")
    try json.write(html_url, at: "html_url")
    try json.write(title, at: "title")
    try json.write(sha, at: "sha")
    try json.write(ifPresent: summary, at: "summary")
    try json.write(action, at: "action")
  }
}

extension GitHubEvents.RootItemPayloadComment: JSONEncodable {
  func encode(into json: inout JSON.Builder) throws {
    try json.write(user, at: "user")
    try json.write(url, at: "url")
    try json.write(issue_url, at: "issue_url")
    try json.write(created_at, at: "created_at")
    try json.write(body, at: "body")
    try json.write(updated_at, at: "updated_at")
    try json.write(id, at: "id")
  }
}

extension GitHubEvents.RootItemPayloadIssue: JSONEncodable {
  func encode(into json: inout JSON.Builder) throws {
    try json.write(user, at: "user")
    try json.write(url, at: "url")
    try json.write(labels, at: "labels")
    try json.write(html_url, at: "html_url")
    try json.write(labels_url, at: "labels_url")
    try json.write(pull_request, at: "pull_request")
    try json.write(created_at, at: "created_at")
    try json.write(ifPresent: closed_at, at: "closed_at")
    try json.write(ifPresent: milestone, at: "milestone")
    try json.write(title, at: "title")
    try json.write(body, at: "body")
    try json.write(updated_at, at: "updated_at")
    try json.write(number, at: "number")
    try json.write(state, at: "state")
    try json.write(ifPresent: assignee, at: "assignee")
    try json.write(id, at: "id")
    try json.write(events_url, at: "events_url")
    try json.write(comments_url, at: "comments_url")
    try json.write(comments, at: "comments")
  }
}

extension GitHubEvents.RootItemPayloadIssuePullRequest: JSONEncodable {
  func encode(into json: inout JSON.Builder) throws {
    try json.write(ifPresent: html_url, at: "html_url")
    try json.write(ifPresent: patch_url, at: "patch_url")
    try json.write(ifPresent: diff_url, at: "diff_url")
  }
}

extension GitHubEvents.RootItemPayloadIssueUser: JSONEncodable {
  func encode(into json: inout JSON.Builder) throws {
    try json.write(url, at: "url")
    try json.write(gists_url, at: "gists_url")
    try json.write(gravatar_id, at: "gravatar_id")
    try json.write(type, at: "type")
    try json.write(avatar_url, at: "avatar_url")
    try json.write(subscriptions_url, at: "subscriptions_url")
    try json.write(received_events_url, at: "received_events_url")
    try json.write(organizations_url, at: "organizations_url")
    try json.write(repos_url, at: "repos_url")
    try json.write(login, at: "login")
    try json.write(id, at: "id")
    try json.write(starred_url, at: "starred_url")
    try json.write(events_url, at: "events_url")
    try json.write(followers_url, at: "followers_url")
    try json.write(following_url, at: "following_url")
  }
}

extension GitHubEvents.RootItemPayloadForkee: JSONEncodable {
  func encode(into json: inout JSON.Builder) throws {
    try json.write(description, at: "description")
    try json.write(fork, at: "fork")
    try json.write(url, at: "url")
    try json.write(language, at: "language")
    try json.write(stargazers_url, at: "stargazers_url")
    try json.write(clone_url, at: "clone_url")
    try json.write(tags_url, at: "tags_url")
    try json.write(full_name, at: "full_name")
    try json.write(merges_url, at: "merges_url")
    try json.write(forks, at: "forks")
    try json.write(`private`, at: "private")
    try json.write(git_refs_url, at: "git_refs_url")
    try json.write(archive_url, at: "archive_url")
    try json.write(collaborators_url, at: "collaborators_url")
    try json.write(owner, at: "owner")
    try json.write(languages_url, at: "languages_url")
    try json.write(trees_url, at: "trees_url")
    try json.write(labels_url, at: "labels_url")
    try json.write(html_url, at: "html_url")
    try json.write(pushed_at, at: "pushed_at")
    try json.write(created_at, at: "created_at")
    try json.write(has_issues, at: "has_issues")
    try json.write(forks_url, at: "forks_url")
    try json.write(branches_url, at: "branches_url")
    try json.write(commits_url, at: "commits_url")
    try json.write(notifications_url, at: "notifications_url")
    try json.write(open_issues, at: "open_issues")
    try json.write(contents_url, at: "contents_url")
    try json.write(blobs_url, at: "blobs_url")
    try json.write(issues_url, at: "issues_url")
    try json.write(compare_url, at: "compare_url")
    try json.write(issue_events_url, at: "issue_events_url")
    try json.write(name, at: "name")
    try json.write(updated_at, at: "updated_at")
    try json.write(statuses_url, at: "statuses_url")
    try json.write(forks_count, at: "forks_count")
    try json.write(assignees_url, at: "assignees_url")
    try json.write(ssh_url, at: "ssh_url")
    try json.write(`public`, at: "public")
    try json.write(has_wiki, at: "has_wiki")
    try json.write(subscribers_url, at: "subscribers_url")
    try json.write(ifPresent: mirror_url, at: "mirror_url")
    try json.write(watchers_count, at: "watchers_count")
    try json.write(id, at: "id")
    try json.write(has_downloads, at: "has_downloads")
    try json.write(git_commits_url, at: "git_commits_url")
    try json.write(downloads_url, at: "downloads_url")
    try json.write(pulls_url, at: "pulls_url")
    try json.write(ifPresent: homepage, at: "homepage")
    try json.write(issue_comment_url, at: "issue_comment_url")
    try json.write(hooks_url, at: "hooks_url")
    try json.write(subscription_url, at: "subscription_url")
    try json.write(milestones_url, at: "milestones_url")
    try json.write(svn_url, at: "svn_url")
    try json.write(events_url, at: "events_url")
    try json.write(git_tags_url, at: "git_tags_url")
    try json.write(teams_url, at: "teams_url")
    try json.write(comments_url, at: "comments_url")
    try json.write(open_issues_count, at: "open_issues_count")
    try json.write(keys_url, at: "keys_url")
    try json.write(git_url, at: "git_url")
    try json.write(contributors_url, at: "contributors_url")
    try json.write(size, at: "size")
    try json.write(watchers, at: "watchers")
  }
}

extension GitHubEvents.RootItemPayloadForkeeOwner: JSONEncodable {
  func encode(into json: inout JSON.Builder) throws {
    try json.write(url, at: "url")
    try json.write(gists_url, at: "gists_url")
    try json.write(gravatar_id, at: "gravatar_id")
    try json.write(type, at: "type")
    try json.write(avatar_url, at: "avatar_url")
    try json.write(subscriptions_url, at: "subscriptions_url")
    try json.write(organizations_url, at: "organizations_url")
    try json.write(received_events_url, at: "received_events_url")
    try json.write(repos_url, at: "repos_url")
    try json.write(login, at: "login")
    try json.write(id, at: "id")
    try json.write(starred_url, at: "starred_url")
    try json.write(events_url, at: "events_url")
    try json.write(followers_url, at: "followers_url")
    try json.write(following_url, at: "following_url")
  }
}

extension GitHubEvents.RootItemPayloadCommit: JSONEncodable {
  func encode(into json: inout JSON.Builder) throws {
    try json.write(url, at: "url")
    try json.write(message, at: "message")
    try json.write(distinct, at: "distinct")
    try json.write(sha, at: "sha")
    try json.write(author, at: "author")
  }
}

extension GitHubEvents.RootItemPayloadCommitAuthor: JSONEncodable {
  func encode(into json: inout JSON.Builder) throws {
    try json.write(email, at: "email")
    try json.write(name, at: "name")
  }
}

extension GitHubEvents.RootItemRepo: JSONEncodable {
  func encode(into json: inout JSON.Builder) throws {
    try json.write(url, at: "url")
    try json.write(id, at: "id")
    try json.write(name, at: "name")
  }
}

extension GitHubEvents.RootItemActor: JSONEncodable {
  func encode(into json: inout JSON.Builder) throws {
    try json.write(gravatar_id, at: "gravatar_id")
    try json.write(login, at: "login")
    try json.write(avatar_url, at: "avatar_url")
    try json.write(url, at: "url")
    try json.write(id, at: "id")
  }
}
