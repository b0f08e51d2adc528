import AnvilJSON

extension Twitter.Root: JSONWritable {
  func write(to writer: inout JSON.Writer) {
    writer.object { members in
      members.write("statuses", statuses)
      members.write("search_metadata", search_metadata)
    }
  }
}

extension Twitter.SearchMetadata: JSONWritable {
  func write(to writer: inout JSON.Writer) {
    writer.object { members in
      members.write("completed_in", completed_in)
      members.write("max_id", max_id)
      members.write("max_id_str", max_id_str)
      members.write("next_results", next_results)
      members.write("query", query)
      members.write("refresh_url", refresh_url)
      members.write("count", count)
      members.write("since_id", since_id)
      members.write("since_id_str", since_id_str)
    }
  }
}

extension Twitter.Statuse: JSONWritable {
  func write(to writer: inout JSON.Writer) {
    writer.object { members in
      members.write("metadata", metadata)
      members.write("created_at", created_at)
      members.write("id", id)
      members.write("id_str", id_str)
      members.write("text", text)
      members.write("source", source)
      members.write("truncated", truncated)
      members.write("in_reply_to_status_id", ifPresent: in_reply_to_status_id)
      members.write("in_reply_to_status_id_str", ifPresent: in_reply_to_status_id_str)
      members.write("in_reply_to_user_id", ifPresent: in_reply_to_user_id)
      members.write("in_reply_to_user_id_str", ifPresent: in_reply_to_user_id_str)
      members.write("in_reply_to_screen_name", ifPresent: in_reply_to_screen_name)
      members.write("user", user)
      members.write("geo", ifPresent: geo)
      members.write("coordinates", ifPresent: coordinates)
      members.write("place", ifPresent: place)
      members.write("contributors", ifPresent: contributors)
      members.write("retweet_count", retweet_count)
      members.write("favorite_count", favorite_count)
      members.write("entities", entities)
      members.write("favorited", favorited)
      members.write("retweeted", retweeted)
      members.write("lang", lang)
      members.write("retweeted_status", ifPresent: retweeted_status)
      members.write("possibly_sensitive", ifPresent: possibly_sensitive)
    }
  }
}

extension Twitter.StatuseRetweetedStatus: JSONWritable {
  func write(to writer: inout JSON.Writer) {
    writer.object { members in
      members.write("metadata", metadata)
      members.write("created_at", created_at)
      members.write("id", id)
      members.write("id_str", id_str)
      members.write("text", text)
      members.write("source", source)
      members.write("truncated", truncated)
      members.write("in_reply_to_status_id", ifPresent: in_reply_to_status_id)
      members.write("in_reply_to_status_id_str", ifPresent: in_reply_to_status_id_str)
      members.write("in_reply_to_user_id", ifPresent: in_reply_to_user_id)
      members.write("in_reply_to_user_id_str", ifPresent: in_reply_to_user_id_str)
      members.write("in_reply_to_screen_name", ifPresent: in_reply_to_screen_name)
      members.write("user", user)
      members.write("geo", ifPresent: geo)
      members.write("coordinates", ifPresent: coordinates)
      members.write("place", ifPresent: place)
      members.write("contributors", ifPresent: contributors)
      members.write("retweet_count", retweet_count)
      members.write("favorite_count", favorite_count)
      members.write("entities", entities)
      members.write("favorited", favorited)
      members.write("retweeted", retweeted)
      members.write("possibly_sensitive", ifPresent: possibly_sensitive)
      members.write("lang", lang)
    }
  }
}

extension Twitter.StatuseRetweetedStatusEntities: JSONWritable {
  func write(to writer: inout JSON.Writer) {
    writer.object { members in
      members.write("hashtags", hashtags)
      members.write("symbols", symbols)
      members.write("urls", urls)
      members.write("user_mentions", user_mentions)
      members.write("media", ifPresent: media)
    }
  }
}

extension Twitter.StatuseRetweetedStatusEntitiesHashtag: JSONWritable {
  func write(to writer: inout JSON.Writer) {
    writer.object { members in
      members.write("text", text)
      members.write("indices", indices)
    }
  }
}

extension Twitter.StatuseRetweetedStatusUser: JSONWritable {
  func write(to writer: inout JSON.Writer) {
    writer.object { members in
      members.write("id", id)
      members.write("id_str", id_str)
      members.write("name", name)
      members.write("screen_name", screen_name)
      members.write("location", location)
      members.write("description", description)
      members.write("url", ifPresent: url)
      members.write("entities", entities)
      members.write("protected", protected)
      members.write("followers_count", followers_count)
      members.write("friends_count", friends_count)
      members.write("listed_count", listed_count)
      members.write("created_at", created_at)
      members.write("favourites_count", favourites_count)
      members.write("utc_offset", ifPresent: utc_offset)
      members.write("time_zone", ifPresent: time_zone)
      members.write("geo_enabled", geo_enabled)
      members.write("verified", verified)
      members.write("statuses_count", statuses_count)
      members.write("lang", lang)
      members.write("contributors_enabled", contributors_enabled)
      members.write("is_translator", is_translator)
      members.write("is_translation_enabled", is_translation_enabled)
      members.write("profile_background_color", profile_background_color)
      members.write("profile_background_image_url", profile_background_image_url)
      members.write("profile_background_image_url_https", profile_background_image_url_https)
      members.write("profile_background_tile", profile_background_tile)
      members.write("profile_image_url", profile_image_url)
      members.write("profile_image_url_https", profile_image_url_https)
      members.write("profile_banner_url", ifPresent: profile_banner_url)
      members.write("profile_link_color", profile_link_color)
      members.write("profile_sidebar_border_color", profile_sidebar_border_color)
      members.write("profile_sidebar_fill_color", profile_sidebar_fill_color)
      members.write("profile_text_color", profile_text_color)
      members.write("profile_use_background_image", profile_use_background_image)
      members.write("default_profile", default_profile)
      members.write("default_profile_image", default_profile_image)
      members.write("following", following)
      members.write("follow_request_sent", follow_request_sent)
      members.write("notifications", notifications)
    }
  }
}

extension Twitter.StatuseRetweetedStatusUserEntities: JSONWritable {
  func write(to writer: inout JSON.Writer) {
    writer.object { members in
      members.write("description", description)
      members.write("url", ifPresent: url)
    }
  }
}

extension Twitter.StatuseRetweetedStatusUserEntitiesUrl: JSONWritable {
  func write(to writer: inout JSON.Writer) {
    writer.object { members in
      members.write("urls", urls)
    }
  }
}

extension Twitter.StatuseRetweetedStatusUserEntitiesDescription: JSONWritable {
  func write(to writer: inout JSON.Writer) {
    writer.object { members in
      members.write("urls", urls)
    }
  }
}

extension Twitter.StatuseRetweetedStatusMetadata: JSONWritable {
  func write(to writer: inout JSON.Writer) {
    writer.object { members in
      members.write("result_type", result_type)
      members.write("iso_language_code", iso_language_code)
    }
  }
}

extension Twitter.StatuseEntities: JSONWritable {
  func write(to writer: inout JSON.Writer) {
    writer.object { members in
      members.write("hashtags", hashtags)
      members.write("symbols", symbols)
      members.write("urls", urls)
      members.write("user_mentions", user_mentions)
      members.write("media", ifPresent: media)
    }
  }
}

extension Twitter.StatuseEntitiesMediaItem: JSONWritable {
  func write(to writer: inout JSON.Writer) {
    writer.object { members in
      members.write("id", id)
      members.write("id_str", id_str)
      members.write("indices", indices)
      members.write("media_url", media_url)
      members.write("media_url_https", media_url_https)
      members.write("url", url)
      members.write("display_url", display_url)
      members.write("expanded_url", expanded_url)
      members.write("type", type)
      members.write("sizes", sizes)
      members.write("source_status_id", ifPresent: source_status_id)
      members.write("source_status_id_str", ifPresent: source_status_id_str)
    }
  }
}

extension Twitter.StatuseEntitiesMediaItemSizes: JSONWritable {
  func write(to writer: inout JSON.Writer) {
    writer.object { members in
      members.write("medium", medium)
      members.write("small", small)
      members.write("thumb", thumb)
      members.write("large", large)
    }
  }
}

extension Twitter.StatuseEntitiesMediaItemSizesMedium: JSONWritable {
  func write(to writer: inout JSON.Writer) {
    writer.object { members in
      members.write("w", w)
      members.write("h", h)
      members.write("resize", resize)
    }
  }
}

extension Twitter.StatuseEntitiesUserMention: JSONWritable {
  func write(to writer: inout JSON.Writer) {
    writer.object { members in
      members.write("screen_name", screen_name)
      members.write("name", name)
      members.write("id", id)
      members.write("id_str", id_str)
      members.write("indices", indices)
    }
  }
}

extension Twitter.StatuseEntitiesHashtag: JSONWritable {
  func write(to writer: inout JSON.Writer) {
    writer.object { members in
      members.write("text", text)
      members.write("indices", indices)
    }
  }
}

extension Twitter.StatuseUser: JSONWritable {
  func write(to writer: inout JSON.Writer) {
    writer.object { members in
      members.write("id", id)
      members.write("id_str", id_str)
      members.write("name", name)
      members.write("screen_name", screen_name)
      members.write("location", location)
      members.write("description", description)
      members.write("url", ifPresent: url)
      members.write("entities", entities)
      members.write("protected", protected)
      members.write("followers_count", followers_count)
      members.write("friends_count", friends_count)
      members.write("listed_count", listed_count)
      members.write("created_at", created_at)
      members.write("favourites_count", favourites_count)
      members.write("utc_offset", ifPresent: utc_offset)
      members.write("time_zone", ifPresent: time_zone)
      members.write("geo_enabled", geo_enabled)
      members.write("verified", verified)
      members.write("statuses_count", statuses_count)
      members.write("lang", lang)
      members.write("contributors_enabled", contributors_enabled)
      members.write("is_translator", is_translator)
      members.write("is_translation_enabled", is_translation_enabled)
      members.write("profile_background_color", profile_background_color)
      members.write("profile_background_image_url", profile_background_image_url)
      members.write("profile_background_image_url_https", profile_background_image_url_https)
      members.write("profile_background_tile", profile_background_tile)
      members.write("profile_image_url", profile_image_url)
      members.write("profile_image_url_https", profile_image_url_https)
      members.write("profile_banner_url", ifPresent: profile_banner_url)
      members.write("profile_link_color", profile_link_color)
      members.write("profile_sidebar_border_color", profile_sidebar_border_color)
      members.write("profile_sidebar_fill_color", profile_sidebar_fill_color)
      members.write("profile_text_color", profile_text_color)
      members.write("profile_use_background_image", profile_use_background_image)
      members.write("default_profile", default_profile)
      members.write("default_profile_image", default_profile_image)
      members.write("following", following)
      members.write("follow_request_sent", follow_request_sent)
      members.write("notifications", notifications)
    }
  }
}

extension Twitter.StatuseUserEntities: JSONWritable {
  func write(to writer: inout JSON.Writer) {
    writer.object { members in
      members.write("description", description)
      members.write("url", ifPresent: url)
    }
  }
}

extension Twitter.StatuseUserEntitiesUrl: JSONWritable {
  func write(to writer: inout JSON.Writer) {
    writer.object { members in
      members.write("urls", urls)
    }
  }
}

extension Twitter.StatuseUserEntitiesDescription: JSONWritable {
  func write(to writer: inout JSON.Writer) {
    writer.object { members in
      members.write("urls", urls)
    }
  }
}

extension Twitter.StatuseUserEntitiesDescriptionUrl: JSONWritable {
  func write(to writer: inout JSON.Writer) {
    writer.object { members in
      members.write("url", url)
      members.write("expanded_url", expanded_url)
      members.write("display_url", display_url)
      members.write("indices", indices)
    }
  }
}

extension Twitter.StatuseMetadata: JSONWritable {
  func write(to writer: inout JSON.Writer) {
    writer.object { members in
      members.write("result_type", result_type)
      members.write("iso_language_code", iso_language_code)
    }
  }
}

extension Nothing: JSONWritable {
  func write(to writer: inout JSON.Writer) {
    writer.object { _ in }
  }
}
