// Package export_example_weather_described is what the component exports as
// example:weather/described.
package export_example_weather_described

import . "wit_component/example_weather_described"

func GetWeather(string) WeatherData {
	return WeatherData{Temperature: 16.2, Humidity: 0.83, Conditions: "Overcast"}
}
