import AnvilJSON

extension GitHubEvents.RootItem: JSONWritable {
  func write(to writer: inout JSON.Writer) {
    writer.object { members in
      members.write("type", type)
      members.write("created_at", created_at)
      members.write("actor", actor)
      members.write("repo", repo)
      members.write("public", `public`)
      members.write("payload", payload)
      members.write("id", id)
      members.write("org", ifPresent: org)
    }
  }
}

extension GitHubEvents.RootItemPayload: JSONWritable {
  func write(to writer: inout JSON.Writer) {
    writer.object { members in
      members.write("commits", ifPresent: commits)
      members.write("distinct_size", ifPresent: distinct_size)
      members.write("ref", ifPresent: ref)
      members.write("push_id", ifPresent: push_id)
      members.write("head", ifPresent: head)
      members.write("before", ifPresent: before)
      members.write("size", ifPresent: size)
      members.write("description", ifPresent: description)
      members.write("master_branch", ifPresent: master_branch)
      members.write("ref_type", ifPresent: ref_type)
      members.write("forkee", ifPresent: forkee)
      members.write("action", ifPresent: action)
      members.write("issue", ifPresent: issue)
      members.write("comment", ifPresent: comment)
      members.write("pages", ifPresent: pages)
    }
  }
}

extension GitHubEvents.RootItemPayloadPage: JSONWritable {
  func write(to writer: inout JSON.Writer) {
    writer.object { members in
      members.write("page_name", page_name)
      members.write("html_url", html_url)
      members.write("title", title)
      members.write("sha", sha)
      members.write("summary", ifPresent: summary)
      members.write("action", action)
    }
  }
}

extension GitHubEvents.RootItemPayloadComment: JSONWritable {
  func write(to writer: inout JSON.Writer) {
    writer.object { members in
      members.write("user", user)
      members.write("url", url)
      members.write("issue_url", issue_url)
      members.write("created_at", created_at)
      members.write("body", body)
      members.write("updated_at", updated_at)
      members.write("id", id)
    }
  }
}

extension GitHubEvents.RootItemPayloadIssue: JSONWritable {
  func write(to writer: inout JSON.Writer) {
    writer.object { members in
      members.write("user", user)
      members.write("url", url)
      members.write("labels", labels)
      members.write("html_url", html_url)
      members.write("labels_url", labels_url)
      members.write("pull_request", pull_request)
      members.write("created_at", created_at)
      members.write("closed_at", ifPresent: closed_at)
      members.write("milestone", ifPresent: milestone)
      members.write("title", title)
      members.write("body", body)
      members.write("updated_at", updated_at)
      members.write("number", number)
      members.write("state", state)
      members.write("assignee", ifPresent: assignee)
      members.write("id", id)
      members.write("events_url", events_url)
      members.write("comments_url", comments_url)
      members.write("comments", comments)
    }
  }
}

extension GitHubEvents.RootItemPayloadIssuePullRequest: JSONWritable {
  func write(to writer: inout JSON.Writer) {
    writer.object { members in
      members.write("html_url", ifPresent: html_url)
      members.write("patch_url", ifPresent: patch_url)
      members.write("diff_url", ifPresent: diff_url)
    }
  }
}

extension GitHubEvents.RootItemPayloadIssueUser: JSONWritable {
  func write(to writer: inout JSON.Writer) {
    writer.object { members in
      members.write("url", url)
      members.write("gists_url", gists_url)
      members.write("gravatar_id", gravatar_id)
      members.write("type", type)
      members.write("avatar_url", avatar_url)
      members.write("subscriptions_url", subscriptions_url)
      members.write("received_events_url", received_events_url)
      members.write("organizations_url", organizations_url)
      members.write("repos_url", repos_url)
      members.write("login", login)
      members.write("id", id)
      members.write("starred_url", starred_url)
      members.write("events_url", events_url)
      members.write("followers_url", followers_url)
      members.write("following_url", following_url)
    }
  }
}

extension GitHubEvents.RootItemPayloadForkee: JSONWritable {
  func write(to writer: inout JSON.Writer) {
    writer.object { members in
      members.write("description", description)
      members.write("fork", fork)
      members.write("url", url)
      members.write("language", language)
      members.write("stargazers_url", stargazers_url)
      members.write("clone_url", clone_url)
      members.write("tags_url", tags_url)
      members.write("full_name", full_name)
      members.write("merges_url", merges_url)
      members.write("forks", forks)
      members.write("private", `private`)
      members.write("git_refs_url", git_refs_url)
      members.write("archive_url", archive_url)
      members.write("collaborators_url", collaborators_url)
      members.write("owner", owner)
      members.write("languages_url", languages_url)
      members.write("trees_url", trees_url)
      members.write("labels_url", labels_url)
      members.write("html_url", html_url)
      members.write("pushed_at", pushed_at)
      members.write("created_at", created_at)
      members.write("has_issues", has_issues)
      members.write("forks_url", forks_url)
      members.write("branches_url", branches_url)
      members.write("commits_url", commits_url)
      members.write("notifications_url", notifications_url)
      members.write("open_issues", open_issues)
      members.write("contents_url", contents_url)
      members.write("blobs_url", blobs_url)
      members.write("issues_url", issues_url)
      members.write("compare_url", compare_url)
      members.write("issue_events_url", issue_events_url)
      members.write("name", name)
      members.write("updated_at", updated_at)
      members.write("statuses_url", statuses_url)
      members.write("forks_count", forks_count)
      members.write("assignees_url", assignees_url)
      members.write("ssh_url", ssh_url)
      members.write("public", `public`)
      members.write("has_wiki", has_wiki)
      members.write("subscribers_url", subscribers_url)
      members.write("mirror_url", ifPresent: mirror_url)
      members.write("watchers_count", watchers_count)
      members.write("id", id)
      members.write("has_downloads", has_downloads)
      members.write("git_commits_url", git_commits_url)
      members.write("downloads_url", downloads_url)
      members.write("pulls_url", pulls_url)
      members.write("homepage", ifPresent: homepage)
      members.write("issue_comment_url", issue_comment_url)
      members.write("hooks_url", hooks_url)
      members.write("subscription_url", subscription_url)
      members.write("milestones_url", milestones_url)
      members.write("svn_url", svn_url)
      members.write("events_url", events_url)
      members.write("git_tags_url", git_tags_url)
      members.write("teams_url", teams_url)
      members.write("comments_url", comments_url)
      members.write("open_issues_count", open_issues_count)
      members.write("keys_url", keys_url)
      members.write("git_url", git_url)
      members.write("contributors_url", contributors_url)
      members.write("size", size)
      members.write("watchers", watchers)
    }
  }
}

extension GitHubEvents.RootItemPayloadForkeeOwner: JSONWritable {
  func write(to writer: inout JSON.Writer) {
    writer.object { members in
      members.write("url", url)
      members.write("gists_url", gists_url)
      members.write("gravatar_id", gravatar_id)
      members.write("type", type)
      members.write("avatar_url", avatar_url)
      members.write("subscriptions_url", subscriptions_url)
      members.write("organizations_url", organizations_url)
      members.write("received_events_url", received_events_url)
      members.write("repos_url", repos_url)
      members.write("login", login)
      members.write("id", id)
      members.write("starred_url", starred_url)
      members.write("events_url", events_url)
      members.write("followers_url", followers_url)
      members.write("following_url", following_url)
    }
  }
}

extension GitHubEvents.RootItemPayloadCommit: JSONWritable {
  func write(to writer: inout JSON.Writer) {
    writer.object { members in
      members.write("url", url)
      members.write("message", message)
      members.write("distinct", distinct)
      members.write("sha", sha)
      members.write("author", author)
    }
  }
}

extension GitHubEvents.RootItemPayloadCommitAuthor: JSONWritable {
  func write(to writer: inout JSON.Writer) {
    writer.object { members in
      members.write("email", email)
      members.write("name", name)
    }
  }
}

extension GitHubEvents.RootItemRepo: JSONWritable {
  func write(to writer: inout JSON.Writer) {
    writer.object { members in
      members.write("url", url)
      members.write("id", id)
      members.write("name", name)
    }
  }
}

extension GitHubEvents.RootItemActor: JSONWritable {
  func write(to writer: inout JSON.Writer) {
    writer.object { members in
      members.write("gravatar_id", gravatar_id)
      members.write("login", login)
      members.write("avatar_url", avatar_url)
      members.write("url", url)
      members.write("id", id)
    }
  }
}
