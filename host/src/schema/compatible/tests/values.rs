//! Pairs of schemas, drawn from what JSON Schema says of each keyword.

use serde_json::{Value, json};

use super::check;

#[test]
fn types_are_sets_and_integers_are_numbers() {
    check([
        (json!(true), json!(false), true),
        (json!({}), json!(true), true),
        (json!(true), json!({"type": "string"}), true),
        (json!({"type": "string"}), json!(true), false),
        (json!(false), json!(false), true),
        (json!(false), json!({"type": "string"}), false),
        (json!(false), json!({"type": "string", "enum": [1]}), true),
        (json!({"type": "number"}), json!({"type": "integer"}), true),
        (json!({"type": "integer"}), json!({"type": "number"}), false),
        (json!({"type": ["string", "null"]}), json!({"type": "string"}), true),
        (json!({"type": ["null", "string"]}), json!({"type": ["string", "null"]}), true),
        (json!({"type": "string"}), json!({"type": ["string", "null"]}), false),
        (json!({"type": ["string", "boolean"]}), json!({"enum": ["a", true]}), true),
        (json!({"type": "integer"}), json!({"const": 1.0}), true),
        (json!({"type": "integer"}), json!({"const": 1e300}), false),
        (json!({"type": "integer"}), json!({"const": 1.5}), false),
        (json!({"title": "new"}), json!({"type": "null", "title": "old"}), true),
    ]);
}

#[test]
fn a_keyword_says_nothing_of_other_types() {
    check([
        (json!({"minLength": 2}), json!({"type": "integer"}), true),
        (json!({"minLength": 2}), json!({}), false),
        (json!({"minLength": 2}), json!({"minLength": 3}), true),
        (json!({"minLength": 2, "type": "string"}), json!({"minLength": 3}), false),
        (json!({"required": ["a"]}), json!({"type": ["array", "null"]}), true),
        (json!({"pattern": "a"}), json!({"type": "object"}), true),
        (json!({"format": "date"}), json!({"type": "null"}), true),
        (json!({"items": false}), json!({"type": "object"}), true),
    ]);
}

#[test]
fn cases_are_looked_at_one_by_one() {
    check([
        (json!({"enum": ["a", "b", "c"]}), json!({"enum": ["b", "a"]}), true),
        (json!({"enum": ["a"]}), json!({"enum": ["a", "b"]}), false),
        (json!({"enum": ["a", 1]}), json!({"const": 1.0}), true),
        (json!({"enum": ["a"]}), json!({"enum": ["a", 1], "type": "string"}), true),
        (json!({"const": {"a": [1], "b": 2}}), json!({"enum": [{"b": 2, "a": [1]}]}), true),
        (json!({"type": "string", "maxLength": 2}), json!({"enum": ["ä", "öö"]}), true),
        (json!({"maxLength": 1}), json!({"enum": ["ä", "öö"]}), false),
        (json!({"minimum": 3}), json!({"enum": [3, 4.5]}), true),
        (json!({"minimum": 3}), json!({"enum": [3, 2]}), false),
        (json!({"minimum": 3}), json!({"enum": [3, 2], "not": {"const": 2}}), true),
        (json!({"multipleOf": 2}), json!({"enum": [4, 6.0]}), true),
        (json!({"enum": [true, false, null]}), json!({"type": ["boolean", "null"]}), true),
        (json!({"const": true}), json!({"type": "boolean"}), false),
        (json!({"pattern": "a"}), json!({"const": "a"}), false),
        (json!({"required": ["a"]}), json!({"const": {"a": 1}}), true),
        (json!({"properties": {"a": {"type": "null"}}}), json!({"const": {"a": 1}}), false),
        (json!({"uniqueItems": true}), json!({"const": [1, 2, "1"]}), true),
        (json!({"uniqueItems": true}), json!({"const": [1, 2, 1.0]}), false),
        (json!({"anyOf": [{"const": "a"}, {"const": "b"}]}), json!({"enum": ["a", "b"]}), true),
        (json!({"oneOf": [{"const": 1}, {"minimum": 5}]}), json!({"enum": [1, 7]}), true),
        (json!({"oneOf": [{"const": 6}, {"minimum": 5}]}), json!({"enum": [6, 7]}), false),
        (
            json!({"enum": [9_007_199_254_740_993_i64]}),
            json!({"const": 9_007_199_254_740_992.0}),
            false,
        ),
    ]);
}

#[test]
fn bounds_are_compared_exactly() {
    check([
        (json!({"minimum": 1}), json!({"minimum": 1.0}), true),
        (json!({"minimum": 1}), json!({"minimum": 0}), false),
        (json!({"minimum": 1}), json!({"exclusiveMinimum": 1}), true),
        (json!({"exclusiveMinimum": 1}), json!({"minimum": 1}), false),
        (json!({"exclusiveMinimum": 1}), json!({"minimum": 1.5}), true),
        (json!({"exclusiveMinimum": 1}), json!({"exclusiveMinimum": 1}), true),
        (json!({"maximum": 1}), json!({"maximum": 1, "minimum": 0}), true),
        (json!({"maximum": 1}), json!({"exclusiveMaximum": 2}), false),
        (json!({"maximum": 2}), json!({"exclusiveMaximum": 2}), true),
        (json!({"exclusiveMaximum": 2}), json!({"maximum": 1.9}), true),
        (json!({"exclusiveMaximum": 2}), json!({"maximum": 2}), false),
        (json!({"maximum": u64::MAX}), json!({"maximum": i64::MAX}), true),
        (json!({"maximum": i64::MAX}), json!({"maximum": u64::MAX}), false),
        (json!({"minimum": -1e300}), json!({"minimum": 0}), true),
        (
            json!({"maximum": 9_007_199_254_740_992.0}),
            json!({"maximum": 9_007_199_254_740_993_i64}),
            false,
        ),
        // As draft-04 has it.
        (json!({"minimum": 1, "exclusiveMinimum": true}), json!({"minimum": 1}), false),
        (json!({"minimum": 1}), json!({"minimum": 1, "exclusiveMinimum": true}), true),
        (json!({"multipleOf": 2}), json!({"multipleOf": 6}), true),
        (json!({"multipleOf": 6}), json!({"multipleOf": 2}), false),
        (json!({"multipleOf": 0.1}), json!({"multipleOf": 0.1}), true),
        (json!({"multipleOf": 1}), json!({"type": "integer"}), true),
        (json!({"multipleOf": 1}), json!({"type": "number"}), false),
    ]);
}

#[test]
fn texts_are_bounded_and_of_the_same_pattern_and_format() {
    check([
        (json!({"minLength": 1, "maxLength": 9}), json!({"minLength": 1.0, "maxLength": 8}), true),
        (json!({"maxLength": 7}), json!({"maxLength": 8}), false),
        (json!({"minLength": 0}), json!({}), true),
        (json!({"pattern": "a"}), json!({"pattern": "a", "minLength": 1}), true),
        (json!({"pattern": "a"}), json!({"pattern": "ab"}), false),
        (json!({}), json!({"pattern": "a", "format": "date"}), true),
        (json!({"format": "date"}), json!({"format": "date"}), true),
        (json!({"format": "date"}), json!({"format": "date-time"}), false),
        (json!({"format": "int32"}), json!({"type": "integer"}), false),
        (json!({"contentEncoding": "base64"}), json!({"contentEncoding": "base64"}), true),
        (json!({"contentEncoding": "base64"}), json!({"type": "string"}), false),
        (json!({"x-unit": "m"}), json!({"x-unit": "m", "type": "integer"}), true),
        (json!({"x-unit": "m"}), json!({"x-unit": "km"}), false),
    ]);
}

#[test]
fn arrays_are_compared_item_by_item() {
    let (text, number) = (json!({"type": "string"}), json!({"type": "number"}));
    let integer = json!({"type": "integer"});
    check([
        (json!({"items": number}), json!({"items": integer}), true),
        (json!({"items": integer}), json!({"items": number}), false),
        (json!({"items": number}), json!({"type": "array"}), false),
        (json!({"items": number}), json!({"maxItems": 0}), true),
        (json!({"items": true}), json!({}), true),
        (json!({"prefixItems": [text, number]}), json!({"prefixItems": [text, integer]}), true),
        (json!({"prefixItems": [text]}), json!({"prefixItems": [text, integer]}), true),
        (json!({"prefixItems": [text, text]}), json!({"prefixItems": [text]}), false),
        (
            json!({"prefixItems": [text, text]}),
            json!({"prefixItems": [text], "items": false}),
            true,
        ),
        (json!({"prefixItems": [text, text]}), json!({"items": text}), true),
        (json!({"items": number}), json!({"prefixItems": [integer], "items": number}), true),
        (json!({"items": number}), json!({"prefixItems": [text], "items": number}), false),
        (json!({"items": number}), json!({"prefixItems": [number], "maxItems": 1}), true),
        (
            json!({"prefixItems": [text], "items": number}),
            json!({"prefixItems": [text, integer], "items": false}),
            true,
        ),
        (json!({"maxItems": 2}), json!({"prefixItems": [text, text], "items": false}), true),
        (json!({"maxItems": 2}), json!({"prefixItems": [text, text]}), false),
        (json!({"minItems": 1}), json!({"minItems": 2}), true),
        (json!({"minItems": 2}), json!({"prefixItems": [text, text]}), false),
        (json!({"uniqueItems": false}), json!({}), true),
        (json!({"uniqueItems": true}), json!({}), false),
        (json!({"uniqueItems": true}), json!({"maxItems": 1}), true),
        (json!({"uniqueItems": true}), json!({"uniqueItems": true, "items": text}), true),
        (json!({"contains": text}), json!({"contains": text, "minItems": 1}), true),
        (json!({"contains": text}), json!({"contains": text, "minContains": 0}), false),
        (json!({"contains": text}), json!({"items": text, "minItems": 1}), false),
        (json!({"maxContains": 1}), json!({}), true),
        // As draft-07 has it.
        (json!({"items": [text]}), json!({"items": [text], "maxItems": 1}), false),
        (json!({"prefixItems": [text]}), json!({"items": [text]}), false),
    ]);
}

#[test]
fn objects_are_compared_property_by_property() {
    let (text, number) = (json!({"type": "string"}), json!({"type": "number"}));
    let integer = json!({"type": "integer"});
    let a = |schema: &Value| json!({"a": schema});
    let closed = || json!({"properties": a(&text), "additionalProperties": false});
    check([
        (json!({"properties": a(&number)}), json!({"properties": a(&integer)}), true),
        (json!({"properties": a(&integer)}), json!({"properties": a(&number)}), false),
        (json!({"required": ["a"]}), json!({"required": ["b", "a"]}), true),
        (json!({"required": ["a", "b"]}), json!({"required": ["a"]}), false),
        (json!({"required": []}), json!({"type": "object"}), true),
        // A property that is new where there could be anything of that name.
        (json!({"properties": {"a": text, "b": text}}), json!({"properties": a(&text)}), false),
        (json!({"properties": {"a": text, "b": true}}), json!({"properties": a(&text)}), true),
        (json!({"properties": {"a": text, "b": text}}), closed(), true),
        (
            json!({"properties": {"a": text, "b": text}, "additionalProperties": false}),
            closed(),
            true,
        ),
        (
            closed(),
            json!({"properties": {"a": text, "b": text}, "additionalProperties": false}),
            false,
        ),
        (
            closed(),
            json!({"properties": {"a": text, "b": false}, "additionalProperties": false}),
            true,
        ),
        (closed(), json!({"properties": a(&text)}), false),
        (json!({"properties": a(&text)}), closed(), true),
        (json!({"additionalProperties": number}), json!({"additionalProperties": integer}), true),
        (json!({"additionalProperties": text}), closed(), true),
        (json!({"additionalProperties": number}), closed(), false),
        (json!({"properties": {"b": number}}), json!({"additionalProperties": integer}), true),
        (
            json!({"additionalProperties": integer}),
            json!({"propertyNames": {"enum": ["a"]}, "properties": a(&integer)}),
            true,
        ),
        (json!({"propertyNames": {"maxLength": 1}}), closed(), true),
        (
            json!({"propertyNames": {"maxLength": 1}}),
            json!({"propertyNames": {"maxLength": 1, "pattern": "a"}}),
            true,
        ),
        (json!({"propertyNames": {"maxLength": 1}}), json!({}), false),
        (json!({"propertyNames": {"type": "string"}}), json!({}), true),
        (json!({"propertyNames": {"pattern": "a"}}), closed(), false),
        (json!({"properties": {"long": number}}), json!({"propertyNames": {"maxLength": 1}}), true),
        (json!({"minProperties": 1}), json!({"required": ["a"]}), true),
        (json!({"minProperties": 2}), json!({"required": ["a"]}), false),
        (json!({"maxProperties": 1}), closed(), true),
        (json!({"maxProperties": 1}), json!({"maxProperties": 2}), false),
    ]);
}

#[test]
fn patterns_of_names_are_the_same_or_no_way_out() {
    let (text, number) = (json!({"type": "string"}), json!({"type": "number"}));
    let integer = json!({"type": "integer"});
    let some = |schema: &Value| json!({"patternProperties": {"^x-": schema}});
    let only = |schema: &Value| json!({"patternProperties": {"^x-": schema}, "additionalProperties": false});
    let closed = || json!({"properties": {"a": integer}, "additionalProperties": false});
    check([
        (some(&number), some(&integer), true),
        (some(&integer), some(&number), false),
        (only(&number), only(&integer), true),
        (only(&number), some(&integer), false),
        (some(&number), json!({"patternProperties": {"^x": integer}}), false),
        (only(&number), closed(), false),
        (some(&number), closed(), true),
        (some(&text), closed(), false),
        (some(&number), json!({"additionalProperties": number}), true),
        (json!({"additionalProperties": number}), only(&integer), false),
        (json!({"properties": {"x-a": number}}), some(&integer), false),
        (json!({"properties": {"x-a": number}}), only(&integer), false),
    ]);
}

#[test]
fn what_depends_on_a_property_is_known_or_out_of_the_question() {
    let dependent = || json!({"dependentRequired": {"a": ["b"]}});
    let schemas = |schema: Value| json!({"dependentSchemas": {"a": schema}});
    check([
        (dependent(), json!({"dependentRequired": {"a": ["b", "c"], "d": []}}), true),
        (dependent(), json!({"dependentRequired": {"a": ["c"]}}), false),
        (dependent(), json!({"required": ["b"]}), true),
        (dependent(), json!({"properties": {"b": {}}, "additionalProperties": false}), true),
        (dependent(), json!({"type": "object"}), false),
        (schemas(json!({"minProperties": 2})), schemas(json!({"minProperties": 3})), true),
        (schemas(json!({"minProperties": 3})), schemas(json!({"minProperties": 2})), false),
        (schemas(json!({"minProperties": 3})), json!({"minProperties": 3}), true),
        (schemas(json!(false)), json!({"additionalProperties": false}), true),
    ]);
}
