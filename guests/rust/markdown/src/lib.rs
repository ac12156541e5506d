//! What is in a Markdown text, as data: its outline, its links, its tables, and the text as HTML.

mod table;

use std::collections::HashMap;

use portcullis_guest::{Error, Full, Json, Result, tool};
use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, html};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

/// A row of a table, by its columns.
type Row = Map<String, Value>;

/// A heading.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
struct Heading {
    /// 1 for the highest, 6 for the lowest.
    level: u8,
    text: String,
    /// What a link to it ends with, after `#`, as GitHub makes it.
    anchor: String,
}

/// A link or an image.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
struct Link {
    url: String,
    text: String,
    title: Option<String>,
    is_image: bool,
}

/// The headings of a Markdown text, in order.
#[tool(read_only, idempotent, open_world = false)]
fn outline(
    /// CommonMark, or GitHub's Markdown.
    markdown: String,
) -> Vec<Heading> {
    let mut headings: Vec<Heading> = Vec::new();
    let mut taken: HashMap<String, usize> = HashMap::new();
    for (tag, text) in texts(&markdown, |tag| matches!(tag, Tag::Heading { .. })) {
        let Tag::Heading { level, .. } = tag else { continue };
        let plain = anchor(&text);
        let times = taken.entry(plain.clone()).or_default();
        let anchor = if *times == 0 { plain } else { format!("{plain}-{times}") };
        *times += 1;
        headings.push(Heading { level: number(level), text, anchor });
    }
    headings
}

/// The links and images of a Markdown text, in order, with their addresses as they are written.
#[tool(read_only, idempotent, open_world = false)]
fn links(
    /// CommonMark, or GitHub's Markdown.
    markdown: String,
) -> Vec<Link> {
    texts(&markdown, |tag| matches!(tag, Tag::Link { .. } | Tag::Image { .. }))
        .into_iter()
        .filter_map(|(tag, text)| match tag {
            Tag::Link { dest_url, title, .. } => Some((dest_url, title, text, false)),
            Tag::Image { dest_url, title, .. } => Some((dest_url, title, text, true)),
            _ => None,
        })
        .map(|(url, title, text, is_image)| Link {
            url: url.into_string(),
            text,
            title: Some(title.into_string()).filter(|title| !title.is_empty()),
            is_image,
        })
        .collect()
}

/// A table of a Markdown text, a record for each row. A column of numbers is numbers, and an empty
/// cell is null.
#[tool(read_only, idempotent, open_world = false)]
fn read_table(
    /// GitHub's Markdown.
    markdown: String,
    /// Which table, the first of the text being 1.
    #[default(1)]
    #[range(1..)]
    number: u32,
) -> Result<Full<Json<Vec<Row>>>> {
    let tables = table::all(parser(&markdown));
    let wanted = usize::try_from(number).ok().and_then(|number| number.checked_sub(1));
    let Some(table) = wanted.and_then(|wanted| tables.get(wanted)) else {
        let there = tables.len();
        return Err(Error::invalid_arguments(format!("the text has {there} tables")));
    };
    Ok(Full::new(Json::new(table.rows())).exact_schema(table.schema()))
}

/// A Markdown text as HTML, by CommonMark and GitHub's tables, task lists and strikethrough. HTML that
/// is in the text stays in it.
#[tool(read_only, idempotent, open_world = false)]
fn to_html(
    /// CommonMark, or GitHub's Markdown.
    markdown: String,
) -> String {
    let mut written = String::new();
    html::push_html(&mut written, parser(&markdown));
    written
}

fn parser(markdown: &str) -> Parser<'_> {
    let githubs =
        Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    Parser::new_ext(markdown, githubs)
}

/// The elements that are `wanted`, each with the text in it. One in another one comes before it.
fn texts(markdown: &str, wanted: impl Fn(&Tag) -> bool) -> Vec<(Tag<'_>, String)> {
    let mut found = Vec::new();
    let mut open: Vec<(Tag, String)> = Vec::new();
    for event in parser(markdown) {
        match event {
            Event::Start(tag) if wanted(&tag) => open.push((tag, String::new())),
            Event::End(end) if open.last().is_some_and(|(tag, _)| tag.to_end() == end) => {
                found.extend(open.pop());
            }
            Event::Text(text) | Event::Code(text) => {
                open.iter_mut().for_each(|(_, all)| all.push_str(&text));
            }
            Event::SoftBreak | Event::HardBreak => {
                open.iter_mut().for_each(|(_, all)| all.push(' '))
            }
            _ => {}
        }
    }
    found
}

fn number(level: HeadingLevel) -> u8 {
    level as u8
}

/// Lower case, dashes for spaces, and nothing but letters, digits, dashes and underscores.
fn anchor(heading: &str) -> String {
    let kept = |c: char| match c {
        ' ' => Some('-'),
        '-' | '_' => Some(c),
        _ => c.is_alphanumeric().then_some(c),
    };
    heading.to_lowercase().chars().filter_map(kept).collect()
}

#[cfg(test)]
mod tests {
    use portcullis_guest::testing;
    use serde_json::json;

    use super::*;

    const TEXT: &str = "\
# A *page* of `code`

## Notes: 1 & 2
[here](/url \"title\") and ![a *picture*](p.png)

## Notes: 1 & 2
| City | °C | Code | City |
|---|--:|---|---|
| London | 17 | 007 | |
| Oslo | -4.5 | 12 | x `y` |
";

    #[test]
    fn an_outline_has_githubs_anchors() {
        let anchors = ["a-page-of-code", "notes-1--2", "notes-1--2-1"];
        let found = outline(TEXT.to_owned());
        assert_eq!(
            found.iter().map(|heading| heading.anchor.as_str()).collect::<Vec<_>>(),
            anchors
        );
        assert_eq!(
            found[0],
            Heading { level: 1, text: "A page of code".to_owned(), anchor: anchors[0].to_owned() }
        );
    }

    #[test]
    fn links_and_images_are_told_apart() {
        let link = |url: &str, text: &str, title: Option<&str>, is_image| Link {
            url: url.to_owned(),
            text: text.to_owned(),
            title: title.map(str::to_owned),
            is_image,
        };
        let expected =
            [link("/url", "here", Some("title"), false), link("p.png", "a picture", None, true)];
        assert_eq!(links(TEXT.to_owned()), expected);
    }

    #[test]
    fn a_table_comes_with_the_schema_of_its_columns() {
        let result = testing::call("read_table", json!({ "markdown": TEXT })).unwrap();
        let rows = json!([
            { "City": "London", "°C": 17.0, "Code": "007", "City_2": null },
            { "City": "Oslo", "°C": -4.5, "Code": "12", "City_2": "x y" },
        ]);
        assert_eq!(result["value"], rows);
        let columns = &result["exact_schema"]["items"]["properties"];
        let types = json!({
            "City": { "type": "string" }, "°C": { "type": "number" }, "Code": { "type": "string" },
            "City_2": { "type": ["string", "null"] },
        });
        assert_eq!(*columns, types);
        let none =
            testing::call("read_table", json!({ "markdown": TEXT, "number": 2 })).unwrap_err();
        assert_eq!(none.to_string(), "the text has 1 tables");
    }

    /// CommonMark 0.31: tabs, emphasis; GitHub's: tables, line breaks between tags aside.
    #[test]
    fn html_is_that_of_the_specifications() {
        for (markdown, expected) in [
            ("\tfoo\tbaz\t\tbim\n", "<pre><code>foo\tbaz\t\tbim\n</code></pre>\n"),
            ("*foo bar*\n", "<p><em>foo bar</em></p>\n"),
            (
                "| foo | bar |\n| --- | --- |\n| baz | bim |\n",
                "<table><thead><tr><th>foo</th><th>bar</th></tr></thead><tbody>\n\
                 <tr><td>baz</td><td>bim</td></tr>\n</tbody></table>\n",
            ),
        ] {
            assert_eq!(to_html(markdown.to_owned()), expected);
        }
    }
}
