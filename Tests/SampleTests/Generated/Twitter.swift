// swift-format-ignore-file
// Made by `anvil model` from twitter.json.
//
//     let model = try JSON.read(Twitter.self, from: data)

import Anvil
import Foundation

@JSONCodable
struct Twitter: Hashable, Sendable {
  let statuses: [Status]
  @CodingKey("search_metadata") let searchMetadata: SearchMetadata

  @JSONCodable
  struct Status: Hashable, Sendable {
    let metadata: Metadata
    @CodingKey("created_at") let createdAt: String
    let id: Int
    @CodingKey("id_str") let idStr: String
    let text: String
    let source: String
    let truncated: Bool
    @CodingKey("in_reply_to_status_id") let inReplyToStatusID: Int?
    @CodingKey("in_reply_to_status_id_str") let inReplyToStatusIDStr: String?
    @CodingKey("in_reply_to_user_id") let inReplyToUserID: Int?
    @CodingKey("in_reply_to_user_id_str") let inReplyToUserIDStr: String?
    @CodingKey("in_reply_to_screen_name") let inReplyToScreenName: String?
    let user: User
    let geo: JSON?
    let coordinates: JSON?
    let place: JSON?
    let contributors: JSON?
    @CodingKey("retweet_count") let retweetCount: Int
    @CodingKey("favorite_count") let favoriteCount: Int
    let entities: Entities
    let favorited: Bool
    let retweeted: Bool
    let lang: String
    @CodingKey("retweeted_status") let retweetedStatus: Box<Status>?
    @CodingKey("possibly_sensitive") let possiblySensitive: Bool?

    @JSONCodable
    struct Metadata: Hashable, Sendable {
      @CodingKey("result_type") let resultType: String
      @CodingKey("iso_language_code") let isoLanguageCode: String
    }

    @JSONCodable
    struct User: Hashable, Sendable {
      let id: Int
      @CodingKey("id_str") let idStr: String
      let name: String
      @CodingKey("screen_name") let screenName: String
      let location: String
      let description: String
      let url: URL?
      let entities: UserEntities
      let protected: Bool
      @CodingKey("followers_count") let followersCount: Int
      @CodingKey("friends_count") let friendsCount: Int
      @CodingKey("listed_count") let listedCount: Int
      @CodingKey("created_at") let createdAt: String
      @CodingKey("favourites_count") let favouritesCount: Int
      @CodingKey("utc_offset") let utcOffset: Int?
      @CodingKey("time_zone") let timeZone: String?
      @CodingKey("geo_enabled") let geoEnabled: Bool
      let verified: Bool
      @CodingKey("statuses_count") let statusesCount: Int
      let lang: String
      @CodingKey("contributors_enabled") let contributorsEnabled: Bool
      @CodingKey("is_translator") let isTranslator: Bool
      @CodingKey("is_translation_enabled") let isTranslationEnabled: Bool
      @CodingKey("profile_background_color") let profileBackgroundColor: String
      @CodingKey("profile_background_image_url") let profileBackgroundImageURL: URL
      @CodingKey("profile_background_image_url_https") let profileBackgroundImageURLHTTPS: URL
      @CodingKey("profile_background_tile") let profileBackgroundTile: Bool
      @CodingKey("profile_image_url") let profileImageURL: URL
      @CodingKey("profile_image_url_https") let profileImageURLHTTPS: URL
      @CodingKey("profile_banner_url") let profileBannerURL: URL?
      @CodingKey("profile_link_color") let profileLinkColor: String
      @CodingKey("profile_sidebar_border_color") let profileSidebarBorderColor: String
      @CodingKey("profile_sidebar_fill_color") let profileSidebarFillColor: String
      @CodingKey("profile_text_color") let profileTextColor: String
      @CodingKey("profile_use_background_image") let profileUseBackgroundImage: Bool
      @CodingKey("default_profile") let defaultProfile: Bool
      @CodingKey("default_profile_image") let defaultProfileImage: Bool
      let following: Bool
      @CodingKey("follow_request_sent") let followRequestSent: Bool
      let notifications: Bool

      @JSONCodable
      struct UserEntities: Hashable, Sendable {
        let description: Entity
        let url: Entity?

        @JSONCodable
        struct Entity: Hashable, Sendable {
          let urls: [URLItem]
        }
      }
    }

    @JSONCodable
    struct Entities: Hashable, Sendable {
      let hashtags: [Hashtag]
      let symbols: [JSON]
      let urls: [URLItem]
      @CodingKey("user_mentions") let userMentions: [UserMention]
      let media: [Media]?

      @JSONCodable
      struct Hashtag: Hashable, Sendable {
        let text: String
        let indices: [Int]
      }

      @JSONCodable
      struct UserMention: Hashable, Sendable {
        @CodingKey("screen_name") let screenName: String
        let name: String
        let id: Int
        @CodingKey("id_str") let idStr: String
        let indices: [Int]
      }

      @JSONCodable
      struct Media: Hashable, Sendable {
        let id: Int
        @CodingKey("id_str") let idStr: String
        let indices: [Int]
        @CodingKey("media_url") let mediaURL: URL
        @CodingKey("media_url_https") let mediaURLHTTPS: URL
        let url: URL
        @CodingKey("display_url") let displayURL: String
        @CodingKey("expanded_url") let expandedURL: URL
        let type: String
        let sizes: Sizes
        @CodingKey("source_status_id") let sourceStatusID: Int?
        @CodingKey("source_status_id_str") let sourceStatusIDStr: String?

        @JSONCodable
        struct Sizes: Hashable, Sendable {
          let medium: Size
          let small: Size
          let thumb: Size
          let large: Size

          @JSONCodable
          struct Size: Hashable, Sendable {
            let w: Int
            let h: Int
            let resize: Resize

            @JSONCodable
            enum Resize: String, Sendable {
              case fit, crop
            }
          }
        }
      }
    }
  }

  @JSONCodable
  struct URLItem: Hashable, Sendable {
    let url: URL
    @CodingKey("expanded_url") let expandedURL: URL
    @CodingKey("display_url") let displayURL: String
    let indices: [Int]
  }

  @JSONCodable
  struct SearchMetadata: Hashable, Sendable {
    @CodingKey("completed_in") let completedIn: Double
    @CodingKey("max_id") let maxID: Int
    @CodingKey("max_id_str") let maxIDStr: String
    @CodingKey("next_results") let nextResults: String
    let query: String
    @CodingKey("refresh_url") let refreshURL: String
    let count: Int
    @CodingKey("since_id") let sinceID: Int
    @CodingKey("since_id_str") let sinceIDStr: String
  }

  /// A value on the heap: a struct cannot hold its own type directly.
  indirect enum Box<Value: Codable & JSONReadable & JSONWritable & Hashable & Sendable>: Codable, JSONReadable, JSONWritable, Hashable, Sendable {
    case value(Value)

    var value: Value {
      switch self {
      case .value(let value): value
      }
    }

    static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Self {
      .value(try reader.read())
    }

    func write(to writer: inout JSON.Writer) {
      writer.write(value)
    }

    init(from decoder: any Decoder) throws {
      self = .value(try Value(from: decoder))
    }

    func encode(to encoder: any Encoder) throws {
      try value.encode(to: encoder)
    }
  }
}
