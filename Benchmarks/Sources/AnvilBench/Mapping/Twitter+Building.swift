import AnvilJSON

extension Twitter.Root: JSONEncodable {
  func encode(into json: inout JSON.Builder) throws {
    try json.write(statuses, at: "statuses")
    try json.write(search_metadata, at: "search_metadata")
  }
}

extension Twitter.SearchMetadata: JSONEncodable {
  func encode(into json: inout JSON.Builder) throws {
    try json.write(completed_in, at: "completed_in")
    try json.write(max_id, at: "max_id")
    try json.write(max_id_str, at: "max_id_str")
    try json.write(next_results, at: "next_results")
    try json.write(query, at: "query")
    try json.write(refresh_url, at: "refresh_url")
    try json.write(count, at: "count")
    try json.write(since_id, at: "since_id")
    try json.write(since_id_str, at: "since_id_str")
  }
}

extension Twitter.Statuse: JSONEncodable {
  func encode(into json: inout JSON.Builder) throws {
    try json.write(metadata, at: "metadata")
    try json.write(created_at, at: "created_at")
    try json.write(id, at: "id")
    try json.write(id_str, at: "id_str")
    try json.write(text, at: "text")
    try json.write(source, at: "source")
    try json.write(truncated, at: "truncated")
    try json.write(ifPresent: in_reply_to_status_id, at: "in_reply_to_status_id")
    try json.write(ifPresent: in_reply_to_status_id_str, at: "in_reply_to_status_id_str")
    try json.write(ifPresent: in_reply_to_user_id, at: "in_reply_to_user_id")
    try json.write(ifPresent: in_reply_to_user_id_str, at: "in_reply_to_user_id_str")
    try json.write(ifPresent: in_reply_to_screen_name, at: "in_reply_to_screen_name")
    try json.write(user, at: "user")
    try json.write(ifPresent: geo, at: "geo")
    try json.write(ifPresent: coordinates, at: "coordinates")
    try json.write(ifPresent: place, at: "place")
    try json.write(ifPresent: contributors, at: "contributors")
    try json.write(retweet_count, at: "retweet_count")
    try json.write(favorite_count, at: "favorite_count")
    try json.write(entities, at: "entities")
    try json.write(favorited, at: "favorited")
    try json.write(retweeted, at: "retweeted")
    try json.write(lang, at: "lang")
    try json.write(ifPresent: retweeted_status, at: "retweeted_status")
    try json.write(ifPresent: possibly_sensitive, at: "possibly_sensitive")
  }
}

extension Twitter.StatuseRetweetedStatus: JSONEncodable {
  func encode(into json: inout JSON.Builder) throws {
    try json.write(metadata, at: "metadata")
    try json.write(created_at, at: "created_at")
    try json.write(id, at: "id")
    try json.write(id_str, at: "id_str")
    try json.write(text, at: "text")
    try json.write(source, at: "source")
    try json.write(truncated, at: "truncated")
    try json.write(ifPresent: in_reply_to_status_id, at: "in_reply_to_status_id")
    try json.write(ifPresent: in_reply_to_status_id_str, at: "in_reply_to_status_id_str")
    try json.write(ifPresent: in_reply_to_user_id, at: "in_reply_to_user_id")
    try json.write(ifPresent: in_reply_to_user_id_str, at: "in_reply_to_user_id_str")
    try json.write(ifPresent: in_reply_to_screen_name, at: "in_reply_to_screen_name")
    try json.write(user, at: "user")
    try json.write(ifPresent: geo, at: "geo")
    try json.write(ifPresent: coordinates, at: "coordinates")
    try json.write(ifPresent: place, at: "place")
    try json.write(ifPresent: contributors, at: "contributors")
    try json.write(retweet_count, at: "retweet_count")
    try json.write(favorite_count, at: "favorite_count")
    try json.write(entities, at: "entities")
    try json.write(favorited, at: "favorited")
    try json.write(retweeted, at: "retweeted")
    try json.write(ifPresent: possibly_sensitive, at: "possibly_sensitive")
    try json.write(lang, at: "lang")
  }
}

extension Twitter.StatuseRetweetedStatusEntities: JSONEncodable {
  func encode(into json: inout JSON.Builder) throws {
    try json.write(hashtags, at: "hashtags")
    try json.write(symbols, at: "symbols")
    try json.write(urls, at: "urls")
    try json.write(user_mentions, at: "user_mentions")
    try json.write(ifPresent: media, at: "media")
  }
}

extension Twitter.StatuseRetweetedStatusEntitiesHashtag: JSONEncodable {
  func encode(into json: inout JSON.Builder) throws {
    try json.write(text, at: "text")
    try json.write(indices, at: "indices")
  }
}

extension Twitter.StatuseRetweetedStatusUser: JSONEncodable {
  func encode(into json: inout JSON.Builder) throws {
    try json.write(id, at: "id")
    try json.write(id_str, at: "id_str")
    try json.write(name, at: "name")
    try json.write(screen_name, at: "screen_name")
    try json.write(location, at: "location")
    try json.write(description, at: "description")
    try json.write(ifPresent: url, at: "url")
    try json.write(entities, at: "entities")
    try json.write(protected, at: "protected")
    try json.write(followers_count, at: "followers_count")
    try json.write(friends_count, at: "friends_count")
    try json.write(listed_count, at: "listed_count")
    try json.write(created_at, at: "created_at")
    try json.write(favourites_count, at: "favourites_count")
    try json.write(ifPresent: utc_offset, at: "utc_offset")
    try json.write(ifPresent: time_zone, at: "time_zone")
    try json.write(geo_enabled, at: "geo_enabled")
    try json.write(verified, at: "verified")
    try json.write(statuses_count, at: "statuses_count")
    try json.write(lang, at: "lang")
    try json.write(contributors_enabled, at: "contributors_enabled")
    try json.write(is_translator, at: "is_translator")
    try json.write(is_translation_enabled, at: "is_translation_enabled")
    try json.write(profile_background_color, at: "profile_background_color")
    try json.write(profile_background_image_url, at: "profile_background_image_url")
    try json.write(profile_background_image_url_https, at: "profile_background_image_url_https")
    try json.write(profile_background_tile, at: "profile_background_tile")
    try json.write(profile_image_url, at: "profile_image_url")
    try json.write(profile_image_url_https, at: "profile_image_url_https")
    try json.write(ifPresent: profile_banner_url, at: "profile_banner_url")
    try json.write(profile_link_color, at: "profile_link_color")
    try json.write(profile_sidebar_border_color, at: "profile_sidebar_border_color")
    try json.write(profile_sidebar_fill_color, at: "profile_sidebar_fill_color")
    try json.write(profile_text_color, at: "profile_text_color")
    try json.write(profile_use_background_image, at: "profile_use_background_image")
    try json.write(default_profile, at: "default_profile")
    try json.write(default_profile_image, at: "default_profile_image")
    try json.write(following, at: "following")
    try json.write(follow_request_sent, at: "follow_request_sent")
    try json.write(notifications, at: "notifications")
  }
}

extension Twitter.StatuseRetweetedStatusUserEntities: JSONEncodable {
  func encode(into json: inout JSON.Builder) throws {
    try json.write(description, at: "description")
    try json.write(ifPresent: url, at: "url")
  }
}

extension Twitter.StatuseRetweetedStatusUserEntitiesUrl: JSONEncodable {
  func encode(into json: inout JSON.Builder) throws {
    try json.write(urls, at: "urls")
  }
}

extension Twitter.StatuseRetweetedStatusUserEntitiesDescription: JSONEncodable {
  func encode(into json: inout JSON.Builder) throws {
    try json.write(urls, at: "urls")
  }
}

extension Twitter.StatuseRetweetedStatusMetadata: JSONEncodable {
  func encode(into json: inout JSON.Builder) throws {
    try json.write(result_type, at: "result_type")
    try json.write(iso_language_code, at: "iso_language_code")
  }
}

extension Twitter.StatuseEntities: JSONEncodable {
  func encode(into json: inout JSON.Builder) throws {
    try json.write(hashtags, at: "hashtags")
    try json.write(symbols, at: "symbols")
    try json.write(urls, at: "urls")
    try json.write(user_mentions, at: "user_mentions")
    try json.write(ifPresent: media, at: "media")
  }
}

extension Twitter.StatuseEntitiesMediaItem: JSONEncodable {
  func encode(into json: inout JSON.Builder) throws {
    try json.write(id, at: "id")
    try json.write(id_str, at: "id_str")
    try json.write(indices, at: "indices")
    try json.write(media_url, at: "media_url")
    try json.write(media_url_https, at: "media_url_https")
    try json.write(url, at: "url")
    try json.write(display_url, at: "display_url")
    try json.write(expanded_url, at: "expanded_url")
    try json.write(type, at: "type")
    try json.write(sizes, at: "sizes")
    try json.write(ifPresent: source_status_id, at: "source_status_id")
    try json.write(ifPresent: source_status_id_str, at: "source_status_id_str")
  }
}

extension Twitter.StatuseEntitiesMediaItemSizes: JSONEncodable {
  func encode(into json: inout JSON.Builder) throws {
    try json.write(medium, at: "medium")
    try json.write(small, at: "small")
    try json.write(thumb, at: "thumb")
    try json.write(large, at: "large")
  }
}

extension Twitter.StatuseEntitiesMediaItemSizesMedium: JSONEncodable {
  func encode(into json: inout JSON.Builder) throws {
    try json.write(w, at: "w")
    try json.write(h, at: "h")
    try json.write(resize, at: "resize")
  }
}

extension Twitter.StatuseEntitiesUserMention: JSONEncodable {
  func encode(into json: inout JSON.Builder) throws {
    try json.write(screen_name, at: "screen_name")
    try json.write(name, at: "name")
    try json.write(id, at: "id")
    try json.write(id_str, at: "id_str")
    try json.write(indices, at: "indices")
  }
}

extension Twitter.StatuseEntitiesHashtag: JSONEncodable {
  func encode(into json: inout JSON.Builder) throws {
    try json.write(text, at: "text")
    try json.write(indices, at: "indices")
  }
}

extension Twitter.StatuseUser: JSONEncodable {
  func encode(into json: inout JSON.Builder) throws {
    try json.write(id, at: "id")
    try json.write(id_str, at: "id_str")
    try json.write(name, at: "name")
    try json.write(screen_name, at: "screen_name")
    try json.write(location, at: "location")
    try json.write(description, at: "description")
    try json.write(ifPresent: url, at: "url")
    try json.write(entities, at: "entities")
    try json.write(protected, at: "protected")
    try json.write(followers_count, at: "followers_count")
    try json.write(friends_count, at: "friends_count")
    try json.write(listed_count, at: "listed_count")
    try json.write(created_at, at: "created_at")
    try json.write(favourites_count, at: "favourites_count")
    try json.write(ifPresent: utc_offset, at: "utc_offset")
    try json.write(ifPresent: time_zone, at: "time_zone")
    try json.write(geo_enabled, at: "geo_enabled")
    try json.write(verified, at: "verified")
    try json.write(statuses_count, at: "statuses_count")
    try json.write(lang, at: "lang")
    try json.write(contributors_enabled, at: "contributors_enabled")
    try json.write(is_translator, at: "is_translator")
    try json.write(is_translation_enabled, at: "is_translation_enabled")
    try json.write(profile_background_color, at: "profile_background_color")
    try json.write(profile_background_image_url, at: "profile_background_image_url")
    try json.write(profile_background_image_url_https, at: "profile_background_image_url_https")
    try json.write(profile_background_tile, at: "profile_background_tile")
    try json.write(profile_image_url, at: "profile_image_url")
    try json.write(profile_image_url_https, at: "profile_image_url_https")
    try json.write(ifPresent: profile_banner_url, at: "profile_banner_url")
    try json.write(profile_link_color, at: "profile_link_color")
    try json.write(profile_sidebar_border_color, at: "profile_sidebar_border_color")
    try json.write(profile_sidebar_fill_color, at: "profile_sidebar_fill_color")
    try json.write(profile_text_color, at: "profile_text_color")
    try json.write(profile_use_background_image, at: "profile_use_background_image")
    try json.write(default_profile, at: "default_profile")
    try json.write(default_profile_image, at: "default_profile_image")
    try json.write(following, at: "following")
    try json.write(follow_request_sent, at: "follow_request_sent")
    try json.write(notifications, at: "notifications")
  }
}

extension Twitter.StatuseUserEntities: JSONEncodable {
  func encode(into json: inout JSON.Builder) throws {
    try json.write(description, at: "description")
    try json.write(ifPresent: url, at: "url")
  }
}

extension Twitter.StatuseUserEntitiesUrl: JSONEncodable {
  func encode(into json: inout JSON.Builder) throws {
    try json.write(urls, at: "urls")
  }
}

extension Twitter.StatuseUserEntitiesDescription: JSONEncodable {
  func encode(into json: inout JSON.Builder) throws {
    try json.write(urls, at: "urls")
  }
}

extension Twitter.StatuseUserEntitiesDescriptionUrl: JSONEncodable {
  func encode(into json: inout JSON.Builder) throws {
    try json.write(url, at: "url")
    try json.write(expanded_url, at: "expanded_url")
    try json.write(display_url, at: "display_url")
    try json.write(indices, at: "indices")
  }
}

extension Twitter.StatuseMetadata: JSONEncodable {
  func encode(into json: inout JSON.Builder) throws {
    try json.write(result_type, at: "result_type")
    try json.write(iso_language_code, at: "iso_language_code")
  }
}
