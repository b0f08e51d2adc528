// The models of the benchmark, every field typed: those of Sources/AnvilBench/Models.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "reading.h"

struct Nothing {};
inline void read(value, Nothing &) {}

namespace twitter {

struct StatuseMetadata {
  std::string result_type;
  std::string iso_language_code;
};
inline void read(value v, StatuseMetadata &out) {
  object o = v.get_object();
  read_member(o, "result_type", out.result_type);
  read_member(o, "iso_language_code", out.iso_language_code);
}

struct StatuseUserEntitiesDescriptionUrl {
  std::string url;
  std::string expanded_url;
  std::string display_url;
  std::vector<int64_t> indices;
};
inline void read(value v, StatuseUserEntitiesDescriptionUrl &out) {
  object o = v.get_object();
  read_member(o, "url", out.url);
  read_member(o, "expanded_url", out.expanded_url);
  read_member(o, "display_url", out.display_url);
  read_member(o, "indices", out.indices);
}

struct StatuseUserEntitiesDescription {
  std::vector<StatuseUserEntitiesDescriptionUrl> urls;
};
inline void read(value v, StatuseUserEntitiesDescription &out) {
  object o = v.get_object();
  read_member(o, "urls", out.urls);
}

struct StatuseUserEntitiesUrl {
  std::vector<StatuseUserEntitiesDescriptionUrl> urls;
};
inline void read(value v, StatuseUserEntitiesUrl &out) {
  object o = v.get_object();
  read_member(o, "urls", out.urls);
}

struct StatuseUserEntities {
  StatuseUserEntitiesDescription description;
  std::optional<StatuseUserEntitiesUrl> url;
};
inline void read(value v, StatuseUserEntities &out) {
  object o = v.get_object();
  read_member(o, "description", out.description);
  read_member(o, "url", out.url);
}

struct StatuseUser {
  int64_t id;
  std::string id_str;
  std::string name;
  std::string screen_name;
  std::string location;
  std::string description;
  std::optional<std::string> url;
  StatuseUserEntities entities;
  bool protected_;
  int64_t followers_count;
  int64_t friends_count;
  int64_t listed_count;
  std::string created_at;
  int64_t favourites_count;
  std::optional<int64_t> utc_offset;
  std::optional<std::string> time_zone;
  bool geo_enabled;
  bool verified;
  int64_t statuses_count;
  std::string lang;
  bool contributors_enabled;
  bool is_translator;
  bool is_translation_enabled;
  std::string profile_background_color;
  std::string profile_background_image_url;
  std::string profile_background_image_url_https;
  bool profile_background_tile;
  std::string profile_image_url;
  std::string profile_image_url_https;
  std::optional<std::string> profile_banner_url;
  std::string profile_link_color;
  std::string profile_sidebar_border_color;
  std::string profile_sidebar_fill_color;
  std::string profile_text_color;
  bool profile_use_background_image;
  bool default_profile;
  bool default_profile_image;
  bool following;
  bool follow_request_sent;
  bool notifications;
};
inline void read(value v, StatuseUser &out) {
  object o = v.get_object();
  read_member(o, "id", out.id);
  read_member(o, "id_str", out.id_str);
  read_member(o, "name", out.name);
  read_member(o, "screen_name", out.screen_name);
  read_member(o, "location", out.location);
  read_member(o, "description", out.description);
  read_member(o, "url", out.url);
  read_member(o, "entities", out.entities);
  read_member(o, "protected", out.protected_);
  read_member(o, "followers_count", out.followers_count);
  read_member(o, "friends_count", out.friends_count);
  read_member(o, "listed_count", out.listed_count);
  read_member(o, "created_at", out.created_at);
  read_member(o, "favourites_count", out.favourites_count);
  read_member(o, "utc_offset", out.utc_offset);
  read_member(o, "time_zone", out.time_zone);
  read_member(o, "geo_enabled", out.geo_enabled);
  read_member(o, "verified", out.verified);
  read_member(o, "statuses_count", out.statuses_count);
  read_member(o, "lang", out.lang);
  read_member(o, "contributors_enabled", out.contributors_enabled);
  read_member(o, "is_translator", out.is_translator);
  read_member(o, "is_translation_enabled", out.is_translation_enabled);
  read_member(o, "profile_background_color", out.profile_background_color);
  read_member(o, "profile_background_image_url", out.profile_background_image_url);
  read_member(o, "profile_background_image_url_https", out.profile_background_image_url_https);
  read_member(o, "profile_background_tile", out.profile_background_tile);
  read_member(o, "profile_image_url", out.profile_image_url);
  read_member(o, "profile_image_url_https", out.profile_image_url_https);
  read_member(o, "profile_banner_url", out.profile_banner_url);
  read_member(o, "profile_link_color", out.profile_link_color);
  read_member(o, "profile_sidebar_border_color", out.profile_sidebar_border_color);
  read_member(o, "profile_sidebar_fill_color", out.profile_sidebar_fill_color);
  read_member(o, "profile_text_color", out.profile_text_color);
  read_member(o, "profile_use_background_image", out.profile_use_background_image);
  read_member(o, "default_profile", out.default_profile);
  read_member(o, "default_profile_image", out.default_profile_image);
  read_member(o, "following", out.following);
  read_member(o, "follow_request_sent", out.follow_request_sent);
  read_member(o, "notifications", out.notifications);
}

struct StatuseEntitiesHashtag {
  std::string text;
  std::vector<int64_t> indices;
};
inline void read(value v, StatuseEntitiesHashtag &out) {
  object o = v.get_object();
  read_member(o, "text", out.text);
  read_member(o, "indices", out.indices);
}

struct StatuseEntitiesUserMention {
  std::string screen_name;
  std::string name;
  int64_t id;
  std::string id_str;
  std::vector<int64_t> indices;
};
inline void read(value v, StatuseEntitiesUserMention &out) {
  object o = v.get_object();
  read_member(o, "screen_name", out.screen_name);
  read_member(o, "name", out.name);
  read_member(o, "id", out.id);
  read_member(o, "id_str", out.id_str);
  read_member(o, "indices", out.indices);
}

struct StatuseEntitiesMediaItemSizesMedium {
  int64_t w;
  int64_t h;
  std::string resize;
};
inline void read(value v, StatuseEntitiesMediaItemSizesMedium &out) {
  object o = v.get_object();
  read_member(o, "w", out.w);
  read_member(o, "h", out.h);
  read_member(o, "resize", out.resize);
}

struct StatuseEntitiesMediaItemSizes {
  StatuseEntitiesMediaItemSizesMedium medium;
  StatuseEntitiesMediaItemSizesMedium small;
  StatuseEntitiesMediaItemSizesMedium thumb;
  StatuseEntitiesMediaItemSizesMedium large;
};
inline void read(value v, StatuseEntitiesMediaItemSizes &out) {
  object o = v.get_object();
  read_member(o, "medium", out.medium);
  read_member(o, "small", out.small);
  read_member(o, "thumb", out.thumb);
  read_member(o, "large", out.large);
}

struct StatuseEntitiesMediaItem {
  int64_t id;
  std::string id_str;
  std::vector<int64_t> indices;
  std::string media_url;
  std::string media_url_https;
  std::string url;
  std::string display_url;
  std::string expanded_url;
  std::string type;
  StatuseEntitiesMediaItemSizes sizes;
  std::optional<int64_t> source_status_id;
  std::optional<std::string> source_status_id_str;
};
inline void read(value v, StatuseEntitiesMediaItem &out) {
  object o = v.get_object();
  read_member(o, "id", out.id);
  read_member(o, "id_str", out.id_str);
  read_member(o, "indices", out.indices);
  read_member(o, "media_url", out.media_url);
  read_member(o, "media_url_https", out.media_url_https);
  read_member(o, "url", out.url);
  read_member(o, "display_url", out.display_url);
  read_member(o, "expanded_url", out.expanded_url);
  read_member(o, "type", out.type);
  read_member(o, "sizes", out.sizes);
  read_member(o, "source_status_id", out.source_status_id);
  read_member(o, "source_status_id_str", out.source_status_id_str);
}

struct StatuseEntities {
  std::vector<StatuseEntitiesHashtag> hashtags;
  std::vector<Nothing> symbols;
  std::vector<StatuseUserEntitiesDescriptionUrl> urls;
  std::vector<StatuseEntitiesUserMention> user_mentions;
  std::optional<std::vector<StatuseEntitiesMediaItem>> media;
};
inline void read(value v, StatuseEntities &out) {
  object o = v.get_object();
  read_member(o, "hashtags", out.hashtags);
  read_member(o, "symbols", out.symbols);
  read_member(o, "urls", out.urls);
  read_member(o, "user_mentions", out.user_mentions);
  read_member(o, "media", out.media);
}

struct StatuseRetweetedStatusMetadata {
  std::string result_type;
  std::string iso_language_code;
};
inline void read(value v, StatuseRetweetedStatusMetadata &out) {
  object o = v.get_object();
  read_member(o, "result_type", out.result_type);
  read_member(o, "iso_language_code", out.iso_language_code);
}

struct StatuseRetweetedStatusUserEntitiesDescription {
  std::vector<StatuseUserEntitiesDescriptionUrl> urls;
};
inline void read(value v, StatuseRetweetedStatusUserEntitiesDescription &out) {
  object o = v.get_object();
  read_member(o, "urls", out.urls);
}

struct StatuseRetweetedStatusUserEntitiesUrl {
  std::vector<StatuseUserEntitiesDescriptionUrl> urls;
};
inline void read(value v, StatuseRetweetedStatusUserEntitiesUrl &out) {
  object o = v.get_object();
  read_member(o, "urls", out.urls);
}

struct StatuseRetweetedStatusUserEntities {
  StatuseRetweetedStatusUserEntitiesDescription description;
  std::optional<StatuseRetweetedStatusUserEntitiesUrl> url;
};
inline void read(value v, StatuseRetweetedStatusUserEntities &out) {
  object o = v.get_object();
  read_member(o, "description", out.description);
  read_member(o, "url", out.url);
}

struct StatuseRetweetedStatusUser {
  int64_t id;
  std::string id_str;
  std::string name;
  std::string screen_name;
  std::string location;
  std::string description;
  std::optional<std::string> url;
  StatuseRetweetedStatusUserEntities entities;
  bool protected_;
  int64_t followers_count;
  int64_t friends_count;
  int64_t listed_count;
  std::string created_at;
  int64_t favourites_count;
  std::optional<int64_t> utc_offset;
  std::optional<std::string> time_zone;
  bool geo_enabled;
  bool verified;
  int64_t statuses_count;
  std::string lang;
  bool contributors_enabled;
  bool is_translator;
  bool is_translation_enabled;
  std::string profile_background_color;
  std::string profile_background_image_url;
  std::string profile_background_image_url_https;
  bool profile_background_tile;
  std::string profile_image_url;
  std::string profile_image_url_https;
  std::optional<std::string> profile_banner_url;
  std::string profile_link_color;
  std::string profile_sidebar_border_color;
  std::string profile_sidebar_fill_color;
  std::string profile_text_color;
  bool profile_use_background_image;
  bool default_profile;
  bool default_profile_image;
  bool following;
  bool follow_request_sent;
  bool notifications;
};
inline void read(value v, StatuseRetweetedStatusUser &out) {
  object o = v.get_object();
  read_member(o, "id", out.id);
  read_member(o, "id_str", out.id_str);
  read_member(o, "name", out.name);
  read_member(o, "screen_name", out.screen_name);
  read_member(o, "location", out.location);
  read_member(o, "description", out.description);
  read_member(o, "url", out.url);
  read_member(o, "entities", out.entities);
  read_member(o, "protected", out.protected_);
  read_member(o, "followers_count", out.followers_count);
  read_member(o, "friends_count", out.friends_count);
  read_member(o, "listed_count", out.listed_count);
  read_member(o, "created_at", out.created_at);
  read_member(o, "favourites_count", out.favourites_count);
  read_member(o, "utc_offset", out.utc_offset);
  read_member(o, "time_zone", out.time_zone);
  read_member(o, "geo_enabled", out.geo_enabled);
  read_member(o, "verified", out.verified);
  read_member(o, "statuses_count", out.statuses_count);
  read_member(o, "lang", out.lang);
  read_member(o, "contributors_enabled", out.contributors_enabled);
  read_member(o, "is_translator", out.is_translator);
  read_member(o, "is_translation_enabled", out.is_translation_enabled);
  read_member(o, "profile_background_color", out.profile_background_color);
  read_member(o, "profile_background_image_url", out.profile_background_image_url);
  read_member(o, "profile_background_image_url_https", out.profile_background_image_url_https);
  read_member(o, "profile_background_tile", out.profile_background_tile);
  read_member(o, "profile_image_url", out.profile_image_url);
  read_member(o, "profile_image_url_https", out.profile_image_url_https);
  read_member(o, "profile_banner_url", out.profile_banner_url);
  read_member(o, "profile_link_color", out.profile_link_color);
  read_member(o, "profile_sidebar_border_color", out.profile_sidebar_border_color);
  read_member(o, "profile_sidebar_fill_color", out.profile_sidebar_fill_color);
  read_member(o, "profile_text_color", out.profile_text_color);
  read_member(o, "profile_use_background_image", out.profile_use_background_image);
  read_member(o, "default_profile", out.default_profile);
  read_member(o, "default_profile_image", out.default_profile_image);
  read_member(o, "following", out.following);
  read_member(o, "follow_request_sent", out.follow_request_sent);
  read_member(o, "notifications", out.notifications);
}

struct StatuseRetweetedStatusEntitiesHashtag {
  std::string text;
  std::vector<int64_t> indices;
};
inline void read(value v, StatuseRetweetedStatusEntitiesHashtag &out) {
  object o = v.get_object();
  read_member(o, "text", out.text);
  read_member(o, "indices", out.indices);
}

struct StatuseRetweetedStatusEntities {
  std::vector<StatuseRetweetedStatusEntitiesHashtag> hashtags;
  std::vector<Nothing> symbols;
  std::vector<StatuseUserEntitiesDescriptionUrl> urls;
  std::vector<StatuseEntitiesUserMention> user_mentions;
  std::optional<std::vector<StatuseEntitiesMediaItem>> media;
};
inline void read(value v, StatuseRetweetedStatusEntities &out) {
  object o = v.get_object();
  read_member(o, "hashtags", out.hashtags);
  read_member(o, "symbols", out.symbols);
  read_member(o, "urls", out.urls);
  read_member(o, "user_mentions", out.user_mentions);
  read_member(o, "media", out.media);
}

struct StatuseRetweetedStatus {
  StatuseRetweetedStatusMetadata metadata;
  std::string created_at;
  int64_t id;
  std::string id_str;
  std::string text;
  std::string source;
  bool truncated;
  std::optional<int64_t> in_reply_to_status_id;
  std::optional<std::string> in_reply_to_status_id_str;
  std::optional<int64_t> in_reply_to_user_id;
  std::optional<std::string> in_reply_to_user_id_str;
  std::optional<std::string> in_reply_to_screen_name;
  StatuseRetweetedStatusUser user;
  std::optional<Nothing> geo;
  std::optional<Nothing> coordinates;
  std::optional<Nothing> place;
  std::optional<Nothing> contributors;
  int64_t retweet_count;
  int64_t favorite_count;
  StatuseRetweetedStatusEntities entities;
  bool favorited;
  bool retweeted;
  std::optional<bool> possibly_sensitive;
  std::string lang;
};
inline void read(value v, StatuseRetweetedStatus &out) {
  object o = v.get_object();
  read_member(o, "metadata", out.metadata);
  read_member(o, "created_at", out.created_at);
  read_member(o, "id", out.id);
  read_member(o, "id_str", out.id_str);
  read_member(o, "text", out.text);
  read_member(o, "source", out.source);
  read_member(o, "truncated", out.truncated);
  read_member(o, "in_reply_to_status_id", out.in_reply_to_status_id);
  read_member(o, "in_reply_to_status_id_str", out.in_reply_to_status_id_str);
  read_member(o, "in_reply_to_user_id", out.in_reply_to_user_id);
  read_member(o, "in_reply_to_user_id_str", out.in_reply_to_user_id_str);
  read_member(o, "in_reply_to_screen_name", out.in_reply_to_screen_name);
  read_member(o, "user", out.user);
  read_member(o, "geo", out.geo);
  read_member(o, "coordinates", out.coordinates);
  read_member(o, "place", out.place);
  read_member(o, "contributors", out.contributors);
  read_member(o, "retweet_count", out.retweet_count);
  read_member(o, "favorite_count", out.favorite_count);
  read_member(o, "entities", out.entities);
  read_member(o, "favorited", out.favorited);
  read_member(o, "retweeted", out.retweeted);
  read_member(o, "possibly_sensitive", out.possibly_sensitive);
  read_member(o, "lang", out.lang);
}

struct Statuse {
  StatuseMetadata metadata;
  std::string created_at;
  int64_t id;
  std::string id_str;
  std::string text;
  std::string source;
  bool truncated;
  std::optional<int64_t> in_reply_to_status_id;
  std::optional<std::string> in_reply_to_status_id_str;
  std::optional<int64_t> in_reply_to_user_id;
  std::optional<std::string> in_reply_to_user_id_str;
  std::optional<std::string> in_reply_to_screen_name;
  StatuseUser user;
  std::optional<Nothing> geo;
  std::optional<Nothing> coordinates;
  std::optional<Nothing> place;
  std::optional<Nothing> contributors;
  int64_t retweet_count;
  int64_t favorite_count;
  StatuseEntities entities;
  bool favorited;
  bool retweeted;
  std::string lang;
  std::optional<StatuseRetweetedStatus> retweeted_status;
  std::optional<bool> possibly_sensitive;
};
inline void read(value v, Statuse &out) {
  object o = v.get_object();
  read_member(o, "metadata", out.metadata);
  read_member(o, "created_at", out.created_at);
  read_member(o, "id", out.id);
  read_member(o, "id_str", out.id_str);
  read_member(o, "text", out.text);
  read_member(o, "source", out.source);
  read_member(o, "truncated", out.truncated);
  read_member(o, "in_reply_to_status_id", out.in_reply_to_status_id);
  read_member(o, "in_reply_to_status_id_str", out.in_reply_to_status_id_str);
  read_member(o, "in_reply_to_user_id", out.in_reply_to_user_id);
  read_member(o, "in_reply_to_user_id_str", out.in_reply_to_user_id_str);
  read_member(o, "in_reply_to_screen_name", out.in_reply_to_screen_name);
  read_member(o, "user", out.user);
  read_member(o, "geo", out.geo);
  read_member(o, "coordinates", out.coordinates);
  read_member(o, "place", out.place);
  read_member(o, "contributors", out.contributors);
  read_member(o, "retweet_count", out.retweet_count);
  read_member(o, "favorite_count", out.favorite_count);
  read_member(o, "entities", out.entities);
  read_member(o, "favorited", out.favorited);
  read_member(o, "retweeted", out.retweeted);
  read_member(o, "lang", out.lang);
  read_member(o, "retweeted_status", out.retweeted_status);
  read_member(o, "possibly_sensitive", out.possibly_sensitive);
}

struct SearchMetadata {
  double completed_in;
  int64_t max_id;
  std::string max_id_str;
  std::string next_results;
  std::string query;
  std::string refresh_url;
  int64_t count;
  int64_t since_id;
  std::string since_id_str;
};
inline void read(value v, SearchMetadata &out) {
  object o = v.get_object();
  read_member(o, "completed_in", out.completed_in);
  read_member(o, "max_id", out.max_id);
  read_member(o, "max_id_str", out.max_id_str);
  read_member(o, "next_results", out.next_results);
  read_member(o, "query", out.query);
  read_member(o, "refresh_url", out.refresh_url);
  read_member(o, "count", out.count);
  read_member(o, "since_id", out.since_id);
  read_member(o, "since_id_str", out.since_id_str);
}

struct Root {
  std::vector<Statuse> statuses;
  SearchMetadata search_metadata;
};
inline void read(value v, Root &out) {
  object o = v.get_object();
  read_member(o, "statuses", out.statuses);
  read_member(o, "search_metadata", out.search_metadata);
}

}  // namespace twitter

namespace citm_catalog {

struct EventsValue {
  std::optional<Nothing> description;
  int64_t id;
  std::optional<std::string> logo;
  std::string name;
  std::vector<int64_t> subTopicIds;
  std::optional<Nothing> subjectCode;
  std::optional<Nothing> subtitle;
  std::vector<int64_t> topicIds;
};
inline void read(value v, EventsValue &out) {
  object o = v.get_object();
  read_member(o, "description", out.description);
  read_member(o, "id", out.id);
  read_member(o, "logo", out.logo);
  read_member(o, "name", out.name);
  read_member(o, "subTopicIds", out.subTopicIds);
  read_member(o, "subjectCode", out.subjectCode);
  read_member(o, "subtitle", out.subtitle);
  read_member(o, "topicIds", out.topicIds);
}

struct PerformancePrice {
  int64_t amount;
  int64_t audienceSubCategoryId;
  int64_t seatCategoryId;
};
inline void read(value v, PerformancePrice &out) {
  object o = v.get_object();
  read_member(o, "amount", out.amount);
  read_member(o, "audienceSubCategoryId", out.audienceSubCategoryId);
  read_member(o, "seatCategoryId", out.seatCategoryId);
}

struct PerformanceSeatCategorieArea {
  int64_t areaId;
  std::vector<Nothing> blockIds;
};
inline void read(value v, PerformanceSeatCategorieArea &out) {
  object o = v.get_object();
  read_member(o, "areaId", out.areaId);
  read_member(o, "blockIds", out.blockIds);
}

struct PerformanceSeatCategorie {
  std::vector<PerformanceSeatCategorieArea> areas;
  int64_t seatCategoryId;
};
inline void read(value v, PerformanceSeatCategorie &out) {
  object o = v.get_object();
  read_member(o, "areas", out.areas);
  read_member(o, "seatCategoryId", out.seatCategoryId);
}

struct Performance {
  int64_t eventId;
  int64_t id;
  std::optional<std::string> logo;
  std::optional<Nothing> name;
  std::vector<PerformancePrice> prices;
  std::vector<PerformanceSeatCategorie> seatCategories;
  std::optional<Nothing> seatMapImage;
  int64_t start;
  std::string venueCode;
};
inline void read(value v, Performance &out) {
  object o = v.get_object();
  read_member(o, "eventId", out.eventId);
  read_member(o, "id", out.id);
  read_member(o, "logo", out.logo);
  read_member(o, "name", out.name);
  read_member(o, "prices", out.prices);
  read_member(o, "seatCategories", out.seatCategories);
  read_member(o, "seatMapImage", out.seatMapImage);
  read_member(o, "start", out.start);
  read_member(o, "venueCode", out.venueCode);
}

struct SubjectNames {
};
inline void read(value, SubjectNames &) {
}

struct VenueNames {
  std::string PLEYEL_PLEYEL;
};
inline void read(value v, VenueNames &out) {
  object o = v.get_object();
  read_member(o, "PLEYEL_PLEYEL", out.PLEYEL_PLEYEL);
}

struct Root {
  std::unordered_map<std::string, std::string> areaNames;
  std::unordered_map<std::string, std::string> audienceSubCategoryNames;
  std::unordered_map<std::string, Nothing> blockNames;
  std::unordered_map<std::string, EventsValue> events;
  std::vector<Performance> performances;
  std::unordered_map<std::string, std::string> seatCategoryNames;
  std::unordered_map<std::string, std::string> subTopicNames;
  SubjectNames subjectNames;
  std::unordered_map<std::string, std::string> topicNames;
  std::unordered_map<std::string, std::vector<int64_t>> topicSubTopics;
  VenueNames venueNames;
};
inline void read(value v, Root &out) {
  object o = v.get_object();
  read_member(o, "areaNames", out.areaNames);
  read_member(o, "audienceSubCategoryNames", out.audienceSubCategoryNames);
  read_member(o, "blockNames", out.blockNames);
  read_member(o, "events", out.events);
  read_member(o, "performances", out.performances);
  read_member(o, "seatCategoryNames", out.seatCategoryNames);
  read_member(o, "subTopicNames", out.subTopicNames);
  read_member(o, "subjectNames", out.subjectNames);
  read_member(o, "topicNames", out.topicNames);
  read_member(o, "topicSubTopics", out.topicSubTopics);
  read_member(o, "venueNames", out.venueNames);
}

}  // namespace citm_catalog

namespace canada {

struct FeatureProperties {
  std::string name;
};
inline void read(value v, FeatureProperties &out) {
  object o = v.get_object();
  read_member(o, "name", out.name);
}

struct FeatureGeometry {
  std::string type;
  std::vector<std::vector<std::vector<double>>> coordinates;
};
inline void read(value v, FeatureGeometry &out) {
  object o = v.get_object();
  read_member(o, "type", out.type);
  read_member(o, "coordinates", out.coordinates);
}

struct Feature {
  std::string type;
  FeatureProperties properties;
  FeatureGeometry geometry;
};
inline void read(value v, Feature &out) {
  object o = v.get_object();
  read_member(o, "type", out.type);
  read_member(o, "properties", out.properties);
  read_member(o, "geometry", out.geometry);
}

struct Root {
  std::string type;
  std::vector<Feature> features;
};
inline void read(value v, Root &out) {
  object o = v.get_object();
  read_member(o, "type", out.type);
  read_member(o, "features", out.features);
}

}  // namespace canada

namespace github_events {

struct RootItemActor {
  std::string gravatar_id;
  std::string login;
  std::string avatar_url;
  std::string url;
  int64_t id;
};
inline void read(value v, RootItemActor &out) {
  object o = v.get_object();
  read_member(o, "gravatar_id", out.gravatar_id);
  read_member(o, "login", out.login);
  read_member(o, "avatar_url", out.avatar_url);
  read_member(o, "url", out.url);
  read_member(o, "id", out.id);
}

struct RootItemRepo {
  std::string url;
  int64_t id;
  std::string name;
};
inline void read(value v, RootItemRepo &out) {
  object o = v.get_object();
  read_member(o, "url", out.url);
  read_member(o, "id", out.id);
  read_member(o, "name", out.name);
}

struct RootItemPayloadCommitAuthor {
  std::string email;
  std::string name;
};
inline void read(value v, RootItemPayloadCommitAuthor &out) {
  object o = v.get_object();
  read_member(o, "email", out.email);
  read_member(o, "name", out.name);
}

struct RootItemPayloadCommit {
  std::string url;
  std::string message;
  bool distinct;
  std::string sha;
  RootItemPayloadCommitAuthor author;
};
inline void read(value v, RootItemPayloadCommit &out) {
  object o = v.get_object();
  read_member(o, "url", out.url);
  read_member(o, "message", out.message);
  read_member(o, "distinct", out.distinct);
  read_member(o, "sha", out.sha);
  read_member(o, "author", out.author);
}

struct RootItemPayloadForkeeOwner {
  std::string url;
  std::string gists_url;
  std::string gravatar_id;
  std::string type;
  std::string avatar_url;
  std::string subscriptions_url;
  std::string organizations_url;
  std::string received_events_url;
  std::string repos_url;
  std::string login;
  int64_t id;
  std::string starred_url;
  std::string events_url;
  std::string followers_url;
  std::string following_url;
};
inline void read(value v, RootItemPayloadForkeeOwner &out) {
  object o = v.get_object();
  read_member(o, "url", out.url);
  read_member(o, "gists_url", out.gists_url);
  read_member(o, "gravatar_id", out.gravatar_id);
  read_member(o, "type", out.type);
  read_member(o, "avatar_url", out.avatar_url);
  read_member(o, "subscriptions_url", out.subscriptions_url);
  read_member(o, "organizations_url", out.organizations_url);
  read_member(o, "received_events_url", out.received_events_url);
  read_member(o, "repos_url", out.repos_url);
  read_member(o, "login", out.login);
  read_member(o, "id", out.id);
  read_member(o, "starred_url", out.starred_url);
  read_member(o, "events_url", out.events_url);
  read_member(o, "followers_url", out.followers_url);
  read_member(o, "following_url", out.following_url);
}

struct RootItemPayloadForkee {
  std::string description;
  bool fork;
  std::string url;
  std::string language;
  std::string stargazers_url;
  std::string clone_url;
  std::string tags_url;
  std::string full_name;
  std::string merges_url;
  int64_t forks;
  bool private_;
  std::string git_refs_url;
  std::string archive_url;
  std::string collaborators_url;
  RootItemPayloadForkeeOwner owner;
  std::string languages_url;
  std::string trees_url;
  std::string labels_url;
  std::string html_url;
  std::string pushed_at;
  std::string created_at;
  bool has_issues;
  std::string forks_url;
  std::string branches_url;
  std::string commits_url;
  std::string notifications_url;
  int64_t open_issues;
  std::string contents_url;
  std::string blobs_url;
  std::string issues_url;
  std::string compare_url;
  std::string issue_events_url;
  std::string name;
  std::string updated_at;
  std::string statuses_url;
  int64_t forks_count;
  std::string assignees_url;
  std::string ssh_url;
  bool public_;
  bool has_wiki;
  std::string subscribers_url;
  std::optional<Nothing> mirror_url;
  int64_t watchers_count;
  int64_t id;
  bool has_downloads;
  std::string git_commits_url;
  std::string downloads_url;
  std::string pulls_url;
  std::optional<std::string> homepage;
  std::string issue_comment_url;
  std::string hooks_url;
  std::string subscription_url;
  std::string milestones_url;
  std::string svn_url;
  std::string events_url;
  std::string git_tags_url;
  std::string teams_url;
  std::string comments_url;
  int64_t open_issues_count;
  std::string keys_url;
  std::string git_url;
  std::string contributors_url;
  int64_t size;
  int64_t watchers;
};
inline void read(value v, RootItemPayloadForkee &out) {
  object o = v.get_object();
  read_member(o, "description", out.description);
  read_member(o, "fork", out.fork);
  read_member(o, "url", out.url);
  read_member(o, "language", out.language);
  read_member(o, "stargazers_url", out.stargazers_url);
  read_member(o, "clone_url", out.clone_url);
  read_member(o, "tags_url", out.tags_url);
  read_member(o, "full_name", out.full_name);
  read_member(o, "merges_url", out.merges_url);
  read_member(o, "forks", out.forks);
  read_member(o, "private", out.private_);
  read_member(o, "git_refs_url", out.git_refs_url);
  read_member(o, "archive_url", out.archive_url);
  read_member(o, "collaborators_url", out.collaborators_url);
  read_member(o, "owner", out.owner);
  read_member(o, "languages_url", out.languages_url);
  read_member(o, "trees_url", out.trees_url);
  read_member(o, "labels_url", out.labels_url);
  read_member(o, "html_url", out.html_url);
  read_member(o, "pushed_at", out.pushed_at);
  read_member(o, "created_at", out.created_at);
  read_member(o, "has_issues", out.has_issues);
  read_member(o, "forks_url", out.forks_url);
  read_member(o, "branches_url", out.branches_url);
  read_member(o, "commits_url", out.commits_url);
  read_member(o, "notifications_url", out.notifications_url);
  read_member(o, "open_issues", out.open_issues);
  read_member(o, "contents_url", out.contents_url);
  read_member(o, "blobs_url", out.blobs_url);
  read_member(o, "issues_url", out.issues_url);
  read_member(o, "compare_url", out.compare_url);
  read_member(o, "issue_events_url", out.issue_events_url);
  read_member(o, "name", out.name);
  read_member(o, "updated_at", out.updated_at);
  read_member(o, "statuses_url", out.statuses_url);
  read_member(o, "forks_count", out.forks_count);
  read_member(o, "assignees_url", out.assignees_url);
  read_member(o, "ssh_url", out.ssh_url);
  read_member(o, "public", out.public_);
  read_member(o, "has_wiki", out.has_wiki);
  read_member(o, "subscribers_url", out.subscribers_url);
  read_member(o, "mirror_url", out.mirror_url);
  read_member(o, "watchers_count", out.watchers_count);
  read_member(o, "id", out.id);
  read_member(o, "has_downloads", out.has_downloads);
  read_member(o, "git_commits_url", out.git_commits_url);
  read_member(o, "downloads_url", out.downloads_url);
  read_member(o, "pulls_url", out.pulls_url);
  read_member(o, "homepage", out.homepage);
  read_member(o, "issue_comment_url", out.issue_comment_url);
  read_member(o, "hooks_url", out.hooks_url);
  read_member(o, "subscription_url", out.subscription_url);
  read_member(o, "milestones_url", out.milestones_url);
  read_member(o, "svn_url", out.svn_url);
  read_member(o, "events_url", out.events_url);
  read_member(o, "git_tags_url", out.git_tags_url);
  read_member(o, "teams_url", out.teams_url);
  read_member(o, "comments_url", out.comments_url);
  read_member(o, "open_issues_count", out.open_issues_count);
  read_member(o, "keys_url", out.keys_url);
  read_member(o, "git_url", out.git_url);
  read_member(o, "contributors_url", out.contributors_url);
  read_member(o, "size", out.size);
  read_member(o, "watchers", out.watchers);
}

struct RootItemPayloadIssueUser {
  std::string url;
  std::string gists_url;
  std::string gravatar_id;
  std::string type;
  std::string avatar_url;
  std::string subscriptions_url;
  std::string received_events_url;
  std::string organizations_url;
  std::string repos_url;
  std::string login;
  int64_t id;
  std::string starred_url;
  std::string events_url;
  std::string followers_url;
  std::string following_url;
};
inline void read(value v, RootItemPayloadIssueUser &out) {
  object o = v.get_object();
  read_member(o, "url", out.url);
  read_member(o, "gists_url", out.gists_url);
  read_member(o, "gravatar_id", out.gravatar_id);
  read_member(o, "type", out.type);
  read_member(o, "avatar_url", out.avatar_url);
  read_member(o, "subscriptions_url", out.subscriptions_url);
  read_member(o, "received_events_url", out.received_events_url);
  read_member(o, "organizations_url", out.organizations_url);
  read_member(o, "repos_url", out.repos_url);
  read_member(o, "login", out.login);
  read_member(o, "id", out.id);
  read_member(o, "starred_url", out.starred_url);
  read_member(o, "events_url", out.events_url);
  read_member(o, "followers_url", out.followers_url);
  read_member(o, "following_url", out.following_url);
}

struct RootItemPayloadIssuePullRequest {
  std::optional<Nothing> html_url;
  std::optional<Nothing> patch_url;
  std::optional<Nothing> diff_url;
};
inline void read(value v, RootItemPayloadIssuePullRequest &out) {
  object o = v.get_object();
  read_member(o, "html_url", out.html_url);
  read_member(o, "patch_url", out.patch_url);
  read_member(o, "diff_url", out.diff_url);
}

struct RootItemPayloadIssue {
  RootItemPayloadIssueUser user;
  std::string url;
  std::vector<Nothing> labels;
  std::string html_url;
  std::string labels_url;
  RootItemPayloadIssuePullRequest pull_request;
  std::string created_at;
  std::optional<std::string> closed_at;
  std::optional<Nothing> milestone;
  std::string title;
  std::string body;
  std::string updated_at;
  int64_t number;
  std::string state;
  std::optional<RootItemPayloadForkeeOwner> assignee;
  int64_t id;
  std::string events_url;
  std::string comments_url;
  int64_t comments;
};
inline void read(value v, RootItemPayloadIssue &out) {
  object o = v.get_object();
  read_member(o, "user", out.user);
  read_member(o, "url", out.url);
  read_member(o, "labels", out.labels);
  read_member(o, "html_url", out.html_url);
  read_member(o, "labels_url", out.labels_url);
  read_member(o, "pull_request", out.pull_request);
  read_member(o, "created_at", out.created_at);
  read_member(o, "closed_at", out.closed_at);
  read_member(o, "milestone", out.milestone);
  read_member(o, "title", out.title);
  read_member(o, "body", out.body);
  read_member(o, "updated_at", out.updated_at);
  read_member(o, "number", out.number);
  read_member(o, "state", out.state);
  read_member(o, "assignee", out.assignee);
  read_member(o, "id", out.id);
  read_member(o, "events_url", out.events_url);
  read_member(o, "comments_url", out.comments_url);
  read_member(o, "comments", out.comments);
}

struct RootItemPayloadComment {
  RootItemPayloadIssueUser user;
  std::string url;
  std::string issue_url;
  std::string created_at;
  std::string body;
  std::string updated_at;
  int64_t id;
};
inline void read(value v, RootItemPayloadComment &out) {
  object o = v.get_object();
  read_member(o, "user", out.user);
  read_member(o, "url", out.url);
  read_member(o, "issue_url", out.issue_url);
  read_member(o, "created_at", out.created_at);
  read_member(o, "body", out.body);
  read_member(o, "updated_at", out.updated_at);
  read_member(o, "id", out.id);
}

struct RootItemPayloadPage {
  std::string page_name;
  std::string html_url;
  std::string title;
  std::string sha;
  std::optional<Nothing> summary;
  std::string action;
};
inline void read(value v, RootItemPayloadPage &out) {
  object o = v.get_object();
  read_member(o, "page_name", out.page_name);
  read_member(o, "html_url", out.html_url);
  read_member(o, "title", out.title);
  read_member(o, "sha", out.sha);
  read_member(o, "summary", out.summary);
  read_member(o, "action", out.action);
}

struct RootItemPayload {
  std::optional<std::vector<RootItemPayloadCommit>> commits;
  std::optional<int64_t> distinct_size;
  std::optional<std::string> ref;
  std::optional<int64_t> push_id;
  std::optional<std::string> head;
  std::optional<std::string> before;
  std::optional<int64_t> size;
  std::optional<std::string> description;
  std::optional<std::string> master_branch;
  std::optional<std::string> ref_type;
  std::optional<RootItemPayloadForkee> forkee;
  std::optional<std::string> action;
  std::optional<RootItemPayloadIssue> issue;
  std::optional<RootItemPayloadComment> comment;
  std::optional<std::vector<RootItemPayloadPage>> pages;
};
inline void read(value v, RootItemPayload &out) {
  object o = v.get_object();
  read_member(o, "commits", out.commits);
  read_member(o, "distinct_size", out.distinct_size);
  read_member(o, "ref", out.ref);
  read_member(o, "push_id", out.push_id);
  read_member(o, "head", out.head);
  read_member(o, "before", out.before);
  read_member(o, "size", out.size);
  read_member(o, "description", out.description);
  read_member(o, "master_branch", out.master_branch);
  read_member(o, "ref_type", out.ref_type);
  read_member(o, "forkee", out.forkee);
  read_member(o, "action", out.action);
  read_member(o, "issue", out.issue);
  read_member(o, "comment", out.comment);
  read_member(o, "pages", out.pages);
}

struct RootItem {
  std::string type;
  std::string created_at;
  RootItemActor actor;
  RootItemRepo repo;
  bool public_;
  RootItemPayload payload;
  std::string id;
  std::optional<RootItemActor> org;
};
inline void read(value v, RootItem &out) {
  object o = v.get_object();
  read_member(o, "type", out.type);
  read_member(o, "created_at", out.created_at);
  read_member(o, "actor", out.actor);
  read_member(o, "repo", out.repo);
  read_member(o, "public", out.public_);
  read_member(o, "payload", out.payload);
  read_member(o, "id", out.id);
  read_member(o, "org", out.org);
}

using Root = std::vector<RootItem>;

}  // namespace github_events

namespace small_object {

struct Owner {
  std::string login;
  int64_t id;
  std::string url;
  bool site_admin;
};
inline void read(value v, Owner &out) {
  object o = v.get_object();
  read_member(o, "login", out.login);
  read_member(o, "id", out.id);
  read_member(o, "url", out.url);
  read_member(o, "site_admin", out.site_admin);
}

struct SmallObject {
  int64_t id;
  std::string name;
  std::string full_name;
  Owner owner;
  std::optional<std::string> description;
  bool fork;
  int64_t stars;
  double score;
  std::optional<std::string> language;
  std::vector<std::string> topics;
  bool archived;
  int64_t size;
};
inline void read(value v, SmallObject &out) {
  object o = v.get_object();
  read_member(o, "id", out.id);
  read_member(o, "name", out.name);
  read_member(o, "full_name", out.full_name);
  read_member(o, "owner", out.owner);
  read_member(o, "description", out.description);
  read_member(o, "fork", out.fork);
  read_member(o, "stars", out.stars);
  read_member(o, "score", out.score);
  read_member(o, "language", out.language);
  read_member(o, "topics", out.topics);
  read_member(o, "archived", out.archived);
  read_member(o, "size", out.size);
}

}  // namespace small_object
