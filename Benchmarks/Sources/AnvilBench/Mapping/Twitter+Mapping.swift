import AnvilJSON

extension Twitter.Root: JSONDecodable {
  static func decode(_ json: JSON) throws -> Self {
    try Self(
      statuses: json => "statuses",
      search_metadata: json => "search_metadata"
    )
  }
}

extension Twitter.SearchMetadata: JSONDecodable {
  static func decode(_ json: JSON) throws -> Self {
    try Self(
      completed_in: json => "completed_in",
      max_id: json => "max_id",
      max_id_str: json => "max_id_str",
      next_results: json => "next_results",
      query: json => "query",
      refresh_url: json => "refresh_url",
      count: json => "count",
      since_id: json => "since_id",
      since_id_str: json => "since_id_str"
    )
  }
}

extension Twitter.Statuse: JSONDecodable {
  static func decode(_ json: JSON) throws -> Self {
    try Self(
      metadata: json => "metadata",
      created_at: json => "created_at",
      id: json => "id",
      id_str: json => "id_str",
      text: json => "text",
      source: json => "source",
      truncated: json => "truncated",
      in_reply_to_status_id: json =>? "in_reply_to_status_id",
      in_reply_to_status_id_str: json =>? "in_reply_to_status_id_str",
      in_reply_to_user_id: json =>? "in_reply_to_user_id",
      in_reply_to_user_id_str: json =>? "in_reply_to_user_id_str",
      in_reply_to_screen_name: json =>? "in_reply_to_screen_name",
      user: json => "user",
      geo: json =>? "geo",
      coordinates: json =>? "coordinates",
      place: json =>? "place",
      contributors: json =>? "contributors",
      retweet_count: json => "retweet_count",
      favorite_count: json => "favorite_count",
      entities: json => "entities",
      favorited: json => "favorited",
      retweeted: json => "retweeted",
      lang: json => "lang",
      retweeted_status: json =>? "retweeted_status",
      possibly_sensitive: json =>? "possibly_sensitive"
    )
  }
}

extension Twitter.StatuseRetweetedStatus: JSONDecodable {
  static func decode(_ json: JSON) throws -> Self {
    try Self(
      metadata: json => "metadata",
      created_at: json => "created_at",
      id: json => "id",
      id_str: json => "id_str",
      text: json => "text",
      source: json => "source",
      truncated: json => "truncated",
      in_reply_to_status_id: json =>? "in_reply_to_status_id",
      in_reply_to_status_id_str: json =>? "in_reply_to_status_id_str",
      in_reply_to_user_id: json =>? "in_reply_to_user_id",
      in_reply_to_user_id_str: json =>? "in_reply_to_user_id_str",
      in_reply_to_screen_name: json =>? "in_reply_to_screen_name",
      user: json => "user",
      geo: json =>? "geo",
      coordinates: json =>? "coordinates",
      place: json =>? "place",
      contributors: json =>? "contributors",
      retweet_count: json => "retweet_count",
      favorite_count: json => "favorite_count",
      entities: json => "entities",
      favorited: json => "favorited",
      retweeted: json => "retweeted",
      possibly_sensitive: json =>? "possibly_sensitive",
      lang: json => "lang"
    )
  }
}

extension Twitter.StatuseRetweetedStatusEntities: JSONDecodable {
  static func decode(_ json: JSON) throws -> Self {
    try Self(
      hashtags: json => "hashtags",
      symbols: json => "symbols",
      urls: json => "urls",
      user_mentions: json => "user_mentions",
      media: json =>? "media"
    )
  }
}

extension Twitter.StatuseRetweetedStatusEntitiesHashtag: JSONDecodable {
  static func decode(_ json: JSON) throws -> Self {
    try Self(
      text: json => "text",
      indices: json => "indices"
    )
  }
}

extension Twitter.StatuseRetweetedStatusUser: JSONDecodable {
  static func decode(_ json: JSON) throws -> Self {
    try Self(
      id: json => "id",
      id_str: json => "id_str",
      name: json => "name",
      screen_name: json => "screen_name",
      location: json => "location",
      description: json => "description",
      url: json =>? "url",
      entities: json => "entities",
      protected: json => "protected",
      followers_count: json => "followers_count",
      friends_count: json => "friends_count",
      listed_count: json => "listed_count",
      created_at: json => "created_at",
      favourites_count: json => "favourites_count",
      utc_offset: json =>? "utc_offset",
      time_zone: json =>? "time_zone",
      geo_enabled: json => "geo_enabled",
      verified: json => "verified",
      statuses_count: json => "statuses_count",
      lang: json => "lang",
      contributors_enabled: json => "contributors_enabled",
      is_translator: json => "is_translator",
      is_translation_enabled: json => "is_translation_enabled",
      profile_background_color: json => "profile_background_color",
      profile_background_image_url: json => "profile_background_image_url",
      profile_background_image_url_https: json => "profile_background_image_url_https",
      profile_background_tile: json => "profile_background_tile",
      profile_image_url: json => "profile_image_url",
      profile_image_url_https: json => "profile_image_url_https",
      profile_banner_url: json =>? "profile_banner_url",
      profile_link_color: json => "profile_link_color",
      profile_sidebar_border_color: json => "profile_sidebar_border_color",
      profile_sidebar_fill_color: json => "profile_sidebar_fill_color",
      profile_text_color: json => "profile_text_color",
      profile_use_background_image: json => "profile_use_background_image",
      default_profile: json => "default_profile",
      default_profile_image: json => "default_profile_image",
      following: json => "following",
      follow_request_sent: json => "follow_request_sent",
      notifications: json => "notifications"
    )
  }
}

extension Twitter.StatuseRetweetedStatusUserEntities: JSONDecodable {
  static func decode(_ json: JSON) throws -> Self {
    try Self(
      description: json => "description",
      url: json =>? "url"
    )
  }
}

extension Twitter.StatuseRetweetedStatusUserEntitiesUrl: JSONDecodable {
  static func decode(_ json: JSON) throws -> Self {
    try Self(
      urls: json => "urls"
    )
  }
}

extension Twitter.StatuseRetweetedStatusUserEntitiesDescription: JSONDecodable {
  static func decode(_ json: JSON) throws -> Self {
    try Self(
      urls: json => "urls"
    )
  }
}

extension Twitter.StatuseRetweetedStatusMetadata: JSONDecodable {
  static func decode(_ json: JSON) throws -> Self {
    try Self(
      result_type: json => "result_type",
      iso_language_code: json => "iso_language_code"
    )
  }
}

extension Twitter.StatuseEntities: JSONDecodable {
  static func decode(_ json: JSON) throws -> Self {
    try Self(
      hashtags: json => "hashtags",
      symbols: json => "symbols",
      urls: json => "urls",
      user_mentions: json => "user_mentions",
      media: json =>? "media"
    )
  }
}

extension Twitter.StatuseEntitiesMediaItem: JSONDecodable {
  static func decode(_ json: JSON) throws -> Self {
    try Self(
      id: json => "id",
      id_str: json => "id_str",
      indices: json => "indices",
      media_url: json => "media_url",
      media_url_https: json => "media_url_https",
      url: json => "url",
      display_url: json => "display_url",
      expanded_url: json => "expanded_url",
      type: json => "type",
      sizes: json => "sizes",
      source_status_id: json =>? "source_status_id",
      source_status_id_str: json =>? "source_status_id_str"
    )
  }
}

extension Twitter.StatuseEntitiesMediaItemSizes: JSONDecodable {
  static func decode(_ json: JSON) throws -> Self {
    try Self(
      medium: json => "medium",
      small: json => "small",
      thumb: json => "thumb",
      large: json => "large"
    )
  }
}

extension Twitter.StatuseEntitiesMediaItemSizesMedium: JSONDecodable {
  static func decode(_ json: JSON) throws -> Self {
    try Self(
      w: json => "w",
      h: json => "h",
      resize: json => "resize"
    )
  }
}

extension Twitter.StatuseEntitiesUserMention: JSONDecodable {
  static func decode(_ json: JSON) throws -> Self {
    try Self(
      screen_name: json => "screen_name",
      name: json => "name",
      id: json => "id",
      id_str: json => "id_str",
      indices: json => "indices"
    )
  }
}

extension Twitter.StatuseEntitiesHashtag: JSONDecodable {
  static func decode(_ json: JSON) throws -> Self {
    try Self(
      text: json => "text",
      indices: json => "indices"
    )
  }
}

extension Twitter.StatuseUser: JSONDecodable {
  static func decode(_ json: JSON) throws -> Self {
    try Self(
      id: json => "id",
      id_str: json => "id_str",
      name: json => "name",
      screen_name: json => "screen_name",
      location: json => "location",
      description: json => "description",
      url: json =>? "url",
      entities: json => "entities",
      protected: json => "protected",
      followers_count: json => "followers_count",
      friends_count: json => "friends_count",
      listed_count: json => "listed_count",
      created_at: json => "created_at",
      favourites_count: json => "favourites_count",
      utc_offset: json =>? "utc_offset",
      time_zone: json =>? "time_zone",
      geo_enabled: json => "geo_enabled",
      verified: json => "verified",
      statuses_count: json => "statuses_count",
      lang: json => "lang",
      contributors_enabled: json => "contributors_enabled",
      is_translator: json => "is_translator",
      is_translation_enabled: json => "is_translation_enabled",
      profile_background_color: json => "profile_background_color",
      profile_background_image_url: json => "profile_background_image_url",
      profile_background_image_url_https: json => "profile_background_image_url_https",
      profile_background_tile: json => "profile_background_tile",
      profile_image_url: json => "profile_image_url",
      profile_image_url_https: json => "profile_image_url_https",
      profile_banner_url: json =>? "profile_banner_url",
      profile_link_color: json => "profile_link_color",
      profile_sidebar_border_color: json => "profile_sidebar_border_color",
      profile_sidebar_fill_color: json => "profile_sidebar_fill_color",
      profile_text_color: json => "profile_text_color",
      profile_use_background_image: json => "profile_use_background_image",
      default_profile: json => "default_profile",
      default_profile_image: json => "default_profile_image",
      following: json => "following",
      follow_request_sent: json => "follow_request_sent",
      notifications: json => "notifications"
    )
  }
}

extension Twitter.StatuseUserEntities: JSONDecodable {
  static func decode(_ json: JSON) throws -> Self {
    try Self(
      description: json => "description",
      url: json =>? "url"
    )
  }
}

extension Twitter.StatuseUserEntitiesUrl: JSONDecodable {
  static func decode(_ json: JSON) throws -> Self {
    try Self(
      urls: json => "urls"
    )
  }
}

extension Twitter.StatuseUserEntitiesDescription: JSONDecodable {
  static func decode(_ json: JSON) throws -> Self {
    try Self(
      urls: json => "urls"
    )
  }
}

extension Twitter.StatuseUserEntitiesDescriptionUrl: JSONDecodable {
  static func decode(_ json: JSON) throws -> Self {
    try Self(
      url: json => "url",
      expanded_url: json => "expanded_url",
      display_url: json => "display_url",
      indices: json => "indices"
    )
  }
}

extension Twitter.StatuseMetadata: JSONDecodable {
  static func decode(_ json: JSON) throws -> Self {
    try Self(
      result_type: json => "result_type",
      iso_language_code: json => "iso_language_code"
    )
  }
}
