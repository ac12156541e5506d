"""The record of the page, spelled in its other ways. All are called WeatherData, as they were."""

import dataclasses
import typing

from portcullis import Field, Model


class WeatherData(Model):
    temperature: float = Field(description="Degrees Celsius.")
    humidity: float = Field(description="Relative humidity, 0 to 1.")
    conditions: str


Described = WeatherData


class WeatherData(typing.TypedDict):  # noqa: F811
    temperature: float
    humidity: float
    conditions: str


Dict = WeatherData


@dataclasses.dataclass
class WeatherData:  # noqa: F811
    temperature: float
    humidity: float
    conditions: str


Dataclass = WeatherData
