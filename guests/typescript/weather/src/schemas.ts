/** The record of a day's weather, bare and with its fields described. */
import type { FromSchema } from "@portcullis/guest";

export const WeatherData = {
  title: "WeatherData",
  type: "object",
  properties: {
    temperature: { type: "number" },
    humidity: { type: "number" },
    conditions: { type: "string" },
  },
  required: ["temperature", "humidity", "conditions"],
} as const;

export const DescribedWeather = {
  title: "WeatherData",
  type: "object",
  properties: {
    temperature: { type: "number", description: "Degrees Celsius." },
    humidity: { type: "number", description: "Relative humidity, 0 to 1." },
    conditions: { type: "string" },
  },
  required: ["temperature", "humidity", "conditions"],
} as const;

export type Weather = FromSchema<typeof WeatherData>;
