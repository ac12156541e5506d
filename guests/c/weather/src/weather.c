// The tools that the documentation of structured output shows, in C.

#include <stdlib.h>
#include <string.h>

#include "weather.h"

typedef exports_example_weather_tools_weather_data_t weather_data;
typedef exports_example_weather_described_weather_data_t described_weather_data;

static const struct {
  const char *city;
  int64_t whole;
  double exact;
} READINGS[] = {{"London", 17, 16.2}, {"Cairo", 34, 34.1}, {"Reykjavik", 4, 4.4}};

enum { READING_COUNT = sizeof READINGS / sizeof READINGS[0] };

// The index of a city's reading, or READING_COUNT.
static size_t find(const weather_string_t *city) {
  size_t at = 0;
  while (at < READING_COUNT && (strlen(READINGS[at].city) != city->len ||
                                memcmp(READINGS[at].city, city->ptr, city->len) != 0)) {
    at++;
  }
  return at;
}

// What a function gives is freed by the bindings, and so is never a literal.
static void *allocate(uint64_t count, size_t size) {
  void *memory = count <= SIZE_MAX ? calloc((size_t)count, size) : NULL;
  if (memory == NULL && count > 0) {
    abort();
  }
  return memory;
}

// `before`, `middle` and `after` as one string.
static void join(const char *before, const weather_string_t *middle, const char *after,
                 weather_string_t *ret) {
  size_t before_len = strlen(before), after_len = strlen(after);
  ret->len = before_len + middle->len + after_len;
  ret->ptr = allocate(ret->len, 1);
  memcpy(ret->ptr, before, before_len);
  memcpy(ret->ptr + before_len, middle->ptr, middle->len);
  memcpy(ret->ptr + before_len + middle->len, after, after_len);
}

static void overcast(double temperature, weather_data *ret) {
  ret->temperature = temperature;
  ret->humidity = 0.83;
  weather_string_dup(&ret->conditions, "Overcast");
}

bool exports_example_weather_tools_get_temperature(weather_string_t *city, int64_t *ret,
                                                   weather_string_t *err) {
  size_t at = find(city);
  if (at < READING_COUNT) {
    *ret = READINGS[at].whole;
  } else {
    join("no reading for ", city, "", err);
  }
  weather_string_free(city);
  return at < READING_COUNT;
}

void exports_example_weather_tools_get_weather_td(weather_string_t *city, weather_data *ret) {
  weather_string_free(city);
  overcast(16.2, ret);
}

void exports_example_weather_tools_get_weather_dc(weather_string_t *city, weather_data *ret) {
  weather_string_free(city);
  overcast(16.2, ret);
}

void exports_example_weather_tools_get_forecast(
    weather_string_t *city, int64_t days, exports_example_weather_tools_list_weather_data_t *ret) {
  weather_string_free(city);
  uint64_t count = days > 0 ? (uint64_t)days : 0;
  ret->ptr = allocate(count, sizeof *ret->ptr);
  ret->len = (size_t)count;
  for (size_t day = 0; day < ret->len; day++) {
    overcast(16.2 + (double)day, &ret->ptr[day]);
  }
}

bool exports_example_weather_tools_get_temperatures(weather_list_string_t *cities,
                                                    weather_map_string_f64_t *ret,
                                                    weather_string_t *err) {
  // A city that is asked for twice has one entry.
  bool seen[READING_COUNT] = {false};
  bool found = true;
  ret->len = 0;
  ret->ptr = allocate(READING_COUNT, sizeof *ret->ptr);
  for (size_t i = 0; found && i < cities->len; i++) {
    size_t at = find(&cities->ptr[i]);
    found = at < READING_COUNT;
    if (!found) {
      join("no reading for ", &cities->ptr[i], "", err);
    } else if (!seen[at]) {
      seen[at] = true;
      weather_map_string_f64_entry_t *entry = &ret->ptr[ret->len++];
      weather_string_dup(&entry->key, READINGS[at].city);
      entry->value = READINGS[at].exact;
    }
  }
  if (!found) {
    weather_map_string_f64_free(ret);
  }
  weather_list_string_free(cities);
  return found;
}

void exports_example_weather_tools_weather_report(weather_string_t *city, weather_string_t *ret) {
  join("", city, ": 17 degrees, overcast, light rain easing by evening.", ret);
  weather_string_free(city);
}

void exports_example_weather_described_get_weather(weather_string_t *city,
                                                   described_weather_data *ret) {
  weather_string_free(city);
  ret->temperature = 16.2;
  ret->humidity = 0.83;
  weather_string_dup(&ret->conditions, "Overcast");
}
