//! Figures, each beside what it is to be compared with.

use std::fmt;
use std::time::Duration;

/// The rows of one subject.
#[derive(Debug, Default)]
pub(crate) struct Table {
    rows: Vec<[String; 4]>,
}

impl Table {
    /// A time beside another one, and the ratio of both.
    pub(crate) fn time(&mut self, what: &str, took: Duration, beside: &str, other: Duration) {
        let beside = format!("{beside} {}", milliseconds(other));
        self.row(what, milliseconds(took), beside, took.as_secs_f64() / other.as_secs_f64());
    }

    /// Memory beside another measure of it, and the ratio of both.
    pub(crate) fn memory(&mut self, what: &str, bytes: u64, beside: &str, other: u64) {
        let kibibytes = |bytes: u64| format!("{} KiB", bytes >> 10);
        let beside = format!("{beside} {}", kibibytes(other));
        self.row(what, kibibytes(bytes), beside, bytes as f64 / other as f64);
    }

    /// A figure that stands alone.
    pub(crate) fn alone(&mut self, what: &str, figure: impl fmt::Display) {
        self.rows.push([what.to_owned(), figure.to_string(), String::new(), String::new()]);
    }

    fn row(&mut self, what: &str, figure: String, beside: String, ratio: f64) {
        self.rows.push([what.to_owned(), figure, beside, format!("{ratio:.2}")]);
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let head = ["", "figure", "beside", "ratio"].map(str::to_owned);
        let rows = || std::iter::once(&head).chain(&self.rows);
        let width =
            |column: usize| rows().map(|row| row[column].chars().count()).max().unwrap_or_default();
        let [what, figure, beside, ratio] = [0, 1, 2, 3].map(width);
        for row in rows() {
            let [a, b, c, d] = row;
            let line = format!("  {a:<what$}  {b:>figure$}  {c:<beside$}  {d:>ratio$}");
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

/// The one in the middle.
pub(crate) fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

fn milliseconds(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1e3)
}
