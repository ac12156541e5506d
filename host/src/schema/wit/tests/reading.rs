//! Functions of components.

use wit_component::{ComponentEncoder, StringEncoding, dummy_module, embed_component_metadata};
use wit_parser::{ManglingAndAbi, PackageMetadata};

use super::super::testing::{component, read_wit, resolved};
use super::super::*;

/// Refused functions and why.
fn refused(wit: &str) -> Vec<(String, String)> {
    let refused = read_wit(wit).refused;
    refused.into_iter().map(|function| (function.wit_name, function.reason.to_string())).collect()
}

fn api(items: &str) -> String {
    format!("package a:b; interface api {{ {items} }} world w {{ export api; }}")
}

fn names(read: &Read) -> Vec<String> {
    read.functions.iter().map(|function| format!("{function} {}", function.tool_name)).collect()
}

#[test]
fn every_exported_function_is_a_tool() {
    let read = read_wit(
        "package example:weather@1.2.3-rc.1;
         interface api { get-weather: func(city-name: string) -> string; }
         world w {
             export api;
             export inline: interface { HTTP-get: func(); }
             export ping: func(count: u8);
         }",
    );
    assert_eq!(
        names(&read),
        [
            "ping ping",
            "example:weather/api@1.2.3-rc.1#get-weather get_weather",
            "inline#HTTP-get HTTP_get",
        ]
    );
    assert_eq!(
        read.functions[1].export,
        Export::Instance("example:weather/api@1.2.3-rc.1".to_owned())
    );
    let city = &read.functions[1].parameters[0];
    assert_eq!((city.wit_name.as_str(), city.name.as_str()), ("city-name", "city_name"));
    assert_eq!((read.refused.len(), read.left_out.len(), read.docs_fault), (0, 0, None));
}

#[test]
fn leftovers_of_languages_are_left_out_and_named() {
    let read = read_wit(
        "package wasi:cli@0.2.0;
         interface run { run: func() -> result; }
         world w {
             export run;
             export exports: interface { init: func(name: string) -> result<_, string>; }
             export init: func(code: string);
             export tool: func();
         }",
    );
    assert_eq!(names(&read), ["tool tool"]);
    let left_out: Vec<_> = read.left_out.iter().map(|left| left.export.as_str()).collect();
    assert_eq!(left_out, ["init", "wasi:cli/run@0.2.0", "exports"]);
}

#[test]
fn what_cannot_leave_a_component_is_refused_by_name_and_its_siblings_stay() {
    let wit = api("resource blob { constructor(); read: func() -> string; }
         record holder { blobs: list<own<blob>> }
         open: func(name: string) -> blob;
         keep: func(holder: option<holder>);
         fine: func() -> u8;");
    assert_eq!(names(&read_wit(&wit)), ["a:b/api#fine fine"]);
    let handle = "is or holds the resource `blob`, which cannot leave a component";
    let method = "it is a function of the resource `blob`; export a plain function";
    let refused = refused(&wit);
    let of = |name: &str| {
        let found = refused.iter().find(|(function, _)| function == name);
        found.map(|(_, why)| why.as_str()).unwrap().to_owned()
    };
    assert_eq!(of("open"), format!("its result {handle}"));
    assert_eq!(of("keep"), format!("parameter `holder` {handle}"));
    assert_eq!(of("[method]blob.read"), method);
    assert_eq!(of("[constructor]blob"), method);
}

#[test]
fn streams_futures_and_async_functions_are_refused() {
    let wit = api("s: func() -> stream<u8>;
         t: func(x: list<future<string>>);
         e: func() -> result<_, error-context>;
         a: async func();");
    let (resolve, world) = resolved(&wit);
    let refused: Vec<_> = read_world(&resolve, world)
        .unwrap()
        .refused
        .into_iter()
        .map(|function| function.reason.to_string())
        .collect();
    assert_eq!(
        refused,
        [
            "its result is or holds the stream `stream`, which cannot leave a component",
            "parameter `x` is or holds the future `future`, which cannot leave a component",
            "its result is or holds the error-context `error-context`, which cannot leave a component",
            "it is an async function, which this version does not call; export a plain one",
        ]
    );
}

#[test]
fn tools_of_one_name_are_refused_each_naming_another() {
    let wit = "package a:b;
        interface one { get-it: func(); other: func(); }
        interface two { GET-it: func(); }
        world w { export one; export two; }";
    let mut read = read_wit(wit);
    assert_eq!(read.functions.len(), 3);
    read.refuse_same_names();
    assert_eq!(names(&read), ["a:b/one#other other"]);
    let reasons: Vec<_> = read.refused.iter().map(|refused| refused.reason.to_string()).collect();
    let same = |other: &str, name: &str| {
        format!("`{other}` has the same tool name, `{name}`; leave one of them out")
    };
    assert_eq!(reasons, [same("a:b/two#GET-it", "get_it"), same("a:b/one#get-it", "GET_it")]);
}

#[test]
fn types_that_are_too_large_are_refused() {
    let nested = |levels: usize| {
        format!("f: func(x: {}string{});", "list<".repeat(levels), ">".repeat(levels))
    };
    assert_eq!(refused(&api(&nested(31))), []);
    let deep = "parameter `x` has types nested deeper than 32 levels".to_owned();
    assert_eq!(refused(&api(&nested(32))), [("f".to_owned(), deep)]);
    let cases: Vec<String> = (0..257).map(|n| format!("c{n}")).collect();
    let items = format!("enum many {{ {} }} f: func(x: many);", cases.join(", "));
    assert_eq!(refused(&api(&items))[0].1, "`many` has 257 cases, more than 256");
    let fields: Vec<String> = (0..257).map(|n| format!("c{n}: bool")).collect();
    let items = format!("record wide {{ {} }} f: func(x: wide);", fields.join(", "));
    assert_eq!(refused(&api(&items))[0].1, "`wide` has 257 fields, more than 256");
    let name = "n".repeat(300);
    let items = format!("f: func({name}: bool);");
    let long = refused(&api(&items))[0].1.clone();
    assert!(long.ends_with("…` has 300 bytes, more than 256"), "{long}");
}

#[test]
fn a_small_component_does_not_unfold_into_a_large_tree() {
    let levels = (1..=14).map(|n| format!("type t{n} = tuple<t{0}, t{0}>;", n - 1));
    let items = format!(
        "type t0 = bool; {} f: func(x: t14); g: func() -> t14;",
        levels.collect::<String>()
    );
    let reasons: Vec<_> = refused(&api(&items)).into_iter().map(|(_, why)| why).collect();
    assert_eq!(
        reasons,
        [
            "the schema of its arguments would have more than 4096 parts",
            "the schema of its result would have more than 4096 parts",
        ]
    );
}

#[test]
fn too_many_functions_are_refused_as_a_whole() {
    let functions: String = (0..1001).map(|n| format!("run{n}: func();")).collect();
    let error = read(&component(&api(&functions))).unwrap_err();
    assert_eq!(error.to_string(), "it exports 1001 functions, more than 1000");
}

#[test]
fn what_is_not_a_component_is_refused() {
    let (resolve, world) = resolved(&api("f: func();"));
    let package = resolve.worlds[world].package.unwrap();
    let package = wit_component::encode(&resolve, package).unwrap();
    assert_eq!(read(&package), Err(Refused::WitPackage));
    let component = component(&api("f: func();"));
    for length in 0..component.len() {
        assert!(read(&component[..length]).is_err() || length >= 8, "{length}");
    }
    for bytes in [&b""[..], b"\0asm", b"\0asm\x01\0\0\0", b"text", &[0xff; 64]] {
        assert!(matches!(read(bytes), Err(Refused::Unreadable(_))), "{bytes:?}");
    }
}

#[test]
fn a_damaged_component_never_takes_the_host_down() {
    let component = documented(DOCUMENTED, |docs| docs);
    let mut state = 1_u64;
    for _ in 0..3000 {
        let mut damaged = component.clone();
        for _ in 0..3 {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let at = usize::try_from(state >> 33).unwrap() % damaged.len();
            damaged[at] = (state >> 20) as u8;
        }
        let _ = read(&damaged);
    }
}

const DOCUMENTED: &str = "package a:b@1.0.0;
    interface api {
        /// A city.
        type city = string;
        /// Weather now.
        record weather-data {
            /// Degrees Celsius.
            temperature: f64,
        }
        /// Gets the weather.
        ///
        /// In one city.
        get-weather: func(city: city) -> weather-data;
    }
    world w {
        export api;
        /// Pings.
        export ping: func();
        export inline: interface {
            /// How.
            enum way { /// Not slow.
                fast }
            /// Goes.
            go: func(way: way);
        }
    }";

/// The component of a world, with its docs as a tool for WIT would write them.
fn documented(wit: &str, edit: impl Fn(Vec<u8>) -> Vec<u8>) -> Vec<u8> {
    let (resolve, world) = resolved(wit);
    let package = resolve.worlds[world].package.unwrap();
    let docs = edit(PackageMetadata::extract(&resolve, package).encode().unwrap());
    let mut module = dummy_module(&resolve, world, ManglingAndAbi::Standard32);
    embed_component_metadata(&mut module, &resolve, world, StringEncoding::UTF8).unwrap();
    let mut component = ComponentEncoder::default().module(&module).unwrap().encode().unwrap();
    let name = b"\x0cpackage-docs";
    component.push(0);
    let mut bytes = u32::try_from(name.len() + docs.len()).unwrap();
    while bytes >= 0x80 {
        component.push((bytes & 0x7f) as u8 | 0x80);
        bytes >>= 7;
    }
    component.push(u8::try_from(bytes).unwrap());
    component.extend(name);
    component.extend(docs);
    component
}

#[test]
fn package_docs_reach_functions_types_fields_and_cases() {
    let read = read(&documented(DOCUMENTED, |docs| docs)).unwrap();
    assert_eq!(read.docs_fault, None);
    let docs: Vec<_> = read.functions.iter().map(|function| function.docs.as_deref()).collect();
    assert_eq!(docs, [Some("Pings."), Some("Gets the weather.\n\nIn one city."), Some("Goes.")]);
    let get = &read.functions[1];
    assert_eq!(input_schema(get)["properties"]["city"]["description"], "A city.");
    let weather = &output_schema(get)["$defs"]["WeatherData"];
    assert_eq!(weather["description"], "Weather now.");
    assert_eq!(weather["properties"]["temperature"]["description"], "Degrees Celsius.");
    let way = &input_schema(&read.functions[2])["$defs"]["Way"];
    assert_eq!(way["description"], "How.\n- fast: Not slow.");
}

#[test]
fn a_component_without_docs_works() {
    let read = read_wit(DOCUMENTED);
    assert_eq!(read.functions.len(), 3);
    assert!(read.functions.iter().all(|function| function.docs.is_none()));
}

#[test]
fn docs_that_cannot_be_read_are_told_and_the_component_works() {
    for (docs, fault) in [
        (&b""[..], "it is empty"),
        (b"\x02{}", "its version 2 is not known"),
        (b"\x01{", "EOF while parsing an object at line 1 column 1"),
        (b"\x01{\"worlds\":1}", "invalid type: integer `1`, expected a map at line 1 column 11"),
        (&[b'\x01'; (1 << 20) + 1], "it has 1048577 bytes, more than 1048576"),
    ] {
        let read = read(&documented(DOCUMENTED, |_| docs.to_vec())).unwrap();
        assert_eq!(read.functions.len(), 3);
        let text = read.docs_fault.unwrap().to_string();
        assert_eq!(text, format!("its `package-docs` section is not read: {fault}"));
    }
}

#[test]
fn docs_of_other_things_are_left_aside() {
    let docs = r#"{"docs":"x","other":1,"worlds":{"z":{"func_exports":{"ping":"New."}}},
        "interfaces":{"api":{"funcs":{"get-weather":{"docs":"Old.","stability":1},"no":"x"},
        "types":{"weather-data":{"items":{"no":"x"}},"no":{}}},"no":{}}}"#;
    let read = read(&documented(DOCUMENTED, |_| [b"\0", docs.as_bytes()].concat())).unwrap();
    assert_eq!(read.docs_fault, None);
    let docs: Vec<_> = read.functions.iter().map(|function| function.docs.as_deref()).collect();
    assert_eq!(docs, [Some("New."), Some("Old."), None]);
}

#[test]
fn long_docs_are_cut() {
    let docs = format!(
        r#"{{"interfaces":{{"api":{{"funcs":{{"get-weather":"{}"}}}}}}}}"#,
        "ü".repeat(3000)
    );
    let read = read(&documented(DOCUMENTED, |_| [b"\x01", docs.as_bytes()].concat())).unwrap();
    assert_eq!(read.functions[1].docs.as_ref().unwrap().len(), 4096);
}

#[test]
fn named_types_know_where_they_come_from() {
    let wit = "package a:b;
        interface types { record point { x: u8 } type alias = point; }
        interface api { use types.{point, alias}; f: func(a: point, b: alias) -> list<point>; }
        world w { export api; }";
    let read = read_wit(wit);
    let function = &read.functions[0];
    let Type::Named(point) = &function.parameters[0].ty else { panic!("{function:?}") };
    assert_eq!((point.wit_name.as_str(), point.interface.as_deref()), ("point", Some("types")));
    let Type::Alias(alias) = &function.parameters[1].ty else { panic!("{function:?}") };
    assert_eq!(alias.wit_name, "alias");
    assert_eq!(alias.ty, Type::Named(point.clone()));
    assert_eq!(input_schema(function)["$defs"].as_object().unwrap().len(), 1);
}

#[test]
fn bytes_alone_are_known() {
    let wit = api("type data = list<u8>; a: func() -> data; b: func() -> result<data, string>;
         c: func() -> list<list<u8>>;");
    let read = read_wit(&wit);
    let bytes: Vec<_> = read.functions.iter().map(Function::returns_bytes).collect();
    assert_eq!(bytes, [true, false, false]);
}
