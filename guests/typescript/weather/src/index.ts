/**
 * The tools that the documentation of structured output shows, one for each form that a result can
 * have; the same as guests/rust/weather.
 */
import { dynamicJson, full, tool } from "@portcullis/guest";

import { DescribedWeather, type Weather, WeatherData } from "./schemas.js";

const WHOLE_READINGS = new Map([
  ["London", 17],
  ["Cairo", 34],
  ["Reykjavik", 4],
]);
const READINGS = new Map([
  ["London", 16.2],
  ["Cairo", 34.1],
  ["Reykjavik", 4.4],
]);
const UPSTREAM = new Map([["London", '{"temperature": 16.2, "conditions": "Overcast"}']]);

const City = { type: "object", properties: { city: { type: "string" } }, required: ["city"] } as const;

tool("get_temperature", {
  description: "Current temperature in a city, in whole degrees Celsius.",
  input: City,
  output: { type: "integer" },
  run: ({ city }) => lookup(WHOLE_READINGS, city),
});

tool("get_weather", {
  description: "Current weather for a city.",
  input: City,
  output: DescribedWeather,
  run: () => overcast(16.2),
});

tool("get_weather_td", {
  description: "Current weather for a city.",
  input: City,
  output: WeatherData,
  run: () => overcast(16.2),
});

tool("get_weather_dc", {
  description: "Current weather for a city.",
  input: City,
  output: WeatherData,
  run: () => overcast(16.2),
});

tool("get_forecast", {
  description: "Daily forecast for a city.",
  input: {
    type: "object",
    properties: { city: { type: "string" }, days: { type: "integer" } },
    required: ["city", "days"],
  },
  output: { $defs: { WeatherData }, type: "array", items: { $ref: "#/$defs/WeatherData" } },
  run: ({ days }) => Array.from({ length: days }, (_, day) => overcast(16.2 + day)),
});

tool("get_temperatures", {
  description: "Current temperature for each city, in degrees Celsius.",
  input: {
    type: "object",
    properties: { cities: { type: "array", items: { type: "string" } } },
    required: ["cities"],
  },
  output: { type: "object", additionalProperties: { type: "number" } },
  run: ({ cities }) => Object.fromEntries(cities.map((city) => [city, lookup(READINGS, city)])),
});

tool("get_weather_bad", {
  description: "Current weather for a city.",
  input: City,
  output: WeatherData,
  run: ({ city }) => dynamicJson(lookup(UPSTREAM, city)),
});

tool("weather_report", {
  description: "A human-readable weather report for a city.",
  input: City,
  output: "content",
  run: ({ city }) => `${city}: 17 degrees, overcast, light rain easing by evening.`,
});

tool("get_weather_with_meta", {
  description: "Current weather for a city, with where the reading comes from.",
  input: City,
  output: WeatherData,
  run: ({ city }) =>
    full(overcast(16.2), {
      meta: { station: `${city.toLowerCase()}-1`, source: { name: "hourly", age_minutes: 12 } },
    }),
});

function overcast(temperature: number): Weather {
  return { temperature, humidity: 0.83, conditions: "Overcast" };
}

function lookup<T>(readings: ReadonlyMap<string, T>, city: string): T {
  const reading = readings.get(city);
  if (reading === undefined) throw new Error(`no reading for ${city}`);
  return reading;
}
