"""The tools that the documentation of structured output shows, one for each form that a result
can have."""

from dataclasses import dataclass

import described
import plain

from portcullis import Full, MCPServer, parse_json

mcp = MCPServer("Weather")

READINGS = {"London": 17, "Cairo": 34, "Reykjavik": 4}
EXACT_READINGS = {"London": 16.2, "Cairo": 34.1, "Reykjavik": 4.4}
UPSTREAM = {"London": '{"temperature": 16.2, "conditions": "Overcast"}'}


@mcp.tool()
def get_temperature(city: str) -> int:
    """Current temperature in a city, in whole degrees Celsius."""
    return READINGS[city]


@dataclass
class WeatherData:
    temperature: float
    humidity: float
    conditions: str


@mcp.tool()
def get_weather(city: str) -> described.WeatherData:
    """Current weather for a city."""
    return described.WeatherData(temperature=16.2, humidity=0.83, conditions="Overcast")


@mcp.tool()
def get_weather_td(city: str) -> plain.WeatherData:
    """Current weather for a city."""
    return plain.WeatherData(temperature=16.2, humidity=0.83, conditions="Overcast")


@mcp.tool()
def get_weather_dc(city: str) -> WeatherData:
    """Current weather for a city."""
    return WeatherData(temperature=16.2, humidity=0.83, conditions="Overcast")


@mcp.tool()
def get_forecast(city: str, days: int) -> list[WeatherData]:
    """Daily forecast for a city."""
    return [
        WeatherData(temperature=16.2 + day, humidity=0.83, conditions="Overcast")
        for day in range(days)
    ]


@mcp.tool()
def get_temperatures(cities: list[str]) -> dict[str, float]:
    """Current temperature for each city, in degrees Celsius."""
    return {city: EXACT_READINGS[city] for city in cities}


@mcp.tool()
def get_weather_bad(city: str) -> WeatherData:
    """Current weather for a city."""
    return parse_json(UPSTREAM[city])


@mcp.tool(structured_output=False)
def weather_report(city: str) -> str:
    """A human-readable weather report for a city."""
    return f"{city}: 17 degrees, overcast, light rain easing by evening."


@mcp.tool()
def get_weather_with_meta(city: str) -> Full[WeatherData]:
    """Current weather for a city, with where the reading comes from."""
    return Full(
        WeatherData(temperature=16.2, humidity=0.83, conditions="Overcast"),
        meta={"station": f"{city.lower()}-1", "source": {"name": "hourly", "age_minutes": 12}},
    )
