//! Tables, and the exact schema that each of them has.

use pulldown_cmark::{Event, Tag, TagEnd};
use serde_json::{Map, Number, Value, json};

/// A table. Each row has as many cells as there are columns; Markdown sees to that.
#[derive(Debug, Default)]
pub(crate) struct Table {
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
}

/// What a column's cells are.
#[derive(Clone, Copy)]
enum Cells {
    Integers,
    Numbers,
    Texts,
}

/// The tables of a text.
pub(crate) fn all<'a>(events: impl Iterator<Item = Event<'a>>) -> Vec<Table> {
    let mut tables: Vec<Table> = Vec::new();
    let mut row: Vec<String> = Vec::new();
    let mut cell: Option<String> = None;
    for event in events {
        match event {
            Event::Start(Tag::Table(_)) => tables.push(Table::default()),
            Event::Start(Tag::TableCell) => cell = Some(String::new()),
            Event::End(TagEnd::TableCell) => {
                row.extend(cell.take().map(|text| text.trim().to_owned()))
            }
            Event::End(TagEnd::TableHead) => {
                if let Some(table) = tables.last_mut() {
                    table.columns = distinct(std::mem::take(&mut row));
                }
            }
            Event::End(TagEnd::TableRow) => {
                if let Some(table) = tables.last_mut() {
                    table.rows.push(std::mem::take(&mut row));
                }
            }
            Event::Text(text) | Event::Code(text) => {
                if let Some(cell) = &mut cell {
                    cell.push_str(&text);
                }
            }
            _ => {}
        }
    }
    tables
}

impl Table {
    /// A record for each row.
    pub(crate) fn rows(&self) -> Vec<Value> {
        let cells: Vec<Cells> = (0..self.columns.len()).map(|column| self.cells(column)).collect();
        let record = |row: &Vec<String>| -> Value {
            let values = row.iter().zip(&cells).map(|(text, cells)| cells.value(text));
            self.columns.iter().cloned().zip(values).collect::<Map<_, _>>().into()
        };
        self.rows.iter().map(record).collect()
    }

    /// The schema of these rows and no others.
    pub(crate) fn schema(&self) -> Value {
        let property = |(index, name): (usize, &String)| {
            let has_empty = self.rows.iter().any(|row| row[index].is_empty());
            let name_of_type = self.cells(index).name();
            let ty = if has_empty { json!([name_of_type, "null"]) } else { json!(name_of_type) };
            (name.clone(), json!({ "type": ty }))
        };
        let properties: Map<_, _> = self.columns.iter().enumerate().map(property).collect();
        let row = json!({
            "type": "object",
            "properties": properties,
            "required": self.columns,
            "additionalProperties": false,
        });
        json!({ "type": "array", "items": row })
    }

    fn cells(&self, column: usize) -> Cells {
        let is_all = |cells: Cells| {
            let filled = self.rows.iter().map(|row| &row[column]).filter(|text| !text.is_empty());
            filled.clone().count() > 0
                && filled.into_iter().all(|text| cells.number(text).is_some())
        };
        [Cells::Integers, Cells::Numbers]
            .into_iter()
            .find(|cells| is_all(*cells))
            .unwrap_or(Cells::Texts)
    }
}

impl Cells {
    fn name(self) -> &'static str {
        match self {
            Self::Integers => "integer",
            Self::Numbers => "number",
            Self::Texts => "string",
        }
    }

    fn value(self, text: &str) -> Value {
        match self {
            _ if text.is_empty() => Value::Null,
            Self::Integers | Self::Numbers => self.number(text).map_or(Value::Null, Value::Number),
            Self::Texts => text.into(),
        }
    }

    /// The number that a cell is. A code such as `007` is none.
    fn number(self, text: &str) -> Option<Number> {
        let digits = text.strip_prefix('-').unwrap_or(text);
        let is_code = digits.len() > 1 && digits.starts_with('0') && !digits.starts_with("0.");
        match self {
            _ if is_code || !digits.starts_with(|c: char| c.is_ascii_digit()) => None,
            Self::Integers => text.parse::<i64>().ok().map(Number::from),
            Self::Numbers => text.parse::<f64>().ok().and_then(Number::from_f64),
            Self::Texts => None,
        }
    }
}

/// The names, with a number after one that was there before, and one for what has none.
fn distinct(names: Vec<String>) -> Vec<String> {
    let mut taken: Vec<String> = Vec::with_capacity(names.len());
    for name in names {
        let name = if name.is_empty() { "column".to_owned() } else { name };
        let numbered = (2..).map(|number| format!("{name}_{number}"));
        let free = std::iter::once(name.clone()).chain(numbered).find(|name| !taken.contains(name));
        taken.extend(free);
    }
    taken
}
