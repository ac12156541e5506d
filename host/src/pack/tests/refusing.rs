//! What is not packed, and what is said about it.

use super::super::Said;
use super::super::testing::{component, pack_into, packed};

const WIT: &str = "package a:b@1.0.0;
    interface api {
        record parcel { code: string, grams: u32 }
        enum colour { red, blue }
        send: func(parcel: parcel, days-ahead: u8, colour: colour) -> u64;
        scores: func() -> list<tuple<string, u8>>;
        ping: func();
    }
    world w { export api; }";

fn fault(overlay: &str) -> String {
    packed(WIT, overlay).unwrap_err()
}

#[test]
fn keys_that_are_not_known_are_named_with_line_and_column() {
    let error = fault("[functions.send]\n\ntitel = 'x'\n");
    assert!(error.starts_with("o.toml:3:1: unknown field `titel`"), "{error}");
    assert!(error.ends_with("; did you mean `title`?"), "{error}");
    let error = fault("[functions.send]\nhints = { readonly = true }\n");
    assert!(error.starts_with("o.toml:2:11: unknown field `readonly`"), "{error}");
    assert!(fault("[functions.send\n").starts_with("o.toml:1:16: "));
    assert!(fault("[requires]\nclient = ['telepathy']\n").starts_with("o.toml:2:11: "));
}

#[test]
fn what_the_component_does_not_have_is_named_where_it_is_said() {
    let nearest = |place: &str, name: &str, near: &str| {
        format!("{place}: the component has no `{name}` here; the nearest is `{near}`")
    };
    for (overlay, error) in [
        ("[functions.sent]\n", nearest("o.toml:1:12: functions", "sent", "send")),
        (
            "[functions.send]\ntitle = 'S'\n[functions.send.parameters.days]\ntitle = 'D'\n",
            nearest("o.toml:3:28: function `send`", "days", "days-ahead"),
        ),
        ("\n[types.parcle]\n", nearest("o.toml:2:8: types", "parcle", "parcel")),
        (
            "[types.parcel]\nfields.code.max_length = 9\nfields.gram.minimum = 1\n",
            nearest("o.toml:3:8: type `parcel`", "gram", "grams"),
        ),
        (
            "[types.colour.cases]\nred = 'R'\ngreen = 'G'\n",
            nearest("o.toml:3:1: type `colour`", "green", "red"),
        ),
        (
            "functions.pin.leave_out = true\n",
            "o.toml:1:11: functions: the component has no `pin` to leave out".to_owned(),
        ),
    ] {
        assert_eq!(fault(overlay), error);
    }
}

#[test]
fn what_does_not_fit_is_told_where_it_is_said() {
    for (overlay, error) in [
        (
            "[functions.send.parameters.days-ahead]\ndefault = 'x'\n",
            "o.toml:1:28: `days-ahead` of function `send`: its default does not fit: \
             Input should be a valid integer",
        ),
        (
            "[types.parcel.fields]\ngrams.pattern = 'a'\n",
            "o.toml:2:1: `grams` of type `parcel`: `pattern` says nothing of such a type",
        ),
        (
            "[functions.ping]\nvalue.title = 'x'\n",
            "o.toml:2:1: the value of function `ping`: it gives none",
        ),
        (
            "[functions.ping]\nleave_out = true\ntitle = 'x'\n",
            "o.toml:1:12: function `ping`: it is left out, so that nothing else can be said of it",
        ),
        (
            "[functions.ping]\nleave_out = true\n[types.colour]\nminimum = 1\n",
            "o.toml:3:8: type `colour`: `minimum` says nothing of such a type",
        ),
        (
            "[functions.send.value]\nexamples = [1979-05-27]\n",
            "o.toml:2:13: a date is written as a \"string\" here",
        ),
        (
            "[functions.send.parameters.days-ahead]\nmaximum = inf\n",
            "o.toml:2:11: JSON has no such number; leave the key out for no bound",
        ),
    ] {
        assert_eq!(fault(overlay), error);
    }
}

#[test]
fn a_tool_that_would_be_refused_for_what_is_said_of_it_is_not_packed() {
    let error = fault("[functions.send.parameters.days-ahead]\ndefault = 9\nmaximum = 8\n");
    assert_eq!(
        error,
        "o.toml:1:28: `days-ahead` of function `send`: tool `send` would be refused with this: the \
         default at #/properties/days_ahead does not fit: Input should be less than or equal to 8"
    );
    let error = fault("[types.parcel.fields.code]\npattern = '(?<=a)b'\n");
    let start = "o.toml:1:22: `code` of type `parcel`: tool `send` would be refused with this: ";
    assert!(error.starts_with(start), "{error}");
    assert!(error.contains("(?<=a)b"), "{error}");
    let long = format!("[functions.send]\ndescription = '{}'\n", "x".repeat(2000));
    let start = "o.toml:1:12: function `send`: tool `send` would be refused with this: its desc";
    assert!(fault(&long).starts_with(start), "{}", fault(&long));
    let hidden = WIT.replace("ping: func()", "/// Not \u{200b} seen.\n ping: func()");
    for overlay in ["", "functions.ping.title = 'Ping'"] {
        let error = pack_into(&component(WIT), &hidden, overlay).unwrap_err();
        assert!(error.starts_with("tool `ping` would be refused"), "{error}");
    }
}

#[test]
fn what_does_not_go_together_is_laid_to_what_comes_last() {
    let wit = WIT
        .replace("record parcel { code: string", "type code = string; record parcel { code: code");
    let overlay = "[types.parcel.fields]\ncode.default = 'x'\n[types.code]\npattern = '^[0-9]$'\n";
    let error = packed(&wit, overlay).unwrap_err();
    let text = "o.toml:3:8: type `code`: tool `send` would be refused with this: the default at \
                #/$defs/Parcel/properties/code does not fit: String should match pattern '^[0-9]$'";
    assert_eq!(error, text);
}

#[test]
fn a_short_name_that_is_covered_everywhere_is_told_where_it_stands() {
    let covered = |place: &str, name: &str, kind: &str| {
        format!(
            "o.toml:{place}s: `{name}` is covered by the whole name of every {kind} that it could \
             mean; remove it"
        )
    };
    let whole = "a:b/api@1.0.0#ping";
    let parcel = covered("1:8: type", "parcel", "type");
    assert_eq!(fault("[types.parcel]\ntitle = 'a'\n[types.'api.parcel']\ntitle = 'b'\n"), parcel);
    let parcel = covered("3:8: type", "parcel", "type");
    assert_eq!(fault("[types.'api.parcel']\ntitle = 'b'\n[types.parcel]\ntitle = 'a'\n"), parcel);
    let ping = covered("1:12: function", "ping", "function");
    for (short, long) in [
        ("title = 'a'", "title = 'b'"),
        ("title = 'a'", "leave_out = true"),
        ("leave_out = true", "title = 'b'"),
    ] {
        let overlay = format!("[functions.ping]\n{short}\n[functions.'{whole}']\n{long}\n");
        assert_eq!(fault(&overlay), ping);
    }
}

#[test]
fn nothing_is_said_of_a_value_without_a_schema() {
    let what = "it gives content alone, whose value has no schema; nothing can be said of it but \
                `large_integers` and `pairs_as_map`";
    for said in ["minimum = 2", "title = 'x'", "examples = [1]"] {
        let overlay = format!("[functions.send]\ncontent_only = true\nvalue.{said}\n");
        let error = format!("o.toml:3:1: the value of function `send`: {what}");
        assert_eq!(fault(&overlay), error);
    }
    let kept = "[functions.scores]\ncontent_only = true\nvalue.pairs_as_map = true\n";
    assert!(packed(WIT, kept).is_ok());
}

#[test]
fn leaving_out_every_function_is_refused() {
    let overlay = "[functions]\nsend.leave_out = true\nping.leave_out = true\n";
    assert!(packed(WIT, overlay).is_ok());
    let error = fault(&format!("{overlay}scores.leave_out = true\n"));
    let what = "functions: all are left out, so that there is no tool; leave one in";
    assert_eq!(error, format!("o.toml:4:1: {what}"));
    let empty = "package a:b; world w {}";
    let error = packed(empty, "").unwrap_err();
    assert!(error.starts_with("cannot pack `c.wasm`: it exports no tools; "), "{error}");
}

#[test]
fn hidden_characters_in_what_the_component_is_called_are_refused() {
    for key in ["name", "version"] {
        let error = fault(&format!("[component]\n{key} = \"a\\u001Bb\"\n"));
        let what = "holds control, bidirectional, tag or zero-width characters: a\\u{1b}b";
        assert_eq!(error, format!("o.toml:2:1: component: its {key} {what}"));
    }
}

#[test]
fn a_component_of_another_world_is_refused_with_the_first_difference() {
    let component = component(WIT);
    let difference = |from: &str, to: &str| {
        let other = WIT.replace(from, to);
        assert_ne!(other, WIT);
        let error = pack_into(&component, &other, "").unwrap_err();
        let start = "the component is not of the world `a:b/w@1.0.0`: ";
        let error = error.strip_prefix(start).unwrap_or_else(|| panic!("{error}"));
        error.strip_suffix("; build it again, or name its own WIT").unwrap().to_owned()
    };
    let send = "function `a:b/api@1.0.0#send`";
    assert_eq!(
        difference("ping: func", "pong: func"),
        "it does not export `a:b/api@1.0.0#pong`; the nearest that it exports is \
         `a:b/api@1.0.0#ping`"
    );
    assert_eq!(
        difference("ahead: u8", "ahead: u16"),
        format!("{send}: `days-ahead`: u16 in the WIT, u8 in the component")
    );
    assert_eq!(
        difference("days-ahead", "days"),
        format!(
            "{send}: its parameters are `parcel`, `days`, `colour` in the WIT, `parcel`, \
             `days-ahead`, `colour` in the component"
        )
    );
    assert_eq!(
        difference("grams: u32", "grams: option<u32>"),
        format!(
            "{send}: `parcel`: type `parcel`: `grams`: option<u32> in the WIT, u32 in the component"
        )
    );
    assert_eq!(
        difference("red, blue", "red, green"),
        format!(
            "{send}: `colour`: type `colour`: its cases are `red`, `green` in the WIT, `red`, \
             `blue` in the component"
        )
    );
    assert_eq!(
        difference("-> u64", "-> result<u64>"),
        format!("{send}: its result: only the WIT's is a `result`")
    );
    assert_eq!(
        difference("ping: func()", "ping: func() -> bool"),
        "function `a:b/api@1.0.0#ping`: its result: bool in the WIT, nothing in the component"
    );
}

#[test]
fn what_is_no_component_of_typed_exports_is_refused() {
    let refused = |bytes: &[u8]| pack_into(bytes, WIT, "").unwrap_err();
    assert!(refused(b"(component)").starts_with("cannot pack `c.wasm`: it is not a WebAssembly"));
    assert!(refused(b"\0asm\x01\0\0\0").contains("it is a core WebAssembly module"));
    let component = component(WIT);
    let cut = refused(&component[..component.len() - 3]);
    assert!(cut.starts_with("cannot pack `c.wasm`: it is damaged: "), "{cut}");
}

#[test]
fn a_flood_of_what_is_not_there_ends_soon() {
    let (interfaces, exports): (String, String) = (0..200)
        .map(|n| {
            let interface = format!("interface i{n} {{ use t.{{r}}; f: func(r: r); }} ");
            (interface, format!("export i{n}; "))
        })
        .unzip();
    let wit = format!(
        "package a:b; interface t {{ record r {{ a: u8 }} }} {interfaces} world w {{ {exports} }}"
    );
    let component = component(&wit);
    let keys: String = (0..5000).map(|n| format!("x{n} = {{}}\n")).collect();
    for table in ["functions", "types", "functions.f.parameters", "types.r.fields"] {
        let overlay = format!("[{table}]\n{keys}");
        let said: Said = toml::from_str(&overlay).unwrap();
        let read = crate::schema::wit::read(&component).unwrap();
        let unfit = said.apply(&mut read.clone()).unwrap_err();
        assert!(unfit.len() <= 70, "{table}: {}", unfit.len());
    }
}

#[test]
fn what_is_said_by_a_short_name_is_not_multiplied_without_end() {
    let (interfaces, exports): (String, String) = (0..20)
        .map(|n| (format!("interface i{n} {{ f: func(); }} "), format!("export i{n}; ")))
        .unzip();
    let wit = format!("package a:b; {interfaces} world w {{ {exports} }}");
    let overlay = format!("functions.f.description = '{}'", "x".repeat(60_000));
    let error = packed(&wit, &overlay).unwrap_err();
    let text = "o.toml:1:11: function `f`: too much is said of 20 functions at once";
    assert_eq!(error, text);
}
