import AnvilCodable

/// The models of `twitter.json`, coded by macros.
enum MacroTwitter {
  @JSONCodable
  struct Root: Equatable, Sendable {
    var statuses: [Statuse]
    var search_metadata: SearchMetadata
  }

  @JSONCodable
  struct SearchMetadata: Equatable, Sendable {
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

  @JSONCodable
  struct Statuse: Equatable, Sendable {
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
    var geo: MacroNothing?
    var coordinates: MacroNothing?
    var place: MacroNothing?
    var contributors: MacroNothing?
    var retweet_count: Int
    var favorite_count: Int
    var entities: StatuseEntities
    var favorited: Bool
    var retweeted: Bool
    var lang: String
    var retweeted_status: StatuseRetweetedStatus?
    var possibly_sensitive: Bool?
  }

  @JSONCodable
  struct StatuseRetweetedStatus: Equatable, Sendable {
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
    var geo: MacroNothing?
    var coordinates: MacroNothing?
    var place: MacroNothing?
    var contributors: MacroNothing?
    var retweet_count: Int
    var favorite_count: Int
    var entities: StatuseRetweetedStatusEntities
    var favorited: Bool
    var retweeted: Bool
    var possibly_sensitive: Bool?
    var lang: String
  }

  @JSONCodable
  struct StatuseRetweetedStatusEntities: Equatable, Sendable {
    var hashtags: [StatuseRetweetedStatusEntitiesHashtag]
    var symbols: [MacroNothing]
    var urls: [StatuseUserEntitiesDescriptionUrl]
    var user_mentions: [StatuseEntitiesUserMention]
    var media: [StatuseEntitiesMediaItem]?
  }

  @JSONCodable
  struct StatuseRetweetedStatusEntitiesHashtag: Equatable, Sendable {
    var text: String
    var indices: [Int]
  }

  @JSONCodable
  struct StatuseRetweetedStatusUser: Equatable, Sendable {
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

  @JSONCodable
  struct StatuseRetweetedStatusUserEntities: Equatable, Sendable {
    var description: StatuseRetweetedStatusUserEntitiesDescription
    var url: StatuseRetweetedStatusUserEntitiesUrl?
  }

  @JSONCodable
  struct StatuseRetweetedStatusUserEntitiesUrl: Equatable, Sendable {
    var urls: [StatuseUserEntitiesDescriptionUrl]
  }

  @JSONCodable
  struct StatuseRetweetedStatusUserEntitiesDescription: Equatable, Sendable {
    var urls: [StatuseUserEntitiesDescriptionUrl]
  }

  @JSONCodable
  struct StatuseRetweetedStatusMetadata: Equatable, Sendable {
    var result_type: String
    var iso_language_code: String
  }

  @JSONCodable
  struct StatuseEntities: Equatable, Sendable {
    var hashtags: [StatuseEntitiesHashtag]
    var symbols: [MacroNothing]
    var urls: [StatuseUserEntitiesDescriptionUrl]
    var user_mentions: [StatuseEntitiesUserMention]
    var media: [StatuseEntitiesMediaItem]?
  }

  @JSONCodable
  struct StatuseEntitiesMediaItem: Equatable, Sendable {
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

  @JSONCodable
  struct StatuseEntitiesMediaItemSizes: Equatable, Sendable {
    var medium: StatuseEntitiesMediaItemSizesMedium
    var small: StatuseEntitiesMediaItemSizesMedium
    var thumb: StatuseEntitiesMediaItemSizesMedium
    var large: StatuseEntitiesMediaItemSizesMedium
  }

  @JSONCodable
  struct StatuseEntitiesMediaItemSizesMedium: Equatable, Sendable {
    var w: Int
    var h: Int
    var resize: String
  }

  @JSONCodable
  struct StatuseEntitiesUserMention: Equatable, Sendable {
    var screen_name: String
    var name: String
    var id: Int
    var id_str: String
    var indices: [Int]
  }

  @JSONCodable
  struct StatuseEntitiesHashtag: Equatable, Sendable {
    var text: String
    var indices: [Int]
  }

  @JSONCodable
  struct StatuseUser: Equatable, Sendable {
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

  @JSONCodable
  struct StatuseUserEntities: Equatable, Sendable {
    var description: StatuseUserEntitiesDescription
    var url: StatuseUserEntitiesUrl?
  }

  @JSONCodable
  struct StatuseUserEntitiesUrl: Equatable, Sendable {
    var urls: [StatuseUserEntitiesDescriptionUrl]
  }

  @JSONCodable
  struct StatuseUserEntitiesDescription: Equatable, Sendable {
    var urls: [StatuseUserEntitiesDescriptionUrl]
  }

  @JSONCodable
  struct StatuseUserEntitiesDescriptionUrl: Equatable, Sendable {
    var url: String
    var expanded_url: String
    var display_url: String
    var indices: [Int]
  }

  @JSONCodable
  struct StatuseMetadata: Equatable, Sendable {
    var result_type: String
    var iso_language_code: String
  }
}
