//! Why a value fits no arm of a union, or too many.
//!
//! Where one arm is clearly meant, only that arm's problems are told.

use serde_json::{Map, Value};

use super::evaluate::Evaluator;
use super::kinds::Kinds;
use super::mismatch::Problem;
use super::{references, wording};

impl<'s> Evaluator<'s> {
    /// The problems of a value with the `anyOf` or, if `exclusive`, `oneOf` of `schema`.
    pub(super) fn union(
        &mut self,
        schema: &'s Map<String, Value>,
        arms: &'s [Value],
        exclusive: bool,
        value: &Value,
    ) -> Vec<Problem> {
        let found: Vec<_> = arms.iter().map(|arm| self.check(arm, value)).collect();
        match found.iter().filter(|problems| problems.is_empty()).count() {
            0 => {}
            1 => return Vec::new(),
            _more if !exclusive => return Vec::new(),
            count => {
                let message = format!("Input should fit one of the cases, and fits {count}");
                return vec![Problem::new(message)];
            }
        }
        let candidates: Vec<_> = arms
            .iter()
            .zip(found)
            .filter(|(arm, _)| !is_null(arm))
            .map(|(arm, problems)| Arm {
                schema: self.followed(arm),
                label: self.label(arm),
                problems,
            })
            .collect();
        if candidates.len() > 1
            && let Some(keys) = keys(&candidates)
        {
            return by_key(&keys, &candidates, value);
        }
        match self.of_kind(candidates, value).as_slice() {
            [] => vec![Problem::new("Input should be null")],
            [only] => only.problems.clone(),
            several => told(schema, several, value),
        }
    }

    /// The arms that take values of the type of `value`, if there are any.
    fn of_kind(&self, arms: Vec<Arm<'s>>, value: &Value) -> Vec<Arm<'s>> {
        let kind = Kinds::of(value);
        let takes =
            |arm: &Arm<'s>| Kinds::allowed(arm.schema, &|reference| self.find(reference)).has(kind);
        if arms.iter().any(takes) { arms.into_iter().filter(takes).collect() } else { arms }
    }

    /// The schema that `arm` is, references followed.
    fn followed(&self, arm: &'s Value) -> &'s Value {
        let mut schema = arm;
        for _ in 0..16 {
            let reference = schema.as_object().and_then(|map| references::of(map).next());
            let Some(next) = reference.and_then(|(_, reference)| self.find(reference)) else {
                break;
            };
            schema = next;
        }
        schema
    }

    /// What an arm is called in a location.
    fn label(&self, arm: &'s Value) -> String {
        let schema = self.followed(arm);
        let title = arm.get("title").or_else(|| schema.get("title")).and_then(Value::as_str);
        let kind = schema.get("type").and_then(Value::as_str);
        let case = schema.get("const").map(wording::case);
        title
            .map(str::to_owned)
            .or(case)
            .or(kind.map(str::to_owned))
            .unwrap_or_else(|| "case".to_owned())
    }
}

struct Arm<'s> {
    schema: &'s Value,
    label: String,
    problems: Vec<Problem>,
}

fn is_null(arm: &Value) -> bool {
    arm.get("type").is_some_and(|kind| kind == "null")
}

fn told(schema: &Map<String, Value>, arms: &[Arm<'_>], value: &Value) -> Vec<Problem> {
    if let Some(tag) = tag(schema, arms) {
        return by_tag(&tag, arms, value);
    }
    let labelled = arms
        .iter()
        .flat_map(|arm| arm.problems.iter().map(|problem| problem.clone().under(&arm.label)));
    labelled.collect()
}

/// The values that a schema lists.
fn values(schema: &Value) -> Option<Vec<&Value>> {
    match (schema.get("const"), schema.get("enum")) {
        (Some(only), _) => Some(vec![only]),
        (None, Some(Value::Array(cases))) => Some(cases.iter().collect()),
        (None, Some(_) | None) => None,
    }
}

/// The property by whose value the arms, all of them objects, are told apart.
fn tag(schema: &Map<String, Value>, arms: &[Arm<'_>]) -> Option<String> {
    let given = schema.get("discriminator").and_then(|it| it.get("propertyName")?.as_str());
    let first = arms.first()?.schema.get("properties")?.as_object()?;
    let names = given.into_iter().chain(first.keys().map(String::as_str));
    names
        .into_iter()
        .find(|name| arms.iter().all(|arm| tag_of(arm, name).is_some()))
        .map(str::to_owned)
}

fn tag_of<'s>(arm: &Arm<'s>, name: &str) -> Option<Vec<&'s Value>> {
    values(arm.schema.get("properties")?.get(name)?)
}

fn by_tag(tag: &str, arms: &[Arm<'_>], value: &Value) -> Vec<Problem> {
    let Value::Object(object) = value else {
        return vec![Problem::new("Input should be a valid dictionary")];
    };
    let Some(given) = object.get(tag) else {
        return vec![Problem::new(format!("Unable to extract tag using discriminator '{tag}'"))];
    };
    let tags = |arm: &Arm<'_>| {
        tag_of(arm, tag).unwrap_or_default().into_iter().cloned().collect::<Vec<_>>()
    };
    if let Some(arm) = arms.iter().find(|arm| tags(arm).contains(given)) {
        let label = given.as_str().map_or_else(|| given.to_string(), str::to_owned);
        return arm.problems.iter().map(|problem| problem.clone().under(&label)).collect();
    }
    let cases: Vec<_> = arms.iter().flat_map(tags).map(|case| wording::case(&case)).collect();
    let expected = cases.join(", ");
    let message = format!(
        "Input tag found using '{tag}' does not match any of the expected tags: {expected}"
    );
    vec![Problem::new(message)]
}

/// The cases of a union that is tagged from outside: the names of those without a value, and
/// the keys of those with one.
struct Keys {
    bare: Vec<String>,
    keyed: Vec<String>,
}

fn keys(arms: &[Arm<'_>]) -> Option<Keys> {
    let mut keys = Keys { bare: Vec::new(), keyed: Vec::new() };
    for arm in arms {
        match (values(arm.schema), key(arm.schema)) {
            (Some(cases), _) => keys.bare.extend(cases.into_iter().map(wording::case)),
            (None, Some(key)) => keys.keyed.push(key.to_owned()),
            (None, None) => return None,
        }
    }
    Some(keys)
}

/// The one property of an arm that has one, and no other.
fn key(schema: &Value) -> Option<&str> {
    let closed = schema.get("additionalProperties") == Some(&Value::Bool(false));
    let properties = schema.get("properties").filter(|_| closed)?.as_object()?;
    let required = schema.get("required")?.as_array()?;
    match (properties.keys().next(), properties.len(), required.as_slice()) {
        (Some(key), 1, [required]) if required.as_str() == Some(key) => Some(key),
        _other => None,
    }
}

fn by_key(keys: &Keys, arms: &[Arm<'_>], value: &Value) -> Vec<Problem> {
    let given = value.as_object().filter(|object| object.len() == 1);
    let given = given.and_then(|object| object.keys().next());
    let meant =
        arms.iter().find(|arm| given.is_some() && key(arm.schema) == given.map(String::as_str));
    if let Some(arm) = meant {
        return arm.problems.clone();
    }
    let keyed: Vec<_> = keys.keyed.iter().map(|key| format!("'{key}'")).collect();
    let object = format!("an object with one key, {}", wording::one_of(&keyed));
    let message = if keys.bare.is_empty() {
        format!("Input should be {object}")
    } else if keys.keyed.is_empty() {
        format!("Input should be {}", wording::one_of(&keys.bare))
    } else {
        format!("Input should be {}, or {object}", wording::one_of(&keys.bare))
    };
    vec![Problem::new(message)]
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::schema::tests::told;

    #[test]
    fn of_an_option_only_the_value_is_told() {
        let option = json!({"anyOf": [{"type": "integer"}, {"type": "null"}]});
        assert_eq!(told(&option, &json!([])), ["result: Input should be a valid integer"]);
        assert_eq!(told(&option, &json!(null)), [""; 0]);
    }

    #[test]
    fn arms_are_told_by_name() {
        let union = json!({"anyOf": [{"type": "integer"}, {"type": "string"}]});
        assert_eq!(
            told(&union, &json!([1])),
            [
                "result.integer: Input should be a valid integer",
                "result.string: Input should be a valid string",
            ]
        );
    }

    #[test]
    fn an_arm_of_another_type_is_not_told() {
        let record = json!({"type": "object", "properties": {"a": {}}, "required": ["a"]});
        let union = json!({"anyOf": [record, {"type": "string"}]});
        assert_eq!(told(&union, &json!({})), ["result.a: Field required"]);
    }

    #[test]
    fn a_variant_is_told_with_its_legal_cases() {
        let case = |name: &str| {
            json!({
                "type": "object",
                "properties": {name: {"type": "integer"}},
                "required": [name],
                "additionalProperties": false,
            })
        };
        let bare = json!({"type": "string", "enum": ["none", "all"]});
        let variant = json!({"oneOf": [bare, case("some"), case("first")]});
        let legal =
            "result: Input should be 'none' or 'all', or an object with one key, 'some' or 'first'";
        for wrong in [json!("get"), json!({"last": 1}), json!({"some": 1, "first": 1}), json!(7)] {
            assert_eq!(told(&variant, &wrong), [legal], "{wrong}");
        }
        assert_eq!(
            told(&variant, &json!({"some": "x"})),
            ["result.some: Input should be a valid integer, unable to parse string as an integer"]
        );
    }

    #[test]
    fn cases_of_single_values_are_told_together() {
        let cases = json!({"oneOf": [{"const": "a"}, {"const": 1}, {"enum": ["b", null]}]});
        assert_eq!(told(&cases, &json!("c")), ["result: Input should be 'a', 1, 'b' or null"]);
    }

    #[test]
    fn a_tag_chooses_the_arm() {
        let arm = |kind: &str| {
            json!({
                "type": "object",
                "properties": {"kind": {"const": kind}, "n": {"type": "integer"}},
                "required": ["kind", "n"],
            })
        };
        let union = json!({"anyOf": [arm("cat"), arm("dog"), {"type": "null"}]});
        assert_eq!(told(&union, &json!({"kind": "dog"})), ["result.dog.n: Field required"]);
        assert_eq!(
            told(&union, &json!({"kind": "fish", "n": 1})),
            ["result: Input tag found using 'kind' does not match any of the expected tags: \
                 'cat', 'dog'"]
        );
        assert_eq!(
            told(&union, &json!({"n": 1})),
            ["result: Unable to extract tag using discriminator 'kind'"]
        );
    }

    #[test]
    fn a_value_of_two_arms_is_told() {
        let union = json!({"oneOf": [{"type": "integer"}, {"type": "number"}, {"type": "null"}]});
        assert_eq!(
            told(&union, &json!(1)),
            ["result: Input should fit one of the cases, and fits 2"]
        );
    }
}
