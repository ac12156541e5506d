// Package export_example_weather_tools is what the component exports as example:weather/tools: the
// tools that the documentation of structured output shows, in Go.
package export_example_weather_tools

import (
	. "go.bytecodealliance.org/pkg/wit/types"
	. "wit_component/example_weather_tools"
)

type reading struct {
	whole int64
	exact float64
}

var readings = map[string]reading{
	"London":    {17, 16.2},
	"Cairo":     {34, 34.1},
	"Reykjavik": {4, 4.4},
}

func overcast(temperature float64) WeatherData {
	return WeatherData{Temperature: temperature, Humidity: 0.83, Conditions: "Overcast"}
}

func GetTemperature(city string) Result[int64, string] {
	reading, found := readings[city]
	if !found {
		return Err[int64, string]("no reading for " + city)
	}
	return Ok[int64, string](reading.whole)
}

func GetWeatherTd(string) WeatherData {
	return overcast(16.2)
}

func GetWeatherDc(string) WeatherData {
	return overcast(16.2)
}

func GetForecast(_ string, days int64) []WeatherData {
	forecast := make([]WeatherData, max(days, 0))
	for day := range forecast {
		forecast[day] = overcast(16.2 + float64(day))
	}
	return forecast
}

func GetTemperatures(cities []string) Result[[]Tuple2[string, float64], string] {
	type temperatures = []Tuple2[string, float64]
	var given temperatures
	seen := map[string]bool{}
	for _, city := range cities {
		reading, found := readings[city]
		if !found {
			return Err[temperatures, string]("no reading for " + city)
		}
		// A city that is asked for twice has one entry.
		if !seen[city] {
			seen[city] = true
			given = append(given, Tuple2[string, float64]{F0: city, F1: reading.exact})
		}
	}
	return Ok[temperatures, string](given)
}

func WeatherReport(city string) string {
	return city + ": 17 degrees, overcast, light rain easing by evening."
}
