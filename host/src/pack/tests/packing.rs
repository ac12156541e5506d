//! What is packed.

use serde_json::json;

use super::super::testing::{component, pack_into, packed, tools};
use super::super::{SECTION, Said};

const WIT: &str = "package a:b@1.0.0;
    interface types {
        /// Letters.
        type code = string;
        /// A thing.
        record thing {
            /// Its code.
            code: code,
            size: option<u32>,
        }
        /// What went wrong.
        variant fault {
            /// Nobody knows it.
            unknown(string),
            other,
        }
    }
    interface api {
        use types.{thing, fault};
        /// Finds a thing.
        find: func(code: string) -> result<thing, fault>;
        keep: func(thing: thing, faults: list<fault>);
    }
    world w {
        export api;
        /// Of the world.
        export find: func(n: u32) -> u32;
    }";

#[test]
fn docs_come_from_the_source_to_where_they_belong() {
    let packed = packed(&WIT.replace("export find:", "export seek:"), "").unwrap();
    assert_eq!(packed.documented, ["seek", "a:b/api@1.0.0#find"]);
    assert_eq!(packed.undocumented, ["a:b/api@1.0.0#keep"]);
    let tools = tools(&packed.component);
    assert_eq!(tools["seek"]["description"], "Of the world.");
    assert_eq!(tools["find"]["description"], "Finds a thing.");
    let thing = &tools["keep"]["input"]["$defs"]["Thing"];
    assert_eq!(thing["description"], "A thing.");
    assert_eq!(thing["properties"]["code"]["description"], "Its code.");
    let fault = tools["keep"]["input"]["$defs"]["Fault"].to_string();
    assert!(fault.contains("What went wrong.") && fault.contains("Nobody knows it."), "{fault}");
}

#[test]
fn packing_twice_gives_equal_bytes_and_packing_otherwise_replaces() {
    let bare = component(WIT);
    let once = pack_into(&bare, WIT, "component.name = 'one'").unwrap().component;
    let twice = pack_into(&once, WIT, "component.name = 'one'").unwrap().component;
    assert!(once == twice);
    let otherwise = pack_into(&once, WIT, "component.name = 'two'").unwrap().component;
    let said = Said::read(&otherwise).unwrap().unwrap();
    assert_eq!(said.component.name, "two");
    let places = otherwise.windows(SECTION.len()).filter(|name| *name == SECTION.as_bytes());
    assert_eq!(places.count(), 1);
    assert!(otherwise.starts_with(&bare));
}

#[test]
fn what_is_said_by_a_short_name_is_said_of_all_that_have_it() {
    let overlay = "[functions.find]\ntitle = 'Find'\n[types.thing.fields.size]\nmaximum = 9\n\
                   [functions.'a:b/api@1.0.0#find']\nleave_out = true\n";
    let packed = packed(WIT, overlay).unwrap();
    assert_eq!(packed.left_out, ["a:b/api@1.0.0#find"]);
    let tools = tools(&packed.component);
    assert_eq!(tools["find"]["title"], "Find");
    assert_eq!(tools["find"]["description"], "Of the world.");
    let size = &tools["keep"]["input"]["$defs"]["Thing"]["properties"]["size"];
    assert_eq!(size["anyOf"][0]["maximum"], 9);
}

#[test]
fn what_is_said_of_the_worlds_own_is_not_said_of_namesakes() {
    let wit = "package a:b;
        interface api { record thing { a: u8 } find: func(x: thing); }
        world w {
            export api;
            /// A thing of the world.
            record thing { a: u8 }
            /// Of the world.
            export find: func(x: thing);
        }";
    let packed = packed(wit, "").unwrap();
    let mut read = crate::schema::wit::read(&packed.component).unwrap();
    Said::read(&packed.component).unwrap().unwrap().apply(&mut read).unwrap();
    let docs = |name: &str| {
        let function = read.functions.iter().find(|f| f.to_string() == name).unwrap();
        let schema = crate::schema::wit::input_schema(function);
        (function.docs.clone(), schema["$defs"]["Thing"].get("description").cloned())
    };
    assert_eq!(docs("a:b/api#find"), (None, None));
    let own = (Some("Of the world.".to_owned()), Some(json!("A thing of the world.")));
    assert_eq!(docs("find"), own);
}

#[test]
fn what_only_left_out_functions_use_is_not_written() {
    let overlay = "functions.keep.leave_out = true\n\
                   functions.'a:b/api@1.0.0#find'.leave_out = true";
    let packed = packed(WIT, overlay).unwrap();
    let tools = tools(&packed.component);
    assert_eq!(tools.as_object().unwrap().keys().collect::<Vec<_>>(), ["find"]);
    let said = serde_json::to_value(Said::read(&packed.component).unwrap().unwrap()).unwrap();
    assert_eq!(said.get("types"), None);
}

#[test]
fn a_component_with_functions_beyond_the_world_is_packed_and_says_which_lack_docs() {
    let more = WIT.replace("world w {", "world w { export extra: func();");
    let packed = pack_into(&component(&more), WIT, "").unwrap();
    assert!(packed.undocumented.contains(&"extra".to_owned()), "{:?}", packed.undocumented);
}

#[test]
fn functions_of_one_tool_name_are_told_until_one_is_left_out() {
    let refused = packed(WIT, "").unwrap().refused;
    let names: Vec<&str> = refused.iter().map(|refusal| refusal.tool.as_str()).collect();
    assert_eq!(names, ["find", "a:b/api@1.0.0#find"]);
    let one = packed(WIT, "functions.'a:b/api@1.0.0#find'.leave_out = true").unwrap();
    assert!(one.refused.is_empty());
}

#[test]
fn functions_that_cannot_be_tools_are_told_and_may_be_left_out() {
    let wit = "package a:b; interface api {
            resource r;
            bad: func(r: own<r>);
            /// Good.
            good: func() -> string;
        }
        world w { export api; }";
    let refused = packed(wit, "").unwrap().refused;
    let names: Vec<&str> = refused.iter().map(|refusal| refusal.tool.as_str()).collect();
    assert_eq!(names, ["a:b/api#bad"]);
    assert!(refused[0].reason.contains("resource"), "{}", refused[0].reason);
    let quiet = packed(wit, "functions.bad.leave_out = true").unwrap();
    assert!(quiet.refused.is_empty());
    assert_eq!(quiet.left_out, ["a:b/api#bad"]);
    assert_eq!(tools(&quiet.component)["good"]["description"], json!("Good."));
}

#[test]
fn a_damaged_descriptor_is_an_error_or_says_something_else_and_never_a_panic() {
    let overlay = "[functions.find]\ntitle = 'F'\nhints.read_only = true\n\
                   [types.thing.fields.size]\nmaximum = 9\nexamples = [1]\n";
    let packed = packed(WIT, overlay).unwrap().component;
    let read = crate::schema::wit::read(&packed).unwrap();
    let json = packed.windows(11).rposition(|bytes| bytes == br#"{"version":"#).unwrap();
    for at in json..packed.len() {
        for bit in 0..8 {
            let mut damaged = packed.clone();
            damaged[at] ^= 1 << bit;
            if let Ok(Some(said)) = Said::read(&damaged) {
                let _ = said.apply(&mut read.clone());
            }
        }
    }
}
