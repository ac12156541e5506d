//! What overlays say.

use serde_json::{Value as Json, json};

use super::super::testing::read_wit;
use super::super::*;

const WIT: &str = "package a:b@1.0.0;
    interface types {
        type code = string;
        record parcel { code: code, grams: u32, ids: list<u64>, kind: option<string> }
    }
    interface api {
        use types.{parcel};
        send: func(parcel: parcel, days-ahead: u8, when: option<u64>) -> result<u64, string>;
        scores: func() -> list<tuple<string, u8>>;
        ping: func();
    }
    world w { export api; }";

fn notes(edit: impl FnOnce(&mut Notes)) -> Annotation {
    let mut annotation = Annotation::default();
    edit(&mut annotation.notes);
    annotation
}

fn of_function(name: &str, edit: impl FnOnce(&mut FunctionOverlay)) -> Overlay {
    let mut function = FunctionOverlay::default();
    edit(&mut function);
    Overlay { functions: [(name.to_owned(), function)].into(), ..Overlay::default() }
}

fn of_type(name: &str, edit: impl FnOnce(&mut TypeOverlay)) -> Overlay {
    let mut ty = TypeOverlay::default();
    edit(&mut ty);
    Overlay { types: [(name.to_owned(), ty)].into(), ..Overlay::default() }
}

/// A function with what is said of it.
fn overlaid(name: &str, overlay: &Overlay) -> Function {
    let mut read = read_wit(WIT);
    read.overlay(overlay).unwrap();
    read.functions.into_iter().find(|function| function.wit_name == name).unwrap()
}

fn faults(overlay: &Overlay) -> Vec<String> {
    let mut read = read_wit(WIT);
    let before = read.clone();
    let faults = read.overlay(overlay).unwrap_err();
    assert_eq!(read, before);
    faults.iter().map(ToString::to_string).collect()
}

#[test]
fn parameters_get_defaults_ranges_and_words() {
    let overlay = of_function("send", |function| {
        function.docs = Some("Sends.".to_owned());
        let days = notes(|notes| {
            notes.title = Some("Days".to_owned());
            notes.description = Some("How many.".to_owned());
            notes.default = Some(json!(3));
            notes.examples = vec![json!(1), json!(7)];
            notes.constraints.minimum = Some(1.into());
            notes.constraints.maximum = Some(14.into());
        });
        function.parameters.insert("days-ahead".to_owned(), days);
    });
    let function = overlaid("send", &overlay);
    assert_eq!(function.docs.as_deref(), Some("Sends."));
    let schema = input_schema(&function);
    assert_eq!(schema["required"], json!(["parcel"]));
    assert_eq!(
        schema["properties"]["days_ahead"],
        json!({
            "type": "integer",
            "minimum": 1,
            "maximum": 14,
            "title": "Days",
            "description": "How many.",
            "examples": [1, 7],
            "default": 3,
        })
    );
}

#[test]
fn types_and_their_fields_get_constraints() {
    let mut overlay = of_type("types.parcel", |parcel| {
        let grams = notes(|notes| notes.constraints.exclusive_minimum = Some(0.into()));
        let kind = notes(|notes| notes.constraints.max_length = Some(9));
        parcel.fields.insert("grams".to_owned(), grams);
        parcel.fields.insert("kind".to_owned(), kind);
        parcel.whole.notes.description = Some("A parcel.".to_owned());
    });
    let code = notes(|notes| notes.constraints.pattern = Some("^[A-Z]+$".to_owned()));
    let code = TypeOverlay { whole: code, ..TypeOverlay::default() };
    overlay.types.insert("code".to_owned(), code);
    let schema = input_schema(&overlaid("send", &overlay));
    let parcel = &schema["$defs"]["Parcel"];
    assert_eq!(parcel["description"], "A parcel.");
    assert_eq!(parcel["properties"]["code"], json!({"type": "string", "pattern": "^[A-Z]+$"}));
    assert_eq!(parcel["properties"]["grams"]["exclusiveMinimum"], 0);
    assert_eq!(
        parcel["properties"]["kind"],
        json!({"anyOf": [{"type": "string", "maxLength": 9}, {"type": "null"}], "default": null})
    );
}

#[test]
fn large_integers_become_text_in_one_tool_or_at_one_place() {
    let text = |json: &Json| json["type"] == "string";
    let whole = of_function("send", |function| function.large_integers = Written::Text);
    let function = overlaid("send", &whole);
    assert!(text(&output_schema(&function)));
    let schema = input_schema(&function);
    assert!(text(&schema["properties"]["when"]["anyOf"][0]));
    assert!(text(&schema["$defs"]["Parcel"]["properties"]["ids"]["items"]));
    assert_eq!(schema["$defs"]["Parcel"]["properties"]["grams"]["type"], "integer");
    let ids = of_type("parcel", |parcel| {
        let as_text = Annotation { large_integers: Some(Written::Text), ..Annotation::default() };
        parcel.fields.insert("ids".to_owned(), as_text);
    });
    let function = overlaid("send", &ids);
    assert!(!text(&output_schema(&function)));
    assert!(text(&input_schema(&function)["$defs"]["Parcel"]["properties"]["ids"]["items"]));
}

#[test]
fn a_list_of_pairs_becomes_a_map() {
    let overlay = of_function("scores", |function| {
        function.value.pairs_as_map = true;
        function.value.notes.constraints.min_properties = Some(1);
    });
    let schema = output_schema(&overlaid("scores", &overlay));
    let values = json!({"type": "integer", "minimum": 0, "maximum": 255});
    let expected = json!({"type": "object", "additionalProperties": values, "minProperties": 1});
    assert_eq!(schema, expected);
}

#[test]
fn cases_get_docs_and_none_that_are_not_there() {
    let wit = "package a:b; interface api {
            enum colour { red, blue }
            variant shape { round(u8), square }
            draw: func(colour: colour, shape: shape);
        }
        world w { export api; }";
    let case = |ty: &str, case: &str| {
        of_type(ty, |ty| {
            ty.cases.insert(case.to_owned(), "Words.".to_owned());
        })
    };
    for overlay in [case("colour", "red"), case("shape", "round"), case("api.shape", "square")] {
        let mut read = read_wit(wit);
        read.overlay(&overlay).unwrap();
        let schema = input_schema(&read.functions[0]).to_string();
        assert_eq!(schema.matches("Words.").count(), 1, "{schema}");
    }
    let fault = read_wit(wit).overlay(&case("colour", "rod")).unwrap_err();
    let text = "type `colour`: the component has no `rod` here; the nearest is `red`";
    assert_eq!(fault.iter().map(ToString::to_string).collect::<Vec<_>>(), [text]);
    assert!(read_wit(WIT).overlay(&case("parcel", "code")).is_err());
    assert!(read_wit(WIT).overlay(&case("code", "code")).is_err());
}

#[test]
fn what_is_not_there_is_a_fault_that_names_the_nearest() {
    let none = |_: &mut FunctionOverlay| {};
    let unknown = |name: &str, nearest: &str| {
        format!("the component has no `{name}` here; the nearest is `{nearest}`")
    };
    let function = of_function("sent", none);
    assert_eq!(faults(&function), [format!("functions: {}", unknown("sent", "send"))]);
    let ty = of_type("parcle", |_| {});
    assert_eq!(faults(&ty), [format!("types: {}", unknown("parcle", "parcel"))]);
    let field = of_type("parcel", |parcel| {
        parcel.fields.insert("gram".to_owned(), Annotation::default());
    });
    assert_eq!(faults(&field), [format!("type `parcel`: {}", unknown("gram", "grams"))]);
    let exported = of_function("a:b/api@1.0.0#send", |function| {
        function.parameters.insert("days_ahead".to_owned(), Annotation::default());
    });
    let text = format!("function `send`: {}", unknown("days_ahead", "days-ahead"));
    assert_eq!(faults(&exported), [text]);
}

#[test]
fn what_does_not_fit_is_a_fault() {
    let days = |edit: fn(&mut Annotation)| {
        let overlay = of_function("send", |function| {
            let mut annotation = Annotation::default();
            edit(&mut annotation);
            function.parameters.insert("days-ahead".to_owned(), annotation);
        });
        let [fault] = faults(&overlay).try_into().unwrap();
        fault.strip_prefix("`days-ahead` of function `send`: ").unwrap().to_owned()
    };
    let integers = "it is no `s64` or `u64`, nor an option or a list of them";
    assert_eq!(days(|it| it.large_integers = Some(Written::Text)), integers);
    assert_eq!(days(|it| it.pairs_as_map = true), "it is no list of pairs");
    assert_eq!(
        days(|it| it.notes.constraints.pattern = Some("a".to_owned())),
        "`pattern` says nothing of such a type"
    );
    assert_eq!(
        days(|it| it.notes.constraints.maximum = Some(256.into())),
        "its range is not within 0 to 255, that of its type"
    );
    assert_eq!(
        days(|it| it.notes.default = Some(json!("x"))),
        "its default does not fit: Input should be a valid integer"
    );
    let items = "`min_items` says nothing of such a type";
    assert_eq!(days(|it| it.notes.constraints.min_items = Some(1)), items);
    let value = of_function("scores", |it| it.value.notes.default = Some(json!([])));
    assert_eq!(
        faults(&value),
        ["the value of function `scores`: a default is for parameters and fields"]
    );
    let none = of_function("ping", |it| it.value.notes.title = Some("x".to_owned()));
    assert_eq!(faults(&none), ["the value of function `ping`: it gives none"]);
}

/// What is wrong with these constraints of a parameter of this type.
fn unfit(ty: &str, edit: impl FnOnce(&mut Constraints)) -> Option<String> {
    let wit =
        format!("package a:b; interface api {{ f: func(x: {ty}); }} world w {{ export api; }}");
    let overlay = of_function("f", |function| {
        function.parameters.insert("x".to_owned(), notes(|notes| edit(&mut notes.constraints)));
    });
    let faults = read_wit(&wit).overlay(&overlay).err()?;
    let [fault] = <[OverlayFault; 1]>::try_from(faults).unwrap();
    Some(fault.to_string().strip_prefix("`x` of function `f`: ").unwrap().to_owned())
}

fn numbers(
    ty: &str,
    edit: impl FnOnce(&mut Constraints, fn(f64) -> Option<serde_json::Number>),
) -> Option<String> {
    unfit(ty, |it| edit(it, serde_json::Number::from_f64))
}

#[test]
fn exclusive_bounds_are_within_the_type_or_next_to_it() {
    let outside = Some("its range is not within 0 to 255, that of its type".to_owned());
    assert_eq!(unfit("u8", |it| it.exclusive_maximum = Some(256.into())), None);
    assert_eq!(unfit("u8", |it| it.exclusive_maximum = Some(257.into())), outside);
    assert_eq!(unfit("u8", |it| it.exclusive_minimum = Some((-1).into())), None);
    assert_eq!(unfit("u8", |it| it.exclusive_minimum = Some((-2).into())), outside);
    assert_eq!(unfit("option<u8>", |it| it.exclusive_maximum = Some(300.into())), outside);
    assert_eq!(unfit("u64", |it| it.exclusive_maximum = Some(u64::MAX.into())), None);
    let outside = "its range is not within -3.4028235e38 to 3.4028235e38, that of its type";
    assert_eq!(numbers("f32", |it, n| it.maximum = n(1e39)).as_deref(), Some(outside));
    assert_eq!(numbers("f64", |it, n| it.maximum = n(1e39)), None);
}

#[test]
fn a_range_that_nothing_is_in_is_a_fault() {
    let nothing = |what: &str| Some(format!("nothing fits: {what}"));
    let no_integer = nothing("no integer of its type is in its range");
    for ty in ["u8", "option<u8>"] {
        assert_eq!(numbers(ty, |it, n| (it.minimum, it.maximum) = (n(9.0), n(8.0))), no_integer);
        assert_eq!(numbers(ty, |it, n| (it.minimum, it.maximum) = (n(0.5), n(0.7))), no_integer);
        assert_eq!(numbers(ty, |it, n| (it.minimum, it.maximum) = (n(0.5), n(1.0))), None);
        assert_eq!(unfit(ty, |it| it.exclusive_minimum = Some(255.into())), no_integer);
        assert_eq!(unfit(ty, |it| it.exclusive_minimum = Some(254.into())), None);
        assert_eq!(unfit(ty, |it| it.exclusive_maximum = Some(0.into())), no_integer);
    }
    let sevens = |minimum: u8| {
        unfit("u8", |it| {
            it.multiple_of = Some(7.into());
            (it.minimum, it.maximum) = (Some(minimum.into()), Some(13.into()));
        })
    };
    assert_eq!(sevens(7), None);
    assert_eq!(sevens(8), nothing("no multiple of 7 is in its range"));
    let no_number = nothing("no number is in its range");
    for ty in ["f32", "f64"] {
        assert_eq!(numbers(ty, |it, n| (it.minimum, it.maximum) = (n(0.7), n(0.5))), no_number);
        assert_eq!(numbers(ty, |it, n| (it.minimum, it.maximum) = (n(0.5), n(0.5))), None);
        let meet = |it: &mut Constraints, n: fn(f64) -> Option<serde_json::Number>| {
            (it.minimum, it.exclusive_maximum) = (n(0.5), n(0.5));
        };
        assert_eq!(numbers(ty, meet), no_number);
    }
    assert_eq!(
        unfit("string", |it| (it.min_length, it.max_length) = (Some(3), Some(2))),
        nothing("`min_length` is more than `max_length`")
    );
    assert_eq!(
        unfit("list<u16>", |it| (it.min_items, it.max_items) = (Some(3), Some(2))),
        nothing("`min_items` is more than `max_items`")
    );
    assert_eq!(
        unfit("map<string, u8>", |it| (it.min_properties, it.max_properties) = (Some(1), Some(0))),
        nothing("`min_properties` is more than `max_properties`")
    );
}

#[test]
fn a_range_is_that_of_the_alias_as_well() {
    let mut overlay = of_type("code", |code| code.whole.notes.constraints.max_length = Some(4));
    let parcel = of_type("parcel", |parcel| {
        let code = notes(|notes| notes.constraints.min_length = Some(5));
        parcel.fields.insert("code".to_owned(), code);
    });
    overlay.types.extend(parcel.types);
    let text = "`code` of type `parcel`: nothing fits: `min_length` is more than `max_length`";
    assert_eq!(faults(&overlay), [text]);
}
