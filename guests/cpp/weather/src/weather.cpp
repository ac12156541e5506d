// The tools that the documentation of structured output shows, in C++.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <expected>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "weather_cpp.h"

namespace {

struct Reading {
  std::string_view city;
  std::int64_t whole;
  double exact;
};

constexpr std::array readings{
    Reading{"London", 17, 16.2}, Reading{"Cairo", 34, 34.1}, Reading{"Reykjavik", 4, 4.4}};

std::expected<Reading, wit::string> find(wit::string const &city) {
  auto const at = std::ranges::find(readings, city.get_view(), &Reading::city);
  if (at == readings.end()) {
    return std::unexpected(wit::string::from_view("no reading for " + city.to_string()));
  }
  return *at;
}

}  // namespace

namespace exports::example::weather::tools {

constexpr auto days_max = std::numeric_limits<std::size_t>::max() / sizeof(WeatherData);

static WeatherData overcast(double temperature) {
  return {temperature, 0.83, wit::string::from_view("Overcast")};
}

std::expected<int64_t, wit::string> GetTemperature(wit::string city) {
  return find(city).transform([](Reading const &reading) { return reading.whole; });
}

WeatherData GetWeatherTd(wit::string) { return overcast(16.2); }

WeatherData GetWeatherDc(wit::string) { return overcast(16.2); }

wit::vector<WeatherData> GetForecast(wit::string, int64_t days) {
  // `allocate` does not look whether there is room.
  auto const count = std::max<int64_t>(days, 0);
  if (std::cmp_greater(count, days_max)) {
    std::abort();
  }
  auto forecast = wit::vector<WeatherData>::allocate(static_cast<std::size_t>(count));
  if (forecast.data() == nullptr) {
    std::abort();
  }
  for (std::size_t day = 0; day < forecast.size(); ++day) {
    forecast.initialize(day, overcast(16.2 + static_cast<double>(day)));
  }
  return forecast;
}

std::expected<wit::unordered_map<wit::string, double>, wit::string> GetTemperatures(
    wit::vector<wit::string> cities) {
  // A city that is asked for twice has one entry.
  auto const first = [&](std::size_t at) {
    auto const asked = cities.get_view();
    return std::ranges::none_of(asked.first(at), [&](auto const &earlier) {
      return earlier.get_view() == asked[at].get_view();
    });
  };
  std::size_t count = 0;
  for (std::size_t at = 0; at < cities.size(); ++at) {
    if (auto const reading = find(cities[at]); !reading) {
      return std::unexpected(reading.error());
    }
    count += first(at);
  }
  auto temperatures = wit::unordered_map<wit::string, double>::allocate(count);
  for (std::size_t at = 0, entry = 0; at < cities.size(); ++at) {
    if (first(at)) {
      temperatures.initialize(entry++, {cities[at], find(cities[at])->exact});
    }
  }
  return temperatures;
}

wit::string WeatherReport(wit::string city) {
  return wit::string::from_view(city.to_string() +
                                ": 17 degrees, overcast, light rain easing by evening.");
}

}  // namespace exports::example::weather::tools

namespace exports::example::weather::described {

WeatherData GetWeather(wit::string) {
  return {16.2, 0.83, wit::string::from_view("Overcast")};
}

}  // namespace exports::example::weather::described
