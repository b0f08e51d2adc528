// simdjson On-Demand as a peer, which decodes only: see Peers/README.md.
#include <time.h>

#include <cstdio>
#include <cstring>
#include <iostream>
#include <string>

#include "models.h"

static double processor_seconds() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return double(time.tv_sec) + double(time.tv_nsec) / 1e9;
}

template <typename Model> static int serve(const char *file) {
  simdjson::padded_string text = simdjson::padded_string::load(file);
  simdjson::ondemand::parser parser;
  std::string line;
  while (std::getline(std::cin, line)) {
    if (line.rfind("decode", 0) != 0) {
      std::puts("");
      std::fflush(stdout);
      continue;
    }
    long count = line.size() > 7 ? std::stol(line.substr(7)) : 1;
    double start = processor_seconds();
    for (long i = 0; i < count; i++) {
      simdjson::ondemand::document document = parser.iterate(text);
      Model model;
      read(value(document.get_value()), model);
      asm volatile("" : : "g"(&model) : "memory");
    }
    std::printf("%.9e\n", (processor_seconds() - start) / double(count));
    std::fflush(stdout);
  }
  return 0;
}

int main(int, char **arguments) {
  std::string name = arguments[1];
  if (name == "twitter") return serve<twitter::Root>(arguments[2]);
  if (name == "citm_catalog") return serve<citm_catalog::Root>(arguments[2]);
  if (name == "canada") return serve<canada::Root>(arguments[2]);
  if (name == "github_events") return serve<github_events::Root>(arguments[2]);
  return serve<small_object::SmallObject>(arguments[2]);
}
