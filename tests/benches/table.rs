//! Figures, each beside what it is to be compared with.

use std::time::Duration;

/// The rows of one subject. Each is printed when it is known: the next one may take minutes.
#[derive(Debug)]
pub(crate) struct Table {
    lines: Vec<String>,
}

impl Table {
    /// Begins the table of a subject.
    pub(crate) fn of(subject: &str) -> Self {
        let mut table = Self { lines: Vec::new() };
        table.print([subject, "figure", "beside", "ratio"]);
        table
    }

    /// A time beside another one, and the ratio of both.
    pub(crate) fn time(&mut self, what: &str, took: Duration, beside: &str, other: Duration) {
        let ratio = took.as_secs_f64() / other.as_secs_f64();
        self.ratio(what, [milliseconds(took), milliseconds(other)], beside, ratio);
    }

    /// Memory beside another measure of it, and the ratio of both.
    pub(crate) fn memory(&mut self, what: &str, bytes: u64, beside: &str, other: u64) {
        let [figure, other_figure] = [bytes, other].map(|bytes| format!("{} KiB", bytes >> 10));
        self.ratio(what, [figure, other_figure], beside, bytes as f64 / other as f64);
    }

    /// Calls a second beside those of another server, and the ratio of both.
    pub(crate) fn rate(&mut self, what: &str, calls: f64, beside: &str, other: f64) {
        let figures = [calls, other].map(|calls| format!("{calls:.0}/s"));
        self.ratio(what, figures, beside, calls / other);
    }

    /// A figure that stands alone.
    pub(crate) fn alone(&mut self, what: &str, figure: &str) {
        self.print([what, figure, "", ""]);
    }

    fn ratio(&mut self, what: &str, [figure, other]: [String; 2], beside: &str, ratio: f64) {
        let beside = format!("{beside} {other}");
        self.print([what, &figure, &beside, &format!("{ratio:.2}")]);
    }

    fn print(&mut self, [what, figure, beside, ratio]: [&str; 4]) {
        let row = format!("{what:<50}  {figure:>12}  {beside:<36}  {ratio:>6}");
        println!("{}", row.trim_end());
        self.lines.push(row.trim_end().to_owned());
    }

    /// All that was printed.
    pub(crate) fn into_lines(self) -> Vec<String> {
        self.lines
    }
}

/// The one in the middle.
pub(crate) fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

/// A time as rows have it.
pub(crate) fn milliseconds(time: Duration) -> String {
    match time.as_secs_f64() * 1e3 {
        small if small < 1.0 => format!("{:.0} us", small * 1e3),
        medium if medium < 10.0 => format!("{medium:.2} ms"),
        large => format!("{large:.1} ms"),
    }
}
