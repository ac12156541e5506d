"""The same record as a dict."""

from typing import TypedDict


class WeatherData(TypedDict):
    temperature: float
    humidity: float
    conditions: str
