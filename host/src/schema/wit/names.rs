//! From names in WIT to published names.
//!
//! Two names that a reader would take for one are never published side by side.

use std::collections::HashMap;

use super::Refused;

/// A function, a parameter or a field: `wind-speed` becomes `wind_speed`. Letters keep their
/// case, so that an acronym such as `HTTP` stays one.
pub(super) fn snake(wit_name: &str) -> String {
    wit_name.replace('-', "_")
}

/// A type: `weather-data` becomes `WeatherData`.
pub(super) fn pascal(wit_name: &str) -> String {
    let mut name = String::with_capacity(wit_name.len());
    for word in wit_name.split('-') {
        let mut letters = word.chars();
        name.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        name.push_str(letters.as_str());
    }
    name
}

/// What two names have in common if a reader takes them for one: case and separators aside.
pub(super) fn folded(name: &str) -> String {
    name.to_ascii_lowercase().replace('-', "_")
}

/// Checks that no two of `names`, which are in WIT, look alike as published.
///
/// # Errors
/// [`Refused::Alike`] with the first two that do.
pub(super) fn distinct<'a>(
    what: &'static str,
    owner: &str,
    names: impl Iterator<Item = &'a str>,
) -> Result<(), Refused> {
    let mut seen: HashMap<String, &str> = HashMap::new();
    for name in names {
        if let Some(other) = seen.insert(folded(name), name) {
            return Err(Refused::alike(what, owner, other, name));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kebab_becomes_snake_and_pascal() {
        for (wit, in_snake, in_pascal) in [
            ("get-weather", "get_weather", "GetWeather"),
            ("x", "x", "X"),
            ("HTTP-url", "HTTP_url", "HTTPUrl"),
            ("page2-of-3", "page2_of_3", "Page2Of3"),
        ] {
            assert_eq!((snake(wit).as_str(), pascal(wit).as_str()), (in_snake, in_pascal));
        }
    }

    #[test]
    fn names_that_differ_in_case_alone_are_refused_and_both_are_named() {
        assert!(distinct("fields", "`pair`", ["a-b", "ab", "b-a"].into_iter()).is_ok());
        let error = distinct("fields", "`pair`", ["a-b", "c", "A-b"].into_iter()).unwrap_err();
        let text = "the fields `a-b` and `A-b` of `pair` look alike as published; rename one";
        assert_eq!(error.to_string(), text);
    }
}
