//! What is not packed: one line says why, and every file keeps its bytes.

use libtest_mimic::Trial;

use super::{PACK, Place, bytes, component, package, unpacked};
use crate::harness::{Run, named, trials as named_trials};

pub(super) fn trials() -> Vec<Trial> {
    named_trials(
        "cli::pack",
        named![
            an_overlay_with_an_unknown_key_is_told_with_its_place,
            an_overlay_of_what_is_not_there_is_told_with_its_place,
            an_overlay_that_does_not_fit_is_told_with_its_place,
            an_overlay_of_nothing_that_fits_is_told_with_its_place,
            an_overlay_that_a_tool_is_refused_for_is_told_with_its_place,
            an_overlay_that_would_be_ignored_is_told_with_its_place,
            an_overlay_that_leaves_no_tool_is_told_with_its_place,
            an_overlay_with_hidden_characters_is_told_with_its_place,
            an_overlay_that_is_no_toml_is_told_with_its_place,
            files_that_are_not_there_are_named,
            wit_of_another_component_is_refused,
            more_than_one_world_has_to_be_named,
            wit_with_an_error_is_told_with_its_place,
            a_component_that_describes_itself_is_refused,
            what_is_no_component_is_refused,
            a_component_that_is_cut_is_refused,
            an_output_that_cannot_be_written_is_refused,
        ],
    )
}

fn wit() -> String {
    package("/// Sends it.\nsend: func(days-ahead: u8) -> string;\nping: func();")
}

fn shop(overlay: &str) -> Place {
    unpacked(&wit(), &[("send", "\"sent\"")], overlay)
}

/// Packing ends with this line, in place and into another file, and changes nothing.
fn refused(place: &Place, arguments: &[&str], why: &str) {
    let before = files(place);
    for arguments in [arguments.to_vec(), [arguments, &["-o", "new.wasm"]].concat()] {
        let stderr = format!("portcullis: {why}\n");
        let run = place.run(&arguments);
        assert_eq!(run, Run { status: 2, stdout: String::new(), stderr }, "{arguments:?}");
        assert!(files(place) == before, "{arguments:?} changed a file");
    }
}

/// The names and bytes of all files.
fn files(place: &Place) -> Vec<(String, Vec<u8>)> {
    let entries = std::fs::read_dir(place.path()).expect("it is a directory");
    let mut files: Vec<_> = entries
        .map(|entry| entry.expect("it can be read"))
        .filter(|entry| entry.path().is_file())
        .map(|entry| entry.file_name().into_string().expect("it is UTF-8"))
        .map(|name| (name.clone(), bytes(place, &name)))
        .collect();
    files.sort();
    files
}

fn an_overlay_with_an_unknown_key_is_told_with_its_place() {
    let why = "o.toml:3:1: unknown field `titel`, expected one of `title`, `description`, `hints`, \
               `large_integers`, `content_only`, `leave_out`, `parameters`, `value`; did you mean \
               `title`?";
    refused(&shop("[functions.send]\ncontent_only = true\ntitel = \"Send\"\n"), &PACK, why);
}

fn an_overlay_of_what_is_not_there_is_told_with_its_place() {
    let why = "o.toml:4:12: functions: the component has no `sent` here; the nearest is `send`";
    let overlay = "[functions.ping]\ntitle = \"Ping\"\n\n[functions.sent]\ntitle = \"Sent\"\n";
    refused(&shop(overlay), &PACK, why);
    let why = "o.toml:1:28: function `send`: the component has no `days` here; the nearest is \
               `days-ahead`";
    refused(&shop("[functions.send.parameters.days]\nmaximum = 9\n"), &PACK, why);
}

fn an_overlay_that_does_not_fit_is_told_with_its_place() {
    let why = "o.toml:1:28: `days-ahead` of function `send`: its range is not within 0 to 255, \
               that of its type";
    for bound in ["maximum = 256", "exclusive_maximum = 300"] {
        let overlay = format!("[functions.send.parameters.days-ahead]\n{bound}\n");
        refused(&shop(&overlay), &PACK, why);
    }
    let why = "o.toml:2:1: `days-ahead` of function `send`: its default does not fit: Input should \
               be a valid integer";
    let overlay = "[functions.send.parameters]\ndays-ahead.default = \"x\"\n";
    refused(&shop(overlay), &PACK, why);
    let why = "o.toml:1:16: the value of function `send`: `min_items` says nothing of such a type";
    refused(&shop("functions.send.value.min_items = 1\n"), &PACK, why);
}

fn an_overlay_of_nothing_that_fits_is_told_with_its_place() {
    for (range, why) in [
        ("minimum = 9\nmaximum = 8", "no integer of its type is in its range"),
        ("minimum = 0.5\nmaximum = 0.7", "no integer of its type is in its range"),
        ("exclusive_minimum = 255", "no integer of its type is in its range"),
    ] {
        let overlay = format!("[functions.send.parameters.days-ahead]\n{range}\n");
        let why = format!("o.toml:1:28: `days-ahead` of function `send`: nothing fits: {why}");
        refused(&shop(&overlay), &PACK, &why);
    }
    let why = "o.toml:2:1: the value of function `send`: nothing fits: `min_length` is more than \
               `max_length`";
    let overlay = "[functions.send]\nvalue = { min_length = 3, max_length = 2 }\n";
    refused(&shop(overlay), &PACK, why);
}

fn an_overlay_that_a_tool_is_refused_for_is_told_with_its_place() {
    let why = "o.toml:1:28: `days-ahead` of function `send`: tool `send` would be refused with \
               this: the default at #/properties/days_ahead does not fit: Input should be less \
               than or equal to 8";
    let overlay = "[functions.send.parameters.days-ahead]\ndefault = 9\nmaximum = 8\n";
    refused(&shop(overlay), &PACK, why);
}

fn an_overlay_that_would_be_ignored_is_told_with_its_place() {
    let why = "o.toml:1:12: functions: `ping` is covered by the whole name of every function that \
               it could mean; remove it";
    let overlay = "[functions.ping]\ntitle = \"Ping\"\n\
                   [functions.\"test:shop/api@1.0.0#ping\"]\ntitle = \"Pong\"\n";
    refused(&shop(overlay), &PACK, why);
    let why = "o.toml:3:1: the value of function `send`: it gives content alone, whose value has \
               no schema; nothing can be said of it but `large_integers` and `pairs_as_map`";
    let overlay = "[functions.send]\ncontent_only = true\nvalue.min_length = 2\n";
    refused(&shop(overlay), &PACK, why);
}

fn an_overlay_that_leaves_no_tool_is_told_with_its_place() {
    let why = "o.toml:3:1: functions: all are left out, so that there is no tool; leave one in";
    let overlay = "[functions]\nsend.leave_out = true\nping.leave_out = true\n";
    refused(&shop(overlay), &PACK, why);
}

fn an_overlay_with_hidden_characters_is_told_with_its_place() {
    let why = "o.toml:1:11: component: its name holds control, bidirectional, tag or zero-width \
               characters: a\\u{1b}b";
    refused(&shop("component.name = \"a\\u001Bb\"\n"), &PACK, why);
}

fn an_overlay_that_is_no_toml_is_told_with_its_place() {
    let run = shop("[functions.send\n").run(&PACK);
    assert_eq!((run.status, run.stdout.as_str()), (2, ""));
    assert!(run.stderr.starts_with("portcullis: o.toml:1:16: "), "{}", run.stderr);
    assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
}

fn files_that_are_not_there_are_named() {
    let gone = "No such file or directory (os error 2)";
    let place = shop("");
    let why = format!("cannot pack `gone.wasm`: {gone}; name a component (.wasm) that can be read");
    refused(&place, &["pack", "gone.wasm", "--wit", "shop.wit"], &why);
    let why = format!(
        "cannot read the WIT in `gone`: {gone}; name the directory, or the file, that the package \
         is in"
    );
    refused(&place, &["pack", "shop.wasm", "--wit", "gone"], &why);
    let why = format!("cannot read `gone.toml`: {gone}; name an overlay file that can be read");
    let arguments = ["pack", "shop.wasm", "--wit", "shop.wit", "--overlay", "gone.toml"];
    refused(&place, &arguments, &why);
}

fn wit_of_another_component_is_refused() {
    let world = "the component is not of the world `test:shop/w@1.0.0`: ";
    let end = "; build it again, or name its own WIT";
    let type_differs = "function `test:shop/api@1.0.0#send`: `days-ahead`: u16 in the WIT, u8 in \
                        the component";
    let name_differs = "it does not export `test:shop/api@1.0.0#pong`; the nearest that it exports \
                        is `test:shop/api@1.0.0#ping`";
    for (from, to, what) in [
        ("days-ahead: u8", "days-ahead: u16", type_differs),
        ("ping: func()", "pong: func()", name_differs),
    ] {
        let place = shop("").file("shop.wit", wit().replace(from, to).as_bytes());
        refused(&place, &PACK, &format!("{world}{what}{end}"));
    }
}

fn more_than_one_world_has_to_be_named() {
    let place = shop("").file("shop.wit", (wit() + "world v {}\n").as_bytes());
    let why = "cannot read the WIT in `shop.wit`: there is more than one world; leave one, or \
               say which with `pack --world`: `w`, `v`";
    refused(&place, &PACK, why);
    let why = "cannot read the WIT in `shop.wit`: there is no world `u`; it has `w`, `v`";
    refused(&place, &[&PACK[..], &["--world", "u"]].concat(), why);
}

fn wit_with_an_error_is_told_with_its_place() {
    let place = shop("").file("shop.wit", wit().replace("-> string;", "->;").as_bytes());
    let why = "cannot read the WIT in `shop.wit`: shop.wit:4:30: expected a type, found ';'";
    refused(&place, &PACK, why);
    let place = shop("").file("shop.wit", wit().replace("string", "text").as_bytes());
    let why = "cannot read the WIT in `shop.wit`: shop.wit:4:31: name `text` does not exist";
    refused(&place, &PACK, why);
}

fn a_component_that_describes_itself_is_refused() {
    let place = Place::with_weather().file("shop.wit", wit().as_bytes());
    let why = "cannot pack `weather.wasm`: it exports `portcullis:guest/tools` and describes \
               itself; say it in its source";
    refused(&place, &["pack", "weather.wasm", "--wit", "shop.wit"], why);
}

fn what_is_no_component_is_refused() {
    let module = "it is a core WebAssembly module, not a component; build it for wasm32-wasip2, or \
                  make a component of it with `wasm-tools component new`";
    let text = "it is not a WebAssembly binary; name a component (.wasm) or a directory of them";
    for (content, what) in [(&b"\0asm\x01\0\0\0"[..], module), (b"(component)", text), (b"", text)]
    {
        let place = shop("").file("shop.wasm", content);
        refused(&place, &PACK, &format!("cannot pack `shop.wasm`: {what}"));
    }
}

fn a_component_that_is_cut_is_refused() {
    let whole = component(&wit(), &[("send", "\"sent\"")]);
    for length in [9, 100, whole.len() / 2, whole.len() - 1] {
        let place = shop("").file("shop.wasm", &whole[..length]);
        let run = place.run(&PACK);
        assert_eq!((run.status, run.stdout.as_str()), (2, ""));
        let why = "portcullis: cannot pack `shop.wasm`: it is damaged: ";
        assert!(run.stderr.starts_with(why), "{length}: {}", run.stderr);
        assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
        assert!(bytes(&place, "shop.wasm") == whole[..length]);
    }
}

fn an_output_that_cannot_be_written_is_refused() {
    let place = shop("").directory("taken");
    let source = bytes(&place, "shop.wasm");
    for (output, what) in
        [("none/new.wasm", "its directory does not exist"), ("taken", "it is not a file")]
    {
        let run = place.run(&[&PACK[..], &["-o", output]].concat());
        let stderr = format!(
            "portcullis: cannot write `{output}`: {what}; name a file that can be written\n"
        );
        assert_eq!(run, Run { status: 2, stdout: String::new(), stderr });
        assert!(bytes(&place, "shop.wasm") == source);
    }
}
