//! A page: its blocks, and what comes of them.

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

use serde_json::json;
use tempfile::TempDir;

use crate::harness::{Era, Server, checkout, ended, path_with, with_settings};

/// A fenced block.
#[derive(Debug, PartialEq)]
enum Block {
    File { path: String, text: String },
    Commands { line: usize, text: String, stdout: Option<String> },
}

/// The blocks of a page in docs/.
#[derive(Debug)]
pub(super) struct Page {
    name: String,
    blocks: Vec<Block>,
}

/// Stands for anything in what a page shows.
const ANYTHING: char = '…';
/// Where a shell says where it ended.
const PLACE: &str = ".place";
/// Where the words are of what a client would start, one a line.
const STARTS: &str = ".starts";

impl Page {
    pub(super) fn read(name: &str) -> Self {
        let file = checkout().join("docs").join(name).with_extension("md");
        let text = std::fs::read_to_string(&file)
            .unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let blocks = blocks(&text);
        let shown = blocks.iter().filter(|block| {
            matches!(block, Block::Commands { stdout: Some(stdout), .. } if !stdout.is_empty())
        });
        assert!(shown.count() > 0, "{name}.md shows nothing that could be compared");
        Self { name: name.to_owned(), blocks }
    }

    /// Does what the page says, in a directory of its own.
    pub(super) fn done(
        &self,
        brought: Option<&Path>,
        variables: &[(&str, OsString)],
        locks: &[(&str, &str)],
    ) {
        let place = TempDir::new().expect("the temporary directory can be written");
        let programs = programs(place.path());
        let work = place.path().join("work");
        std::fs::create_dir(&work).expect("the temporary directory can be written");
        let mut path = path_with(&programs);
        if let Some(brought) = brought {
            let both = [programs.as_os_str(), brought.as_os_str(), &path];
            path = both.join(std::ffi::OsStr::new(":"));
        }
        let settled = |program: &str| {
            let mut command = Command::new(program);
            with_settings(&mut command).env("PATH", &path);
            command.envs(variables.iter().map(|(name, value)| (name, value)));
            command.env("PAGE", place.path());
            command
        };
        let mut at = work.clone();
        for block in &self.blocks {
            match block {
                Block::File { path, text } => {
                    let file = work.join(path);
                    let written = std::fs::create_dir_all(file.parent().expect("it is in one"))
                        .and_then(|()| std::fs::write(&file, text));
                    written.unwrap_or_else(|error| panic!("{}.md: `{path}`: {error}", self.name));
                }
                Block::Commands { line, text, stdout } => {
                    let script = format!("set -eu\n{text}\npwd > \"$PAGE/{PLACE}\"\n");
                    let mut shell = settled("sh");
                    let run = ended(shell.args(["-c", &script]).current_dir(&at));
                    let of = format!("{}.md, line {line}:\n{text}", self.name);
                    assert_eq!(run.status, 0, "{of}\n{}{}", run.stdout, run.stderr);
                    if let Some(shown) = stdout {
                        assert!(is_as_shown(&run.stdout, shown), "{of}\n{}", run.stdout);
                    }
                    let ended_at = std::fs::read_to_string(place.path().join(PLACE));
                    at = ended_at.expect("it was written").trim_end().into();
                    for (from, to) in locks {
                        let to = work.join(to);
                        if to.parent().is_some_and(Path::is_dir) && !to.exists() {
                            std::fs::copy(checkout().join(from), to).expect("it can be copied");
                        }
                    }
                    self.start(place.path(), &settled, &at);
                }
            }
        }
    }

    /// Starts what a client was told to start, if it was.
    fn start(&self, place: &Path, settled: &impl Fn(&str) -> Command, at: &Path) {
        let file = place.join(STARTS);
        let Ok(words) = std::fs::read_to_string(&file) else { return };
        std::fs::remove_file(file).expect("it was just read");
        let mut words = words.lines();
        // Not by `settled`'s PATH, which is that of the command that is started.
        let program = words.next().expect("a command has a name");
        assert_eq!(program, "portcullis", "{}.md", self.name);
        let program = place.join("programs").join(program);
        let mut command = settled(&program.display().to_string());
        let mut server = Server::of(Era::Handshake, command.args(words).current_dir(at));
        let listed = server.request("tools/list", json!({}));
        let count = listed["result"]["tools"].as_array().map_or(0, Vec::len);
        assert!(count > 0, "{}.md: {listed}\n{}", self.name, server.log());
    }
}

/// A directory with the command, and with a client's own command that notes what it is to start.
fn programs(place: &Path) -> std::path::PathBuf {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let programs = place.join("programs");
    let claude = programs.join("claude");
    let script = format!(
        "#!/bin/sh\nset -eu\n[ \"$1 $2 $4\" = 'mcp add --' ]\nshift 4\nprintf '%s\\n' \"$@\" > \"$PAGE/{STARTS}\"\n"
    );
    let written = std::fs::create_dir(&programs)
        .and_then(|()| {
            symlink(env!("CARGO_BIN_EXE_portcullis-tested"), programs.join("portcullis"))
        })
        .and_then(|()| std::fs::write(&claude, script))
        .and_then(|()| std::fs::set_permissions(&claude, std::fs::Permissions::from_mode(0o755)));
    written.expect("the temporary directory can be written");
    programs
}

fn blocks(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut lines = text.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        let Some(info) = line.strip_prefix("```") else { continue };
        let body: String = lines
            .by_ref()
            .map(|(_, line)| line)
            .take_while(|line| *line != "```")
            .map(|line| format!("{line}\n"))
            .collect();
        match info.split_once(' ') {
            Some((_, path)) => blocks.push(Block::File { path: path.to_owned(), text: body }),
            None if info == "sh" => {
                blocks.push(Block::Commands { line: number + 1, text: body, stdout: None });
            }
            None if info == "text" => match blocks.last_mut() {
                Some(Block::Commands { stdout: stdout @ None, .. }) => *stdout = Some(body),
                _ => panic!("line {}: text is what commands before it print", number + 1),
            },
            None => panic!("line {}: a block is a file, `sh` or `text`", number + 1),
        }
    }
    blocks
}

/// Whether what was printed is what is shown, line ends included.
fn is_as_shown(printed: &str, shown: &str) -> bool {
    let mut parts = shown.split(ANYTHING);
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = printed.strip_prefix(first) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, between)) = parts.split_last() else { return rest.is_empty() };
    for part in between {
        match rest.find(part) {
            Some(found) => rest = &rest[found + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}
