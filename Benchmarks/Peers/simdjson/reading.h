// Reads values of On-Demand as C++ types.
#pragma once

#include <simdjson.h>

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

using simdjson::ondemand::object;
using simdjson::ondemand::value;

inline void read(value v, std::string &out) { out = std::string_view(v.get_string()); }
inline void read(value v, int64_t &out) { out = v.get_int64(); }
inline void read(value v, double &out) { out = v.get_double(); }
inline void read(value v, bool &out) { out = v.get_bool(); }

template <typename T> void read(value v, std::optional<T> &out);
template <typename T> void read(value v, std::unordered_map<std::string, T> &out);

template <typename T> void read(value v, std::vector<T> &out) {
  for (value element : v.get_array()) read(element, out.emplace_back());
}

template <typename T> void read(value v, std::optional<T> &out) {
  if (!bool(v.is_null())) read(v, out.emplace());
}

template <typename T> void read(value v, std::unordered_map<std::string, T> &out) {
  for (auto field : v.get_object()) {
    std::string_view key = field.unescaped_key();
    read(field.value(), out[std::string(key)]);
  }
}

/// A member that must be there. Keys are asked for in the order in which they mostly stand.
template <typename T> void read_member(object &o, std::string_view key, T &out) {
  read(value(o.find_field_unordered(key)), out);
}

template <typename T> void read_member(object &o, std::string_view key, std::optional<T> &out) {
  value v;
  if (o.find_field_unordered(key).get(v) == simdjson::SUCCESS) read(v, out);
}
