/// The whole of `twitter.json`, every field typed.
enum Twitter {
  struct Root: Codable, Equatable, Sendable {
    var statuses: [Statuse]
    var search_metadata: SearchMetadata
  }

  struct SearchMetadata: Codable, Equatable, Sendable {
    var completed_in: Double
    var max_id: Int
    var max_id_str: String
    var next_results: String
    var query: String
    var refresh_url: String
    var count: Int
    var since_id: Int
    var since_id_str: String
  }

  struct Statuse: Codable, Equatable, Sendable {
    var metadata: StatuseMetadata
    var created_at: String
    var id: Int
    var id_str: String
    var text: String
    var source: String
    var truncated: Bool
    var in_reply_to_status_id: Int?
    var in_reply_to_status_id_str: String?
    var in_reply_to_user_id: Int?
    var in_reply_to_user_id_str: String?
    var in_reply_to_screen_name: String?
    var user: StatuseUser
    var geo: Nothing?
    var coordinates: Nothing?
    var place: Nothing?
    var contributors: Nothing?
    var retweet_count: Int
    var favorite_count: Int
    var entities: StatuseEntities
    var favorited: Bool
    var retweeted: Bool
    var lang: String
    var retweeted_status: StatuseRetweetedStatus?
    var possibly_sensitive: Bool?
  }

  struct StatuseRetweetedStatus: Codable, Equatable, Sendable {
    var metadata: StatuseRetweetedStatusMetadata
    var created_at: String
    var id: Int
    var id_str: String
    var text: String
    var source: String
    var truncated: Bool
    var in_reply_to_status_id: Int?
    var in_reply_to_status_id_str: String?
    var in_reply_to_user_id: Int?
    var in_reply_to_user_id_str: String?
    var in_reply_to_screen_name: String?
    var user: StatuseRetweetedStatusUser
    var geo: Nothing?
    var coordinates: Nothing?
    var place: Nothing?
    var contributors: Nothing?
    var retweet_count: Int
    var favorite_count: Int
    var entities: StatuseRetweetedStatusEntities
    var favorited: Bool
    var retweeted: Bool
    var possibly_sensitive: Bool?
    var lang: String
  }

  struct StatuseRetweetedStatusEntities: Codable, Equatable, Sendable {
    var hashtags: [StatuseRetweetedStatusEntitiesHashtag]
    var symbols: [Nothing]
    var urls: [StatuseUserEntitiesDescriptionUrl]
    var user_mentions: [StatuseEntitiesUserMention]
    var media: [StatuseEntitiesMediaItem]?
  }

  struct StatuseRetweetedStatusEntitiesHashtag: Codable, Equatable, Sendable {
    var text: String
    var indices: [Int]
  }

  struct StatuseRetweetedStatusUser: Codable, Equatable, Sendable {
    var id: Int
    var id_str: String
    var name: String
    var screen_name: String
    var location: String
    var description: String
    var url: String?
    var entities: StatuseRetweetedStatusUserEntities
    var protected: Bool
    var followers_count: Int
    var friends_count: Int
    var listed_count: Int
    var created_at: String
    var favourites_count: Int
    var utc_offset: Int?
    var time_zone: String?
    var geo_enabled: Bool
    var verified: Bool
    var statuses_count: Int
    var lang: String
    var contributors_enabled: Bool
    var is_translator: Bool
    var is_translation_enabled: Bool
    var profile_background_color: String
    var profile_background_image_url: String
    var profile_background_image_url_https: String
    var profile_background_tile: Bool
    var profile_image_url: String
    var profile_image_url_https: String
    var profile_banner_url: String?
    var profile_link_color: String
    var profile_sidebar_border_color: String
    var profile_sidebar_fill_color: String
    var profile_text_color: String
    var profile_use_background_image: Bool
    var default_profile: Bool
    var default_profile_image: Bool
    var following: Bool
    var follow_request_sent: Bool
    var notifications: Bool
  }

  struct StatuseRetweetedStatusUserEntities: Codable, Equatable, Sendable {
    var description: StatuseRetweetedStatusUserEntitiesDescription
    var url: StatuseRetweetedStatusUserEntitiesUrl?
  }

  struct StatuseRetweetedStatusUserEntitiesUrl: Codable, Equatable, Sendable {
    var urls: [StatuseUserEntitiesDescriptionUrl]
  }

  struct StatuseRetweetedStatusUserEntitiesDescription: Codable, Equatable, Sendable {
    var urls: [StatuseUserEntitiesDescriptionUrl]
  }

  struct StatuseRetweetedStatusMetadata: Codable, Equatable, Sendable {
    var result_type: String
    var iso_language_code: String
  }

  struct StatuseEntities: Codable, Equatable, Sendable {
    var hashtags: [StatuseEntitiesHashtag]
    var symbols: [Nothing]
    var urls: [StatuseUserEntitiesDescriptionUrl]
    var user_mentions: [StatuseEntitiesUserMention]
    var media: [StatuseEntitiesMediaItem]?
  }

  struct StatuseEntitiesMediaItem: Codable, Equatable, Sendable {
    var id: Int
    var id_str: String
    var indices: [Int]
    var media_url: String
    var media_url_https: String
    var url: String
    var display_url: String
    var expanded_url: String
    var type: String
    var sizes: StatuseEntitiesMediaItemSizes
    var source_status_id: Int?
    var source_status_id_str: String?
  }

  struct StatuseEntitiesMediaItemSizes: Codable, Equatable, Sendable {
    var medium: StatuseEntitiesMediaItemSizesMedium
    var small: StatuseEntitiesMediaItemSizesMedium
    var thumb: StatuseEntitiesMediaItemSizesMedium
    var large: StatuseEntitiesMediaItemSizesMedium
  }

  struct StatuseEntitiesMediaItemSizesMedium: Codable, Equatable, Sendable {
    var w: Int
    var h: Int
    var resize: String
  }

  struct StatuseEntitiesUserMention: Codable, Equatable, Sendable {
    var screen_name: String
    var name: String
    var id: Int
    var id_str: String
    var indices: [Int]
  }

  struct StatuseEntitiesHashtag: Codable, Equatable, Sendable {
    var text: String
    var indices: [Int]
  }

  struct StatuseUser: Codable, Equatable, Sendable {
    var id: Int
    var id_str: String
    var name: String
    var screen_name: String
    var location: String
    var description: String
    var url: String?
    var entities: StatuseUserEntities
    var protected: Bool
    var followers_count: Int
    var friends_count: Int
    var listed_count: Int
    var created_at: String
    var favourites_count: Int
    var utc_offset: Int?
    var time_zone: String?
    var geo_enabled: Bool
    var verified: Bool
    var statuses_count: Int
    var lang: String
    var contributors_enabled: Bool
    var is_translator: Bool
    var is_translation_enabled: Bool
    var profile_background_color: String
    var profile_background_image_url: String
    var profile_background_image_url_https: String
    var profile_background_tile: Bool
    var profile_image_url: String
    var profile_image_url_https: String
    var profile_banner_url: String?
    var profile_link_color: String
    var profile_sidebar_border_color: String
    var profile_sidebar_fill_color: String
    var profile_text_color: String
    var profile_use_background_image: Bool
    var default_profile: Bool
    var default_profile_image: Bool
    var following: Bool
    var follow_request_sent: Bool
    var notifications: Bool
  }

  struct StatuseUserEntities: Codable, Equatable, Sendable {
    var description: StatuseUserEntitiesDescription
    var url: StatuseUserEntitiesUrl?
  }

  struct StatuseUserEntitiesUrl: Codable, Equatable, Sendable {
    var urls: [StatuseUserEntitiesDescriptionUrl]
  }

  struct StatuseUserEntitiesDescription: Codable, Equatable, Sendable {
    var urls: [StatuseUserEntitiesDescriptionUrl]
  }

  struct StatuseUserEntitiesDescriptionUrl: Codable, Equatable, Sendable {
    var url: String
    var expanded_url: String
    var display_url: String
    var indices: [Int]
  }

  struct StatuseMetadata: Codable, Equatable, Sendable {
    var result_type: String
    var iso_language_code: String
  }
}
