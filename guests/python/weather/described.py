"""A record whose fields are described."""

from portcullis import Field
from portcullis import Model as BaseModel


class WeatherData(BaseModel):
    temperature: float = Field(description="Degrees Celsius.")
    humidity: float = Field(description="Relative humidity, 0 to 1.")
    conditions: str
