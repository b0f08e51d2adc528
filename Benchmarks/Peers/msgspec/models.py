"""The models of the benchmark, every field typed: those of Sources/AnvilBench/Models."""

from __future__ import annotations

from msgspec import Struct


class Nothing(Struct):
    pass


class TwitterStatuseMetadata(Struct):
    result_type: str
    iso_language_code: str


class TwitterStatuseUserEntitiesDescriptionUrl(Struct):
    url: str
    expanded_url: str
    display_url: str
    indices: list[int]


class TwitterStatuseUserEntitiesDescription(Struct):
    urls: list[TwitterStatuseUserEntitiesDescriptionUrl]


class TwitterStatuseUserEntitiesUrl(Struct):
    urls: list[TwitterStatuseUserEntitiesDescriptionUrl]


class TwitterStatuseUserEntities(Struct):
    description: TwitterStatuseUserEntitiesDescription
    url: TwitterStatuseUserEntitiesUrl | None = None


class TwitterStatuseUser(Struct):
    id: int
    id_str: str
    name: str
    screen_name: str
    location: str
    description: str
    entities: TwitterStatuseUserEntities
    protected: bool
    followers_count: int
    friends_count: int
    listed_count: int
    created_at: str
    favourites_count: int
    geo_enabled: bool
    verified: bool
    statuses_count: int
    lang: str
    contributors_enabled: bool
    is_translator: bool
    is_translation_enabled: bool
    profile_background_color: str
    profile_background_image_url: str
    profile_background_image_url_https: str
    profile_background_tile: bool
    profile_image_url: str
    profile_image_url_https: str
    profile_link_color: str
    profile_sidebar_border_color: str
    profile_sidebar_fill_color: str
    profile_text_color: str
    profile_use_background_image: bool
    default_profile: bool
    default_profile_image: bool
    following: bool
    follow_request_sent: bool
    notifications: bool
    url: str | None = None
    utc_offset: int | None = None
    time_zone: str | None = None
    profile_banner_url: str | None = None


class TwitterStatuseEntitiesHashtag(Struct):
    text: str
    indices: list[int]


class TwitterStatuseEntitiesUserMention(Struct):
    screen_name: str
    name: str
    id: int
    id_str: str
    indices: list[int]


class TwitterStatuseEntitiesMediaItemSizesMedium(Struct):
    w: int
    h: int
    resize: str


class TwitterStatuseEntitiesMediaItemSizes(Struct):
    medium: TwitterStatuseEntitiesMediaItemSizesMedium
    small: TwitterStatuseEntitiesMediaItemSizesMedium
    thumb: TwitterStatuseEntitiesMediaItemSizesMedium
    large: TwitterStatuseEntitiesMediaItemSizesMedium


class TwitterStatuseEntitiesMediaItem(Struct):
    id: int
    id_str: str
    indices: list[int]
    media_url: str
    media_url_https: str
    url: str
    display_url: str
    expanded_url: str
    type: str
    sizes: TwitterStatuseEntitiesMediaItemSizes
    source_status_id: int | None = None
    source_status_id_str: str | None = None


class TwitterStatuseEntities(Struct):
    hashtags: list[TwitterStatuseEntitiesHashtag]
    symbols: list[Nothing]
    urls: list[TwitterStatuseUserEntitiesDescriptionUrl]
    user_mentions: list[TwitterStatuseEntitiesUserMention]
    media: list[TwitterStatuseEntitiesMediaItem] | None = None


class TwitterStatuseRetweetedStatusMetadata(Struct):
    result_type: str
    iso_language_code: str


class TwitterStatuseRetweetedStatusUserEntitiesDescription(Struct):
    urls: list[TwitterStatuseUserEntitiesDescriptionUrl]


class TwitterStatuseRetweetedStatusUserEntitiesUrl(Struct):
    urls: list[TwitterStatuseUserEntitiesDescriptionUrl]


class TwitterStatuseRetweetedStatusUserEntities(Struct):
    description: TwitterStatuseRetweetedStatusUserEntitiesDescription
    url: TwitterStatuseRetweetedStatusUserEntitiesUrl | None = None


class TwitterStatuseRetweetedStatusUser(Struct):
    id: int
    id_str: str
    name: str
    screen_name: str
    location: str
    description: str
    entities: TwitterStatuseRetweetedStatusUserEntities
    protected: bool
    followers_count: int
    friends_count: int
    listed_count: int
    created_at: str
    favourites_count: int
    geo_enabled: bool
    verified: bool
    statuses_count: int
    lang: str
    contributors_enabled: bool
    is_translator: bool
    is_translation_enabled: bool
    profile_background_color: str
    profile_background_image_url: str
    profile_background_image_url_https: str
    profile_background_tile: bool
    profile_image_url: str
    profile_image_url_https: str
    profile_link_color: str
    profile_sidebar_border_color: str
    profile_sidebar_fill_color: str
    profile_text_color: str
    profile_use_background_image: bool
    default_profile: bool
    default_profile_image: bool
    following: bool
    follow_request_sent: bool
    notifications: bool
    url: str | None = None
    utc_offset: int | None = None
    time_zone: str | None = None
    profile_banner_url: str | None = None


class TwitterStatuseRetweetedStatusEntitiesHashtag(Struct):
    text: str
    indices: list[int]


class TwitterStatuseRetweetedStatusEntities(Struct):
    hashtags: list[TwitterStatuseRetweetedStatusEntitiesHashtag]
    symbols: list[Nothing]
    urls: list[TwitterStatuseUserEntitiesDescriptionUrl]
    user_mentions: list[TwitterStatuseEntitiesUserMention]
    media: list[TwitterStatuseEntitiesMediaItem] | None = None


class TwitterStatuseRetweetedStatus(Struct):
    metadata: TwitterStatuseRetweetedStatusMetadata
    created_at: str
    id: int
    id_str: str
    text: str
    source: str
    truncated: bool
    user: TwitterStatuseRetweetedStatusUser
    retweet_count: int
    favorite_count: int
    entities: TwitterStatuseRetweetedStatusEntities
    favorited: bool
    retweeted: bool
    lang: str
    in_reply_to_status_id: int | None = None
    in_reply_to_status_id_str: str | None = None
    in_reply_to_user_id: int | None = None
    in_reply_to_user_id_str: str | None = None
    in_reply_to_screen_name: str | None = None
    geo: Nothing | None = None
    coordinates: Nothing | None = None
    place: Nothing | None = None
    contributors: Nothing | None = None
    possibly_sensitive: bool | None = None


class TwitterStatuse(Struct):
    metadata: TwitterStatuseMetadata
    created_at: str
    id: int
    id_str: str
    text: str
    source: str
    truncated: bool
    user: TwitterStatuseUser
    retweet_count: int
    favorite_count: int
    entities: TwitterStatuseEntities
    favorited: bool
    retweeted: bool
    lang: str
    in_reply_to_status_id: int | None = None
    in_reply_to_status_id_str: str | None = None
    in_reply_to_user_id: int | None = None
    in_reply_to_user_id_str: str | None = None
    in_reply_to_screen_name: str | None = None
    geo: Nothing | None = None
    coordinates: Nothing | None = None
    place: Nothing | None = None
    contributors: Nothing | None = None
    retweeted_status: TwitterStatuseRetweetedStatus | None = None
    possibly_sensitive: bool | None = None


class TwitterSearchMetadata(Struct):
    completed_in: float
    max_id: int
    max_id_str: str
    next_results: str
    query: str
    refresh_url: str
    count: int
    since_id: int
    since_id_str: str


class TwitterRoot(Struct):
    statuses: list[TwitterStatuse]
    search_metadata: TwitterSearchMetadata


class CitmCatalogEventsValue(Struct):
    id: int
    name: str
    subTopicIds: list[int]
    topicIds: list[int]
    description: Nothing | None = None
    logo: str | None = None
    subjectCode: Nothing | None = None
    subtitle: Nothing | None = None


class CitmCatalogPerformancePrice(Struct):
    amount: int
    audienceSubCategoryId: int
    seatCategoryId: int


class CitmCatalogPerformanceSeatCategorieArea(Struct):
    areaId: int
    blockIds: list[Nothing]


class CitmCatalogPerformanceSeatCategorie(Struct):
    areas: list[CitmCatalogPerformanceSeatCategorieArea]
    seatCategoryId: int


class CitmCatalogPerformance(Struct):
    eventId: int
    id: int
    prices: list[CitmCatalogPerformancePrice]
    seatCategories: list[CitmCatalogPerformanceSeatCategorie]
    start: int
    venueCode: str
    logo: str | None = None
    name: Nothing | None = None
    seatMapImage: Nothing | None = None


class CitmCatalogSubjectNames(Struct):
    pass


class CitmCatalogVenueNames(Struct):
    PLEYEL_PLEYEL: str


class CitmCatalogRoot(Struct):
    areaNames: dict[str, str]
    audienceSubCategoryNames: dict[str, str]
    blockNames: dict[str, Nothing]
    events: dict[str, CitmCatalogEventsValue]
    performances: list[CitmCatalogPerformance]
    seatCategoryNames: dict[str, str]
    subTopicNames: dict[str, str]
    subjectNames: CitmCatalogSubjectNames
    topicNames: dict[str, str]
    topicSubTopics: dict[str, list[int]]
    venueNames: CitmCatalogVenueNames


class CanadaFeatureProperties(Struct):
    name: str


class CanadaFeatureGeometry(Struct):
    type: str
    coordinates: list[list[list[float]]]


class CanadaFeature(Struct):
    type: str
    properties: CanadaFeatureProperties
    geometry: CanadaFeatureGeometry


class CanadaRoot(Struct):
    type: str
    features: list[CanadaFeature]


class GitHubEventsRootItemActor(Struct):
    gravatar_id: str
    login: str
    avatar_url: str
    url: str
    id: int


class GitHubEventsRootItemRepo(Struct):
    url: str
    id: int
    name: str


class GitHubEventsRootItemPayloadCommitAuthor(Struct):
    email: str
    name: str


class GitHubEventsRootItemPayloadCommit(Struct):
    url: str
    message: str
    distinct: bool
    sha: str
    author: GitHubEventsRootItemPayloadCommitAuthor


class GitHubEventsRootItemPayloadForkeeOwner(Struct):
    url: str
    gists_url: str
    gravatar_id: str
    type: str
    avatar_url: str
    subscriptions_url: str
    organizations_url: str
    received_events_url: str
    repos_url: str
    login: str
    id: int
    starred_url: str
    events_url: str
    followers_url: str
    following_url: str


class GitHubEventsRootItemPayloadForkee(Struct):
    description: str
    fork: bool
    url: str
    language: str
    stargazers_url: str
    clone_url: str
    tags_url: str
    full_name: str
    merges_url: str
    forks: int
    private: bool
    git_refs_url: str
    archive_url: str
    collaborators_url: str
    owner: GitHubEventsRootItemPayloadForkeeOwner
    languages_url: str
    trees_url: str
    labels_url: str
    html_url: str
    pushed_at: str
    created_at: str
    has_issues: bool
    forks_url: str
    branches_url: str
    commits_url: str
    notifications_url: str
    open_issues: int
    contents_url: str
    blobs_url: str
    issues_url: str
    compare_url: str
    issue_events_url: str
    name: str
    updated_at: str
    statuses_url: str
    forks_count: int
    assignees_url: str
    ssh_url: str
    public: bool
    has_wiki: bool
    subscribers_url: str
    watchers_count: int
    id: int
    has_downloads: bool
    git_commits_url: str
    downloads_url: str
    pulls_url: str
    issue_comment_url: str
    hooks_url: str
    subscription_url: str
    milestones_url: str
    svn_url: str
    events_url: str
    git_tags_url: str
    teams_url: str
    comments_url: str
    open_issues_count: int
    keys_url: str
    git_url: str
    contributors_url: str
    size: int
    watchers: int
    mirror_url: Nothing | None = None
    homepage: str | None = None


class GitHubEventsRootItemPayloadIssueUser(Struct):
    url: str
    gists_url: str
    gravatar_id: str
    type: str
    avatar_url: str
    subscriptions_url: str
    received_events_url: str
    organizations_url: str
    repos_url: str
    login: str
    id: int
    starred_url: str
    events_url: str
    followers_url: str
    following_url: str


class GitHubEventsRootItemPayloadIssuePullRequest(Struct):
    html_url: Nothing | None = None
    patch_url: Nothing | None = None
    diff_url: Nothing | None = None


class GitHubEventsRootItemPayloadIssue(Struct):
    user: GitHubEventsRootItemPayloadIssueUser
    url: str
    labels: list[Nothing]
    html_url: str
    labels_url: str
    pull_request: GitHubEventsRootItemPayloadIssuePullRequest
    created_at: str
    title: str
    body: str
    updated_at: str
    number: int
    state: str
    id: int
    events_url: str
    comments_url: str
    comments: int
    closed_at: str | None = None
    milestone: Nothing | None = None
    assignee: GitHubEventsRootItemPayloadForkeeOwner | None = None


class GitHubEventsRootItemPayloadComment(Struct):
    user: GitHubEventsRootItemPayloadIssueUser
    url: str
    issue_url: str
    created_at: str
    body: str
    updated_at: str
    id: int


class GitHubEventsRootItemPayloadPage(Struct):
    page_name: str
    html_url: str
    title: str
    sha: str
    action: str
    summary: Nothing | None = None


class GitHubEventsRootItemPayload(Struct):
    commits: list[GitHubEventsRootItemPayloadCommit] | None = None
    distinct_size: int | None = None
    ref: str | None = None
    push_id: int | None = None
    head: str | None = None
    before: str | None = None
    size: int | None = None
    description: str | None = None
    master_branch: str | None = None
    ref_type: str | None = None
    forkee: GitHubEventsRootItemPayloadForkee | None = None
    action: str | None = None
    issue: GitHubEventsRootItemPayloadIssue | None = None
    comment: GitHubEventsRootItemPayloadComment | None = None
    pages: list[GitHubEventsRootItemPayloadPage] | None = None


class GitHubEventsRootItem(Struct):
    type: str
    created_at: str
    actor: GitHubEventsRootItemActor
    repo: GitHubEventsRootItemRepo
    public: bool
    payload: GitHubEventsRootItemPayload
    id: str
    org: GitHubEventsRootItemActor | None = None


GitHubEventsRoot = list[GitHubEventsRootItem]


class SmallObjectOwner(Struct):
    login: str
    id: int
    url: str
    site_admin: bool


class SmallObject(Struct):
    id: int
    name: str
    full_name: str
    owner: SmallObjectOwner
    fork: bool
    stars: int
    score: float
    topics: list[str]
    archived: bool
    size: int
    description: str | None = None
    language: str | None = None
