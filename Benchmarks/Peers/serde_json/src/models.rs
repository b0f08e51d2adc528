//! The models of the benchmark, every field typed: those of Sources/AnvilBench/Models.
#![allow(non_snake_case)]

use serde::{Deserialize, Serialize};
use std::collections::HashMap;

#[derive(Deserialize, Serialize)]
pub struct Nothing {}

pub mod twitter {
    use super::*;

    #[derive(Deserialize, Serialize)]
    pub struct Root {
        pub statuses: Vec<Statuse>,
        pub search_metadata: SearchMetadata,
    }

    #[derive(Deserialize, Serialize)]
    pub struct SearchMetadata {
        pub completed_in: f64,
        pub max_id: i64,
        pub max_id_str: String,
        pub next_results: String,
        pub query: String,
        pub refresh_url: String,
        pub count: i64,
        pub since_id: i64,
        pub since_id_str: String,
    }

    #[derive(Deserialize, Serialize)]
    pub struct Statuse {
        pub metadata: StatuseMetadata,
        pub created_at: String,
        pub id: i64,
        pub id_str: String,
        pub text: String,
        pub source: String,
        pub truncated: bool,
        pub in_reply_to_status_id: Option<i64>,
        pub in_reply_to_status_id_str: Option<String>,
        pub in_reply_to_user_id: Option<i64>,
        pub in_reply_to_user_id_str: Option<String>,
        pub in_reply_to_screen_name: Option<String>,
        pub user: StatuseUser,
        pub geo: Option<Nothing>,
        pub coordinates: Option<Nothing>,
        pub place: Option<Nothing>,
        pub contributors: Option<Nothing>,
        pub retweet_count: i64,
        pub favorite_count: i64,
        pub entities: StatuseEntities,
        pub favorited: bool,
        pub retweeted: bool,
        pub lang: String,
        pub retweeted_status: Option<StatuseRetweetedStatus>,
        pub possibly_sensitive: Option<bool>,
    }

    #[derive(Deserialize, Serialize)]
    pub struct StatuseRetweetedStatus {
        pub metadata: StatuseRetweetedStatusMetadata,
        pub created_at: String,
        pub id: i64,
        pub id_str: String,
        pub text: String,
        pub source: String,
        pub truncated: bool,
        pub in_reply_to_status_id: Option<i64>,
        pub in_reply_to_status_id_str: Option<String>,
        pub in_reply_to_user_id: Option<i64>,
        pub in_reply_to_user_id_str: Option<String>,
        pub in_reply_to_screen_name: Option<String>,
        pub user: StatuseRetweetedStatusUser,
        pub geo: Option<Nothing>,
        pub coordinates: Option<Nothing>,
        pub place: Option<Nothing>,
        pub contributors: Option<Nothing>,
        pub retweet_count: i64,
        pub favorite_count: i64,
        pub entities: StatuseRetweetedStatusEntities,
        pub favorited: bool,
        pub retweeted: bool,
        pub possibly_sensitive: Option<bool>,
        pub lang: String,
    }

    #[derive(Deserialize, Serialize)]
    pub struct StatuseRetweetedStatusEntities {
        pub hashtags: Vec<StatuseRetweetedStatusEntitiesHashtag>,
        pub symbols: Vec<Nothing>,
        pub urls: Vec<StatuseUserEntitiesDescriptionUrl>,
        pub user_mentions: Vec<StatuseEntitiesUserMention>,
        pub media: Option<Vec<StatuseEntitiesMediaItem>>,
    }

    #[derive(Deserialize, Serialize)]
    pub struct StatuseRetweetedStatusEntitiesHashtag {
        pub text: String,
        pub indices: Vec<i64>,
    }

    #[derive(Deserialize, Serialize)]
    pub struct StatuseRetweetedStatusUser {
        pub id: i64,
        pub id_str: String,
        pub name: String,
        pub screen_name: String,
        pub location: String,
        pub description: String,
        pub url: Option<String>,
        pub entities: StatuseRetweetedStatusUserEntities,
        pub protected: bool,
        pub followers_count: i64,
        pub friends_count: i64,
        pub listed_count: i64,
        pub created_at: String,
        pub favourites_count: i64,
        pub utc_offset: Option<i64>,
        pub time_zone: Option<String>,
        pub geo_enabled: bool,
        pub verified: bool,
        pub statuses_count: i64,
        pub lang: String,
        pub contributors_enabled: bool,
        pub is_translator: bool,
        pub is_translation_enabled: bool,
        pub profile_background_color: String,
        pub profile_background_image_url: String,
        pub profile_background_image_url_https: String,
        pub profile_background_tile: bool,
        pub profile_image_url: String,
        pub profile_image_url_https: String,
        pub profile_banner_url: Option<String>,
        pub profile_link_color: String,
        pub profile_sidebar_border_color: String,
        pub profile_sidebar_fill_color: String,
        pub profile_text_color: String,
        pub profile_use_background_image: bool,
        pub default_profile: bool,
        pub default_profile_image: bool,
        pub following: bool,
        pub follow_request_sent: bool,
        pub notifications: bool,
    }

    #[derive(Deserialize, Serialize)]
    pub struct StatuseRetweetedStatusUserEntities {
        pub description: StatuseRetweetedStatusUserEntitiesDescription,
        pub url: Option<StatuseRetweetedStatusUserEntitiesUrl>,
    }

    #[derive(Deserialize, Serialize)]
    pub struct StatuseRetweetedStatusUserEntitiesUrl {
        pub urls: Vec<StatuseUserEntitiesDescriptionUrl>,
    }

    #[derive(Deserialize, Serialize)]
    pub struct StatuseRetweetedStatusUserEntitiesDescription {
        pub urls: Vec<StatuseUserEntitiesDescriptionUrl>,
    }

    #[derive(Deserialize, Serialize)]
    pub struct StatuseRetweetedStatusMetadata {
        pub result_type: String,
        pub iso_language_code: String,
    }

    #[derive(Deserialize, Serialize)]
    pub struct StatuseEntities {
        pub hashtags: Vec<StatuseEntitiesHashtag>,
        pub symbols: Vec<Nothing>,
        pub urls: Vec<StatuseUserEntitiesDescriptionUrl>,
        pub user_mentions: Vec<StatuseEntitiesUserMention>,
        pub media: Option<Vec<StatuseEntitiesMediaItem>>,
    }

    #[derive(Deserialize, Serialize)]
    pub struct StatuseEntitiesMediaItem {
        pub id: i64,
        pub id_str: String,
        pub indices: Vec<i64>,
        pub media_url: String,
        pub media_url_https: String,
        pub url: String,
        pub display_url: String,
        pub expanded_url: String,
        pub r#type: String,
        pub sizes: StatuseEntitiesMediaItemSizes,
        pub source_status_id: Option<i64>,
        pub source_status_id_str: Option<String>,
    }

    #[derive(Deserialize, Serialize)]
    pub struct StatuseEntitiesMediaItemSizes {
        pub medium: StatuseEntitiesMediaItemSizesMedium,
        pub small: StatuseEntitiesMediaItemSizesMedium,
        pub thumb: StatuseEntitiesMediaItemSizesMedium,
        pub large: StatuseEntitiesMediaItemSizesMedium,
    }

    #[derive(Deserialize, Serialize)]
    pub struct StatuseEntitiesMediaItemSizesMedium {
        pub w: i64,
        pub h: i64,
        pub resize: String,
    }

    #[derive(Deserialize, Serialize)]
    pub struct StatuseEntitiesUserMention {
        pub screen_name: String,
        pub name: String,
        pub id: i64,
        pub id_str: String,
        pub indices: Vec<i64>,
    }

    #[derive(Deserialize, Serialize)]
    pub struct StatuseEntitiesHashtag {
        pub text: String,
        pub indices: Vec<i64>,
    }

    #[derive(Deserialize, Serialize)]
    pub struct StatuseUser {
        pub id: i64,
        pub id_str: String,
        pub name: String,
        pub screen_name: String,
        pub location: String,
        pub description: String,
        pub url: Option<String>,
        pub entities: StatuseUserEntities,
        pub protected: bool,
        pub followers_count: i64,
        pub friends_count: i64,
        pub listed_count: i64,
        pub created_at: String,
        pub favourites_count: i64,
        pub utc_offset: Option<i64>,
        pub time_zone: Option<String>,
        pub geo_enabled: bool,
        pub verified: bool,
        pub statuses_count: i64,
        pub lang: String,
        pub contributors_enabled: bool,
        pub is_translator: bool,
        pub is_translation_enabled: bool,
        pub profile_background_color: String,
        pub profile_background_image_url: String,
        pub profile_background_image_url_https: String,
        pub profile_background_tile: bool,
        pub profile_image_url: String,
        pub profile_image_url_https: String,
        pub profile_banner_url: Option<String>,
        pub profile_link_color: String,
        pub profile_sidebar_border_color: String,
        pub profile_sidebar_fill_color: String,
        pub profile_text_color: String,
        pub profile_use_background_image: bool,
        pub default_profile: bool,
        pub default_profile_image: bool,
        pub following: bool,
        pub follow_request_sent: bool,
        pub notifications: bool,
    }

    #[derive(Deserialize, Serialize)]
    pub struct StatuseUserEntities {
        pub description: StatuseUserEntitiesDescription,
        pub url: Option<StatuseUserEntitiesUrl>,
    }

    #[derive(Deserialize, Serialize)]
    pub struct StatuseUserEntitiesUrl {
        pub urls: Vec<StatuseUserEntitiesDescriptionUrl>,
    }

    #[derive(Deserialize, Serialize)]
    pub struct StatuseUserEntitiesDescription {
        pub urls: Vec<StatuseUserEntitiesDescriptionUrl>,
    }

    #[derive(Deserialize, Serialize)]
    pub struct StatuseUserEntitiesDescriptionUrl {
        pub url: String,
        pub expanded_url: String,
        pub display_url: String,
        pub indices: Vec<i64>,
    }

    #[derive(Deserialize, Serialize)]
    pub struct StatuseMetadata {
        pub result_type: String,
        pub iso_language_code: String,
    }
}

pub mod citm_catalog {
    use super::*;

    #[derive(Deserialize, Serialize)]
    pub struct Root {
        pub areaNames: HashMap<String, String>,
        pub audienceSubCategoryNames: HashMap<String, String>,
        pub blockNames: HashMap<String, Nothing>,
        pub events: HashMap<String, EventsValue>,
        pub performances: Vec<Performance>,
        pub seatCategoryNames: HashMap<String, String>,
        pub subTopicNames: HashMap<String, String>,
        pub subjectNames: SubjectNames,
        pub topicNames: HashMap<String, String>,
        pub topicSubTopics: HashMap<String, Vec<i64>>,
        pub venueNames: VenueNames,
    }

    #[derive(Deserialize, Serialize)]
    pub struct VenueNames {
        pub PLEYEL_PLEYEL: String,
    }

    #[derive(Deserialize, Serialize)]
    pub struct SubjectNames {
    }

    #[derive(Deserialize, Serialize)]
    pub struct Performance {
        pub eventId: i64,
        pub id: i64,
        pub logo: Option<String>,
        pub name: Option<Nothing>,
        pub prices: Vec<PerformancePrice>,
        pub seatCategories: Vec<PerformanceSeatCategorie>,
        pub seatMapImage: Option<Nothing>,
        pub start: i64,
        pub venueCode: String,
    }

    #[derive(Deserialize, Serialize)]
    pub struct PerformanceSeatCategorie {
        pub areas: Vec<PerformanceSeatCategorieArea>,
        pub seatCategoryId: i64,
    }

    #[derive(Deserialize, Serialize)]
    pub struct PerformanceSeatCategorieArea {
        pub areaId: i64,
        pub blockIds: Vec<Nothing>,
    }

    #[derive(Deserialize, Serialize)]
    pub struct PerformancePrice {
        pub amount: i64,
        pub audienceSubCategoryId: i64,
        pub seatCategoryId: i64,
    }

    #[derive(Deserialize, Serialize)]
    pub struct EventsValue {
        pub description: Option<Nothing>,
        pub id: i64,
        pub logo: Option<String>,
        pub name: String,
        pub subTopicIds: Vec<i64>,
        pub subjectCode: Option<Nothing>,
        pub subtitle: Option<Nothing>,
        pub topicIds: Vec<i64>,
    }
}

pub mod canada {
    use super::*;

    #[derive(Deserialize, Serialize)]
    pub struct Root {
        pub r#type: String,
        pub features: Vec<Feature>,
    }

    #[derive(Deserialize, Serialize)]
    pub struct Feature {
        pub r#type: String,
        pub properties: FeatureProperties,
        pub geometry: FeatureGeometry,
    }

    #[derive(Deserialize, Serialize)]
    pub struct FeatureGeometry {
        pub r#type: String,
        pub coordinates: Vec<Vec<Vec<f64>>>,
    }

    #[derive(Deserialize, Serialize)]
    pub struct FeatureProperties {
        pub name: String,
    }
}

pub mod github_events {
    use super::*;

    pub type Root = Vec<RootItem>;

    #[derive(Deserialize, Serialize)]
    pub struct RootItem {
        pub r#type: String,
        pub created_at: String,
        pub actor: RootItemActor,
        pub repo: RootItemRepo,
        pub public: bool,
        pub payload: RootItemPayload,
        pub id: String,
        pub org: Option<RootItemActor>,
    }

    #[derive(Deserialize, Serialize)]
    pub struct RootItemPayload {
        pub commits: Option<Vec<RootItemPayloadCommit>>,
        pub distinct_size: Option<i64>,
        pub r#ref: Option<String>,
        pub push_id: Option<i64>,
        pub head: Option<String>,
        pub before: Option<String>,
        pub size: Option<i64>,
        pub description: Option<String>,
        pub master_branch: Option<String>,
        pub ref_type: Option<String>,
        pub forkee: Option<RootItemPayloadForkee>,
        pub action: Option<String>,
        pub issue: Option<RootItemPayloadIssue>,
        pub comment: Option<RootItemPayloadComment>,
        pub pages: Option<Vec<RootItemPayloadPage>>,
    }

    #[derive(Deserialize, Serialize)]
    pub struct RootItemPayloadPage {
        pub page_name: String,
        pub html_url: String,
        pub title: String,
        pub sha: String,
        pub summary: Option<Nothing>,
        pub action: String,
    }

    #[derive(Deserialize, Serialize)]
    pub struct RootItemPayloadComment {
        pub user: RootItemPayloadIssueUser,
        pub url: String,
        pub issue_url: String,
        pub created_at: String,
        pub body: String,
        pub updated_at: String,
        pub id: i64,
    }

    #[derive(Deserialize, Serialize)]
    pub struct RootItemPayloadIssue {
        pub user: RootItemPayloadIssueUser,
        pub url: String,
        pub labels: Vec<Nothing>,
        pub html_url: String,
        pub labels_url: String,
        pub pull_request: RootItemPayloadIssuePullRequest,
        pub created_at: String,
        pub closed_at: Option<String>,
        pub milestone: Option<Nothing>,
        pub title: String,
        pub body: String,
        pub updated_at: String,
        pub number: i64,
        pub state: String,
        pub assignee: Option<RootItemPayloadForkeeOwner>,
        pub id: i64,
        pub events_url: String,
        pub comments_url: String,
        pub comments: i64,
    }

    #[derive(Deserialize, Serialize)]
    pub struct RootItemPayloadIssuePullRequest {
        pub html_url: Option<Nothing>,
        pub patch_url: Option<Nothing>,
        pub diff_url: Option<Nothing>,
    }

    #[derive(Deserialize, Serialize)]
    pub struct RootItemPayloadIssueUser {
        pub url: String,
        pub gists_url: String,
        pub gravatar_id: String,
        pub r#type: String,
        pub avatar_url: String,
        pub subscriptions_url: String,
        pub received_events_url: String,
        pub organizations_url: String,
        pub repos_url: String,
        pub login: String,
        pub id: i64,
        pub starred_url: String,
        pub events_url: String,
        pub followers_url: String,
        pub following_url: String,
    }

    #[derive(Deserialize, Serialize)]
    pub struct RootItemPayloadForkee {
        pub description: String,
        pub fork: bool,
        pub url: String,
        pub language: String,
        pub stargazers_url: String,
        pub clone_url: String,
        pub tags_url: String,
        pub full_name: String,
        pub merges_url: String,
        pub forks: i64,
        pub private: bool,
        pub git_refs_url: String,
        pub archive_url: String,
        pub collaborators_url: String,
        pub owner: RootItemPayloadForkeeOwner,
        pub languages_url: String,
        pub trees_url: String,
        pub labels_url: String,
        pub html_url: String,
        pub pushed_at: String,
        pub created_at: String,
        pub has_issues: bool,
        pub forks_url: String,
        pub branches_url: String,
        pub commits_url: String,
        pub notifications_url: String,
        pub open_issues: i64,
        pub contents_url: String,
        pub blobs_url: String,
        pub issues_url: String,
        pub compare_url: String,
        pub issue_events_url: String,
        pub name: String,
        pub updated_at: String,
        pub statuses_url: String,
        pub forks_count: i64,
        pub assignees_url: String,
        pub ssh_url: String,
        pub public: bool,
        pub has_wiki: bool,
        pub subscribers_url: String,
        pub mirror_url: Option<Nothing>,
        pub watchers_count: i64,
        pub id: i64,
        pub has_downloads: bool,
        pub git_commits_url: String,
        pub downloads_url: String,
        pub pulls_url: String,
        pub homepage: Option<String>,
        pub issue_comment_url: String,
        pub hooks_url: String,
        pub subscription_url: String,
        pub milestones_url: String,
        pub svn_url: String,
        pub events_url: String,
        pub git_tags_url: String,
        pub teams_url: String,
        pub comments_url: String,
        pub open_issues_count: i64,
        pub keys_url: String,
        pub git_url: String,
        pub contributors_url: String,
        pub size: i64,
        pub watchers: i64,
    }

    #[derive(Deserialize, Serialize)]
    pub struct RootItemPayloadForkeeOwner {
        pub url: String,
        pub gists_url: String,
        pub gravatar_id: String,
        pub r#type: String,
        pub avatar_url: String,
        pub subscriptions_url: String,
        pub organizations_url: String,
        pub received_events_url: String,
        pub repos_url: String,
        pub login: String,
        pub id: i64,
        pub starred_url: String,
        pub events_url: String,
        pub followers_url: String,
        pub following_url: String,
    }

    #[derive(Deserialize, Serialize)]
    pub struct RootItemPayloadCommit {
        pub url: String,
        pub message: String,
        pub distinct: bool,
        pub sha: String,
        pub author: RootItemPayloadCommitAuthor,
    }

    #[derive(Deserialize, Serialize)]
    pub struct RootItemPayloadCommitAuthor {
        pub email: String,
        pub name: String,
    }

    #[derive(Deserialize, Serialize)]
    pub struct RootItemRepo {
        pub url: String,
        pub id: i64,
        pub name: String,
    }

    #[derive(Deserialize, Serialize)]
    pub struct RootItemActor {
        pub gravatar_id: String,
        pub login: String,
        pub avatar_url: String,
        pub url: String,
        pub id: i64,
    }
}

pub mod small_object {
    use super::*;

    #[derive(Deserialize, Serialize)]
    pub struct Owner {
        pub login: String,
        pub id: i64,
        pub url: String,
        pub site_admin: bool,
    }

    #[derive(Deserialize, Serialize)]
    pub struct SmallObject {
        pub id: i64,
        pub name: String,
        pub full_name: String,
        pub owner: Owner,
        pub description: Option<String>,
        pub fork: bool,
        pub stars: i64,
        pub score: f64,
        pub language: Option<String>,
        pub topics: Vec<String>,
        pub archived: bool,
        pub size: i64,
    }
}
