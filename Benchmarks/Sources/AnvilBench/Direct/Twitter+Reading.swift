import AnvilJSON

// Written by hand, for comparison with the code that macros generate.

extension Twitter.Root: JSONReadable {
  static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Self {
    var statuses: [Twitter.Statuse]?
    var search_metadata: Twitter.SearchMetadata?
    try reader.beginObject()
    repeat {
      try reader.read("statuses", into: &statuses)
      try reader.read("search_metadata", into: &search_metadata)
    } while try reader.hasMoreMembers()
    return try Self(
      statuses: reader.require(statuses, "statuses"),
      search_metadata: reader.require(search_metadata, "search_metadata"))
  }
}

extension Twitter.SearchMetadata: JSONReadable {
  static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Self {
    var completed_in: Double?
    var max_id: Int?
    var max_id_str: String?
    var next_results: String?
    var query: String?
    var refresh_url: String?
    var count: Int?
    var since_id: Int?
    var since_id_str: String?
    try reader.beginObject()
    repeat {
      try reader.read("completed_in", into: &completed_in)
      try reader.read("max_id", into: &max_id)
      try reader.read("max_id_str", into: &max_id_str)
      try reader.read("next_results", into: &next_results)
      try reader.read("query", into: &query)
      try reader.read("refresh_url", into: &refresh_url)
      try reader.read("count", into: &count)
      try reader.read("since_id", into: &since_id)
      try reader.read("since_id_str", into: &since_id_str)
    } while try reader.hasMoreMembers()
    return try Self(
      completed_in: reader.require(completed_in, "completed_in"),
      max_id: reader.require(max_id, "max_id"),
      max_id_str: reader.require(max_id_str, "max_id_str"),
      next_results: reader.require(next_results, "next_results"),
      query: reader.require(query, "query"),
      refresh_url: reader.require(refresh_url, "refresh_url"),
      count: reader.require(count, "count"),
      since_id: reader.require(since_id, "since_id"),
      since_id_str: reader.require(since_id_str, "since_id_str"))
  }
}

extension Twitter.Statuse: JSONReadable {
  static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Self {
    var metadata: Twitter.StatuseMetadata?
    var created_at: String?
    var id: Int?
    var id_str: String?
    var text: String?
    var source: String?
    var truncated: Bool?
    var in_reply_to_status_id: Int??
    var in_reply_to_status_id_str: String??
    var in_reply_to_user_id: Int??
    var in_reply_to_user_id_str: String??
    var in_reply_to_screen_name: String??
    var user: Twitter.StatuseUser?
    var geo: Nothing??
    var coordinates: Nothing??
    var place: Nothing??
    var contributors: Nothing??
    var retweet_count: Int?
    var favorite_count: Int?
    var entities: Twitter.StatuseEntities?
    var favorited: Bool?
    var retweeted: Bool?
    var lang: String?
    var retweeted_status: Twitter.StatuseRetweetedStatus??
    var possibly_sensitive: Bool??
    try reader.beginObject()
    repeat {
      try reader.read("metadata", into: &metadata)
      try reader.read("created_at", into: &created_at)
      try reader.read("id", into: &id)
      try reader.read("id_str", into: &id_str)
      try reader.read("text", into: &text)
      try reader.read("source", into: &source)
      try reader.read("truncated", into: &truncated)
      try reader.read("in_reply_to_status_id", into: &in_reply_to_status_id)
      try reader.read("in_reply_to_status_id_str", into: &in_reply_to_status_id_str)
      try reader.read("in_reply_to_user_id", into: &in_reply_to_user_id)
      try reader.read("in_reply_to_user_id_str", into: &in_reply_to_user_id_str)
      try reader.read("in_reply_to_screen_name", into: &in_reply_to_screen_name)
      try reader.read("user", into: &user)
      try reader.read("geo", into: &geo)
      try reader.read("coordinates", into: &coordinates)
      try reader.read("place", into: &place)
      try reader.read("contributors", into: &contributors)
      try reader.read("retweet_count", into: &retweet_count)
      try reader.read("favorite_count", into: &favorite_count)
      try reader.read("entities", into: &entities)
      try reader.read("favorited", into: &favorited)
      try reader.read("retweeted", into: &retweeted)
      try reader.read("lang", into: &lang)
      try reader.read("retweeted_status", into: &retweeted_status)
      try reader.read("possibly_sensitive", into: &possibly_sensitive)
    } while try reader.hasMoreMembers()
    return try Self(
      metadata: reader.require(metadata, "metadata"),
      created_at: reader.require(created_at, "created_at"),
      id: reader.require(id, "id"),
      id_str: reader.require(id_str, "id_str"),
      text: reader.require(text, "text"),
      source: reader.require(source, "source"),
      truncated: reader.require(truncated, "truncated"),
      in_reply_to_status_id: in_reply_to_status_id ?? nil,
      in_reply_to_status_id_str: in_reply_to_status_id_str ?? nil,
      in_reply_to_user_id: in_reply_to_user_id ?? nil,
      in_reply_to_user_id_str: in_reply_to_user_id_str ?? nil,
      in_reply_to_screen_name: in_reply_to_screen_name ?? nil,
      user: reader.require(user, "user"),
      geo: geo ?? nil,
      coordinates: coordinates ?? nil,
      place: place ?? nil,
      contributors: contributors ?? nil,
      retweet_count: reader.require(retweet_count, "retweet_count"),
      favorite_count: reader.require(favorite_count, "favorite_count"),
      entities: reader.require(entities, "entities"),
      favorited: reader.require(favorited, "favorited"),
      retweeted: reader.require(retweeted, "retweeted"),
      lang: reader.require(lang, "lang"),
      retweeted_status: retweeted_status ?? nil,
      possibly_sensitive: possibly_sensitive ?? nil)
  }
}

extension Twitter.StatuseRetweetedStatus: JSONReadable {
  static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Self {
    var metadata: Twitter.StatuseRetweetedStatusMetadata?
    var created_at: String?
    var id: Int?
    var id_str: String?
    var text: String?
    var source: String?
    var truncated: Bool?
    var in_reply_to_status_id: Int??
    var in_reply_to_status_id_str: String??
    var in_reply_to_user_id: Int??
    var in_reply_to_user_id_str: String??
    var in_reply_to_screen_name: String??
    var user: Twitter.StatuseRetweetedStatusUser?
    var geo: Nothing??
    var coordinates: Nothing??
    var place: Nothing??
    var contributors: Nothing??
    var retweet_count: Int?
    var favorite_count: Int?
    var entities: Twitter.StatuseRetweetedStatusEntities?
    var favorited: Bool?
    var retweeted: Bool?
    var possibly_sensitive: Bool??
    var lang: String?
    try reader.beginObject()
    repeat {
      try reader.read("metadata", into: &metadata)
      try reader.read("created_at", into: &created_at)
      try reader.read("id", into: &id)
      try reader.read("id_str", into: &id_str)
      try reader.read("text", into: &text)
      try reader.read("source", into: &source)
      try reader.read("truncated", into: &truncated)
      try reader.read("in_reply_to_status_id", into: &in_reply_to_status_id)
      try reader.read("in_reply_to_status_id_str", into: &in_reply_to_status_id_str)
      try reader.read("in_reply_to_user_id", into: &in_reply_to_user_id)
      try reader.read("in_reply_to_user_id_str", into: &in_reply_to_user_id_str)
      try reader.read("in_reply_to_screen_name", into: &in_reply_to_screen_name)
      try reader.read("user", into: &user)
      try reader.read("geo", into: &geo)
      try reader.read("coordinates", into: &coordinates)
      try reader.read("place", into: &place)
      try reader.read("contributors", into: &contributors)
      try reader.read("retweet_count", into: &retweet_count)
      try reader.read("favorite_count", into: &favorite_count)
      try reader.read("entities", into: &entities)
      try reader.read("favorited", into: &favorited)
      try reader.read("retweeted", into: &retweeted)
      try reader.read("possibly_sensitive", into: &possibly_sensitive)
      try reader.read("lang", into: &lang)
    } while try reader.hasMoreMembers()
    return try Self(
      metadata: reader.require(metadata, "metadata"),
      created_at: reader.require(created_at, "created_at"),
      id: reader.require(id, "id"),
      id_str: reader.require(id_str, "id_str"),
      text: reader.require(text, "text"),
      source: reader.require(source, "source"),
      truncated: reader.require(truncated, "truncated"),
      in_reply_to_status_id: in_reply_to_status_id ?? nil,
      in_reply_to_status_id_str: in_reply_to_status_id_str ?? nil,
      in_reply_to_user_id: in_reply_to_user_id ?? nil,
      in_reply_to_user_id_str: in_reply_to_user_id_str ?? nil,
      in_reply_to_screen_name: in_reply_to_screen_name ?? nil,
      user: reader.require(user, "user"),
      geo: geo ?? nil,
      coordinates: coordinates ?? nil,
      place: place ?? nil,
      contributors: contributors ?? nil,
      retweet_count: reader.require(retweet_count, "retweet_count"),
      favorite_count: reader.require(favorite_count, "favorite_count"),
      entities: reader.require(entities, "entities"),
      favorited: reader.require(favorited, "favorited"),
      retweeted: reader.require(retweeted, "retweeted"),
      possibly_sensitive: possibly_sensitive ?? nil,
      lang: reader.require(lang, "lang"))
  }
}

extension Twitter.StatuseRetweetedStatusEntities: JSONReadable {
  static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Self {
    var hashtags: [Twitter.StatuseRetweetedStatusEntitiesHashtag]?
    var symbols: [Nothing]?
    var urls: [Twitter.StatuseUserEntitiesDescriptionUrl]?
    var user_mentions: [Twitter.StatuseEntitiesUserMention]?
    var media: [Twitter.StatuseEntitiesMediaItem]??
    try reader.beginObject()
    repeat {
      try reader.read("hashtags", into: &hashtags)
      try reader.read("symbols", into: &symbols)
      try reader.read("urls", into: &urls)
      try reader.read("user_mentions", into: &user_mentions)
      try reader.read("media", into: &media)
    } while try reader.hasMoreMembers()
    return try Self(
      hashtags: reader.require(hashtags, "hashtags"),
      symbols: reader.require(symbols, "symbols"),
      urls: reader.require(urls, "urls"),
      user_mentions: reader.require(user_mentions, "user_mentions"),
      media: media ?? nil)
  }
}

extension Twitter.StatuseRetweetedStatusEntitiesHashtag: JSONReadable {
  static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Self {
    var text: String?
    var indices: [Int]?
    try reader.beginObject()
    repeat {
      try reader.read("text", into: &text)
      try reader.read("indices", into: &indices)
    } while try reader.hasMoreMembers()
    return try Self(
      text: reader.require(text, "text"),
      indices: reader.require(indices, "indices"))
  }
}

extension Twitter.StatuseRetweetedStatusUser: JSONReadable {
  static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Self {
    var id: Int?
    var id_str: String?
    var name: String?
    var screen_name: String?
    var location: String?
    var description: String?
    var url: String??
    var entities: Twitter.StatuseRetweetedStatusUserEntities?
    var protected: Bool?
    var followers_count: Int?
    var friends_count: Int?
    var listed_count: Int?
    var created_at: String?
    var favourites_count: Int?
    var utc_offset: Int??
    var time_zone: String??
    var geo_enabled: Bool?
    var verified: Bool?
    var statuses_count: Int?
    var lang: String?
    var contributors_enabled: Bool?
    var is_translator: Bool?
    var is_translation_enabled: Bool?
    var profile_background_color: String?
    var profile_background_image_url: String?
    var profile_background_image_url_https: String?
    var profile_background_tile: Bool?
    var profile_image_url: String?
    var profile_image_url_https: String?
    var profile_banner_url: String??
    var profile_link_color: String?
    var profile_sidebar_border_color: String?
    var profile_sidebar_fill_color: String?
    var profile_text_color: String?
    var profile_use_background_image: Bool?
    var default_profile: Bool?
    var default_profile_image: Bool?
    var following: Bool?
    var follow_request_sent: Bool?
    var notifications: Bool?
    try reader.beginObject()
    repeat {
      try reader.read("id", into: &id)
      try reader.read("id_str", into: &id_str)
      try reader.read("name", into: &name)
      try reader.read("screen_name", into: &screen_name)
      try reader.read("location", into: &location)
      try reader.read("description", into: &description)
      try reader.read("url", into: &url)
      try reader.read("entities", into: &entities)
      try reader.read("protected", into: &protected)
      try reader.read("followers_count", into: &followers_count)
      try reader.read("friends_count", into: &friends_count)
      try reader.read("listed_count", into: &listed_count)
      try reader.read("created_at", into: &created_at)
      try reader.read("favourites_count", into: &favourites_count)
      try reader.read("utc_offset", into: &utc_offset)
      try reader.read("time_zone", into: &time_zone)
      try reader.read("geo_enabled", into: &geo_enabled)
      try reader.read("verified", into: &verified)
      try reader.read("statuses_count", into: &statuses_count)
      try reader.read("lang", into: &lang)
      try reader.read("contributors_enabled", into: &contributors_enabled)
      try reader.read("is_translator", into: &is_translator)
      try reader.read("is_translation_enabled", into: &is_translation_enabled)
      try reader.read("profile_background_color", into: &profile_background_color)
      try reader.read("profile_background_image_url", into: &profile_background_image_url)
      try reader.read("profile_background_image_url_https", into: &profile_background_image_url_https)
      try reader.read("profile_background_tile", into: &profile_background_tile)
      try reader.read("profile_image_url", into: &profile_image_url)
      try reader.read("profile_image_url_https", into: &profile_image_url_https)
      try reader.read("profile_banner_url", into: &profile_banner_url)
      try reader.read("profile_link_color", into: &profile_link_color)
      try reader.read("profile_sidebar_border_color", into: &profile_sidebar_border_color)
      try reader.read("profile_sidebar_fill_color", into: &profile_sidebar_fill_color)
      try reader.read("profile_text_color", into: &profile_text_color)
      try reader.read("profile_use_background_image", into: &profile_use_background_image)
      try reader.read("default_profile", into: &default_profile)
      try reader.read("default_profile_image", into: &default_profile_image)
      try reader.read("following", into: &following)
      try reader.read("follow_request_sent", into: &follow_request_sent)
      try reader.read("notifications", into: &notifications)
    } while try reader.hasMoreMembers()
    return try Self(
      id: reader.require(id, "id"),
      id_str: reader.require(id_str, "id_str"),
      name: reader.require(name, "name"),
      screen_name: reader.require(screen_name, "screen_name"),
      location: reader.require(location, "location"),
      description: reader.require(description, "description"),
      url: url ?? nil,
      entities: reader.require(entities, "entities"),
      protected: reader.require(protected, "protected"),
      followers_count: reader.require(followers_count, "followers_count"),
      friends_count: reader.require(friends_count, "friends_count"),
      listed_count: reader.require(listed_count, "listed_count"),
      created_at: reader.require(created_at, "created_at"),
      favourites_count: reader.require(favourites_count, "favourites_count"),
      utc_offset: utc_offset ?? nil,
      time_zone: time_zone ?? nil,
      geo_enabled: reader.require(geo_enabled, "geo_enabled"),
      verified: reader.require(verified, "verified"),
      statuses_count: reader.require(statuses_count, "statuses_count"),
      lang: reader.require(lang, "lang"),
      contributors_enabled: reader.require(contributors_enabled, "contributors_enabled"),
      is_translator: reader.require(is_translator, "is_translator"),
      is_translation_enabled: reader.require(is_translation_enabled, "is_translation_enabled"),
      profile_background_color: reader.require(profile_background_color, "profile_background_color"),
      profile_background_image_url: reader.require(profile_background_image_url, "profile_background_image_url"),
      profile_background_image_url_https: reader.require(
        profile_background_image_url_https, "profile_background_image_url_https"),
      profile_background_tile: reader.require(profile_background_tile, "profile_background_tile"),
      profile_image_url: reader.require(profile_image_url, "profile_image_url"),
      profile_image_url_https: reader.require(profile_image_url_https, "profile_image_url_https"),
      profile_banner_url: profile_banner_url ?? nil,
      profile_link_color: reader.require(profile_link_color, "profile_link_color"),
      profile_sidebar_border_color: reader.require(profile_sidebar_border_color, "profile_sidebar_border_color"),
      profile_sidebar_fill_color: reader.require(profile_sidebar_fill_color, "profile_sidebar_fill_color"),
      profile_text_color: reader.require(profile_text_color, "profile_text_color"),
      profile_use_background_image: reader.require(profile_use_background_image, "profile_use_background_image"),
      default_profile: reader.require(default_profile, "default_profile"),
      default_profile_image: reader.require(default_profile_image, "default_profile_image"),
      following: reader.require(following, "following"),
      follow_request_sent: reader.require(follow_request_sent, "follow_request_sent"),
      notifications: reader.require(notifications, "notifications"))
  }
}

extension Twitter.StatuseRetweetedStatusUserEntities: JSONReadable {
  static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Self {
    var description: Twitter.StatuseRetweetedStatusUserEntitiesDescription?
    var url: Twitter.StatuseRetweetedStatusUserEntitiesUrl??
    try reader.beginObject()
    repeat {
      try reader.read("description", into: &description)
      try reader.read("url", into: &url)
    } while try reader.hasMoreMembers()
    return try Self(
      description: reader.require(description, "description"),
      url: url ?? nil)
  }
}

extension Twitter.StatuseRetweetedStatusUserEntitiesUrl: JSONReadable {
  static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Self {
    var urls: [Twitter.StatuseUserEntitiesDescriptionUrl]?
    try reader.beginObject()
    repeat {
      try reader.read("urls", into: &urls)
    } while try reader.hasMoreMembers()
    return try Self(
      urls: reader.require(urls, "urls"))
  }
}

extension Twitter.StatuseRetweetedStatusUserEntitiesDescription: JSONReadable {
  static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Self {
    var urls: [Twitter.StatuseUserEntitiesDescriptionUrl]?
    try reader.beginObject()
    repeat {
      try reader.read("urls", into: &urls)
    } while try reader.hasMoreMembers()
    return try Self(
      urls: reader.require(urls, "urls"))
  }
}

extension Twitter.StatuseRetweetedStatusMetadata: JSONReadable {
  static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Self {
    var result_type: String?
    var iso_language_code: String?
    try reader.beginObject()
    repeat {
      try reader.read("result_type", into: &result_type)
      try reader.read("iso_language_code", into: &iso_language_code)
    } while try reader.hasMoreMembers()
    return try Self(
      result_type: reader.require(result_type, "result_type"),
      iso_language_code: reader.require(iso_language_code, "iso_language_code"))
  }
}

extension Twitter.StatuseEntities: JSONReadable {
  static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Self {
    var hashtags: [Twitter.StatuseEntitiesHashtag]?
    var symbols: [Nothing]?
    var urls: [Twitter.StatuseUserEntitiesDescriptionUrl]?
    var user_mentions: [Twitter.StatuseEntitiesUserMention]?
    var media: [Twitter.StatuseEntitiesMediaItem]??
    try reader.beginObject()
    repeat {
      try reader.read("hashtags", into: &hashtags)
      try reader.read("symbols", into: &symbols)
      try reader.read("urls", into: &urls)
      try reader.read("user_mentions", into: &user_mentions)
      try reader.read("media", into: &media)
    } while try reader.hasMoreMembers()
    return try Self(
      hashtags: reader.require(hashtags, "hashtags"),
      symbols: reader.require(symbols, "symbols"),
      urls: reader.require(urls, "urls"),
      user_mentions: reader.require(user_mentions, "user_mentions"),
      media: media ?? nil)
  }
}

extension Twitter.StatuseEntitiesMediaItem: JSONReadable {
  static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Self {
    var id: Int?
    var id_str: String?
    var indices: [Int]?
    var media_url: String?
    var media_url_https: String?
    var url: String?
    var display_url: String?
    var expanded_url: String?
    var type: String?
    var sizes: Twitter.StatuseEntitiesMediaItemSizes?
    var source_status_id: Int??
    var source_status_id_str: String??
    try reader.beginObject()
    repeat {
      try reader.read("id", into: &id)
      try reader.read("id_str", into: &id_str)
      try reader.read("indices", into: &indices)
      try reader.read("media_url", into: &media_url)
      try reader.read("media_url_https", into: &media_url_https)
      try reader.read("url", into: &url)
      try reader.read("display_url", into: &display_url)
      try reader.read("expanded_url", into: &expanded_url)
      try reader.read("type", into: &type)
      try reader.read("sizes", into: &sizes)
      try reader.read("source_status_id", into: &source_status_id)
      try reader.read("source_status_id_str", into: &source_status_id_str)
    } while try reader.hasMoreMembers()
    return try Self(
      id: reader.require(id, "id"),
      id_str: reader.require(id_str, "id_str"),
      indices: reader.require(indices, "indices"),
      media_url: reader.require(media_url, "media_url"),
      media_url_https: reader.require(media_url_https, "media_url_https"),
      url: reader.require(url, "url"),
      display_url: reader.require(display_url, "display_url"),
      expanded_url: reader.require(expanded_url, "expanded_url"),
      type: reader.require(type, "type"),
      sizes: reader.require(sizes, "sizes"),
      source_status_id: source_status_id ?? nil,
      source_status_id_str: source_status_id_str ?? nil)
  }
}

extension Twitter.StatuseEntitiesMediaItemSizes: JSONReadable {
  static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Self {
    var medium: Twitter.StatuseEntitiesMediaItemSizesMedium?
    var small: Twitter.StatuseEntitiesMediaItemSizesMedium?
    var thumb: Twitter.StatuseEntitiesMediaItemSizesMedium?
    var large: Twitter.StatuseEntitiesMediaItemSizesMedium?
    try reader.beginObject()
    repeat {
      try reader.read("medium", into: &medium)
      try reader.read("small", into: &small)
      try reader.read("thumb", into: &thumb)
      try reader.read("large", into: &large)
    } while try reader.hasMoreMembers()
    return try Self(
      medium: reader.require(medium, "medium"),
      small: reader.require(small, "small"),
      thumb: reader.require(thumb, "thumb"),
      large: reader.require(large, "large"))
  }
}

extension Twitter.StatuseEntitiesMediaItemSizesMedium: JSONReadable {
  static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Self {
    var w: Int?
    var h: Int?
    var resize: String?
    try reader.beginObject()
    repeat {
      try reader.read("w", into: &w)
      try reader.read("h", into: &h)
      try reader.read("resize", into: &resize)
    } while try reader.hasMoreMembers()
    return try Self(
      w: reader.require(w, "w"),
      h: reader.require(h, "h"),
      resize: reader.require(resize, "resize"))
  }
}

extension Twitter.StatuseEntitiesUserMention: JSONReadable {
  static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Self {
    var screen_name: String?
    var name: String?
    var id: Int?
    var id_str: String?
    var indices: [Int]?
    try reader.beginObject()
    repeat {
      try reader.read("screen_name", into: &screen_name)
      try reader.read("name", into: &name)
      try reader.read("id", into: &id)
      try reader.read("id_str", into: &id_str)
      try reader.read("indices", into: &indices)
    } while try reader.hasMoreMembers()
    return try Self(
      screen_name: reader.require(screen_name, "screen_name"),
      name: reader.require(name, "name"),
      id: reader.require(id, "id"),
      id_str: reader.require(id_str, "id_str"),
      indices: reader.require(indices, "indices"))
  }
}

extension Twitter.StatuseEntitiesHashtag: JSONReadable {
  static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Self {
    var text: String?
    var indices: [Int]?
    try reader.beginObject()
    repeat {
      try reader.read("text", into: &text)
      try reader.read("indices", into: &indices)
    } while try reader.hasMoreMembers()
    return try Self(
      text: reader.require(text, "text"),
      indices: reader.require(indices, "indices"))
  }
}

extension Twitter.StatuseUser: JSONReadable {
  static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Self {
    var id: Int?
    var id_str: String?
    var name: String?
    var screen_name: String?
    var location: String?
    var description: String?
    var url: String??
    var entities: Twitter.StatuseUserEntities?
    var protected: Bool?
    var followers_count: Int?
    var friends_count: Int?
    var listed_count: Int?
    var created_at: String?
    var favourites_count: Int?
    var utc_offset: Int??
    var time_zone: String??
    var geo_enabled: Bool?
    var verified: Bool?
    var statuses_count: Int?
    var lang: String?
    var contributors_enabled: Bool?
    var is_translator: Bool?
    var is_translation_enabled: Bool?
    var profile_background_color: String?
    var profile_background_image_url: String?
    var profile_background_image_url_https: String?
    var profile_background_tile: Bool?
    var profile_image_url: String?
    var profile_image_url_https: String?
    var profile_banner_url: String??
    var profile_link_color: String?
    var profile_sidebar_border_color: String?
    var profile_sidebar_fill_color: String?
    var profile_text_color: String?
    var profile_use_background_image: Bool?
    var default_profile: Bool?
    var default_profile_image: Bool?
    var following: Bool?
    var follow_request_sent: Bool?
    var notifications: Bool?
    try reader.beginObject()
    repeat {
      try reader.read("id", into: &id)
      try reader.read("id_str", into: &id_str)
      try reader.read("name", into: &name)
      try reader.read("screen_name", into: &screen_name)
      try reader.read("location", into: &location)
      try reader.read("description", into: &description)
      try reader.read("url", into: &url)
      try reader.read("entities", into: &entities)
      try reader.read("protected", into: &protected)
      try reader.read("followers_count", into: &followers_count)
      try reader.read("friends_count", into: &friends_count)
      try reader.read("listed_count", into: &listed_count)
      try reader.read("created_at", into: &created_at)
      try reader.read("favourites_count", into: &favourites_count)
      try reader.read("utc_offset", into: &utc_offset)
      try reader.read("time_zone", into: &time_zone)
      try reader.read("geo_enabled", into: &geo_enabled)
      try reader.read("verified", into: &verified)
      try reader.read("statuses_count", into: &statuses_count)
      try reader.read("lang", into: &lang)
      try reader.read("contributors_enabled", into: &contributors_enabled)
      try reader.read("is_translator", into: &is_translator)
      try reader.read("is_translation_enabled", into: &is_translation_enabled)
      try reader.read("profile_background_color", into: &profile_background_color)
      try reader.read("profile_background_image_url", into: &profile_background_image_url)
      try reader.read("profile_background_image_url_https", into: &profile_background_image_url_https)
      try reader.read("profile_background_tile", into: &profile_background_tile)
      try reader.read("profile_image_url", into: &profile_image_url)
      try reader.read("profile_image_url_https", into: &profile_image_url_https)
      try reader.read("profile_banner_url", into: &profile_banner_url)
      try reader.read("profile_link_color", into: &profile_link_color)
      try reader.read("profile_sidebar_border_color", into: &profile_sidebar_border_color)
      try reader.read("profile_sidebar_fill_color", into: &profile_sidebar_fill_color)
      try reader.read("profile_text_color", into: &profile_text_color)
      try reader.read("profile_use_background_image", into: &profile_use_background_image)
      try reader.read("default_profile", into: &default_profile)
      try reader.read("default_profile_image", into: &default_profile_image)
      try reader.read("following", into: &following)
      try reader.read("follow_request_sent", into: &follow_request_sent)
      try reader.read("notifications", into: &notifications)
    } while try reader.hasMoreMembers()
    return try Self(
      id: reader.require(id, "id"),
      id_str: reader.require(id_str, "id_str"),
      name: reader.require(name, "name"),
      screen_name: reader.require(screen_name, "screen_name"),
      location: reader.require(location, "location"),
      description: reader.require(description, "description"),
      url: url ?? nil,
      entities: reader.require(entities, "entities"),
      protected: reader.require(protected, "protected"),
      followers_count: reader.require(followers_count, "followers_count"),
      friends_count: reader.require(friends_count, "friends_count"),
      listed_count: reader.require(listed_count, "listed_count"),
      created_at: reader.require(created_at, "created_at"),
      favourites_count: reader.require(favourites_count, "favourites_count"),
      utc_offset: utc_offset ?? nil,
      time_zone: time_zone ?? nil,
      geo_enabled: reader.require(geo_enabled, "geo_enabled"),
      verified: reader.require(verified, "verified"),
      statuses_count: reader.require(statuses_count, "statuses_count"),
      lang: reader.require(lang, "lang"),
      contributors_enabled: reader.require(contributors_enabled, "contributors_enabled"),
      is_translator: reader.require(is_translator, "is_translator"),
      is_translation_enabled: reader.require(is_translation_enabled, "is_translation_enabled"),
      profile_background_color: reader.require(profile_background_color, "profile_background_color"),
      profile_background_image_url: reader.require(profile_background_image_url, "profile_background_image_url"),
      profile_background_image_url_https: reader.require(
        profile_background_image_url_https, "profile_background_image_url_https"),
      profile_background_tile: reader.require(profile_background_tile, "profile_background_tile"),
      profile_image_url: reader.require(profile_image_url, "profile_image_url"),
      profile_image_url_https: reader.require(profile_image_url_https, "profile_image_url_https"),
      profile_banner_url: profile_banner_url ?? nil,
      profile_link_color: reader.require(profile_link_color, "profile_link_color"),
      profile_sidebar_border_color: reader.require(profile_sidebar_border_color, "profile_sidebar_border_color"),
      profile_sidebar_fill_color: reader.require(profile_sidebar_fill_color, "profile_sidebar_fill_color"),
      profile_text_color: reader.require(profile_text_color, "profile_text_color"),
      profile_use_background_image: reader.require(profile_use_background_image, "profile_use_background_image"),
      default_profile: reader.require(default_profile, "default_profile"),
      default_profile_image: reader.require(default_profile_image, "default_profile_image"),
      following: reader.require(following, "following"),
      follow_request_sent: reader.require(follow_request_sent, "follow_request_sent"),
      notifications: reader.require(notifications, "notifications"))
  }
}

extension Twitter.StatuseUserEntities: JSONReadable {
  static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Self {
    var description: Twitter.StatuseUserEntitiesDescription?
    var url: Twitter.StatuseUserEntitiesUrl??
    try reader.beginObject()
    repeat {
      try reader.read("description", into: &description)
      try reader.read("url", into: &url)
    } while try reader.hasMoreMembers()
    return try Self(
      description: reader.require(description, "description"),
      url: url ?? nil)
  }
}

extension Twitter.StatuseUserEntitiesUrl: JSONReadable {
  static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Self {
    var urls: [Twitter.StatuseUserEntitiesDescriptionUrl]?
    try reader.beginObject()
    repeat {
      try reader.read("urls", into: &urls)
    } while try reader.hasMoreMembers()
    return try Self(
      urls: reader.require(urls, "urls"))
  }
}

extension Twitter.StatuseUserEntitiesDescription: JSONReadable {
  static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Self {
    var urls: [Twitter.StatuseUserEntitiesDescriptionUrl]?
    try reader.beginObject()
    repeat {
      try reader.read("urls", into: &urls)
    } while try reader.hasMoreMembers()
    return try Self(
      urls: reader.require(urls, "urls"))
  }
}

extension Twitter.StatuseUserEntitiesDescriptionUrl: JSONReadable {
  static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Self {
    var url: String?
    var expanded_url: String?
    var display_url: String?
    var indices: [Int]?
    try reader.beginObject()
    repeat {
      try reader.read("url", into: &url)
      try reader.read("expanded_url", into: &expanded_url)
      try reader.read("display_url", into: &display_url)
      try reader.read("indices", into: &indices)
    } while try reader.hasMoreMembers()
    return try Self(
      url: reader.require(url, "url"),
      expanded_url: reader.require(expanded_url, "expanded_url"),
      display_url: reader.require(display_url, "display_url"),
      indices: reader.require(indices, "indices"))
  }
}

extension Twitter.StatuseMetadata: JSONReadable {
  static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Self {
    var result_type: String?
    var iso_language_code: String?
    try reader.beginObject()
    repeat {
      try reader.read("result_type", into: &result_type)
      try reader.read("iso_language_code", into: &iso_language_code)
    } while try reader.hasMoreMembers()
    return try Self(
      result_type: reader.require(result_type, "result_type"),
      iso_language_code: reader.require(iso_language_code, "iso_language_code"))
  }
}

extension Nothing: JSONReadable {
  static func read(from reader: inout JSON.Reader) throws(JSON.ReadingError) -> Self {
    try reader.beginObject()
    while try reader.hasMoreMembers() {}
    return Self()
  }
}
