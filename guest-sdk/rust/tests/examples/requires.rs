portcullis_guest::requires! {
    http: ["api.weather.example:443"],
    directories: [read_only("/stations"), read_write("/cache")],
    environment: ["TZ"],
    secrets: ["weather-key"],
    client: [elicit_form],
}
