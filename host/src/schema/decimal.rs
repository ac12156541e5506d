//! Numbers in text, exactly.
//!
//! A text becomes a number only if the number says exactly what the text said.

use serde_json::Number;

/// A decimal number: `digits` × 10^`exponent`, without zeros at either end.
#[derive(Debug, PartialEq, Eq)]
struct Decimal {
    negative: bool,
    digits: String,
    exponent: i64,
}

impl Decimal {
    /// Reads a number as JSON writes it (RFC 8259, section 6), with nothing around it.
    fn read(text: &str) -> Option<Self> {
        let (negative, rest) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
        let (mantissa, exponent) = match rest.find(['e', 'E']) {
            Some(at) => (&rest[..at], read_exponent(&rest[at + 1..])?),
            None => (rest, 0),
        };
        let (whole, fraction) = match mantissa.split_once('.') {
            Some((whole, fraction)) if !fraction.is_empty() => (whole, fraction),
            Some(_) => return None,
            None => (mantissa, ""),
        };
        let digits = format!("{whole}{fraction}");
        let leading_zero = whole.len() > 1 && whole.starts_with('0');
        if whole.is_empty() || leading_zero || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let exponent = exponent - i64::try_from(fraction.len()).ok()?;
        let significant = digits.trim_end_matches('0');
        let zeros = i64::try_from(digits.len() - significant.len()).ok()?;
        let significant = significant.trim_start_matches('0').to_owned();
        let exponent = if significant.is_empty() { 0 } else { exponent + zeros };
        Some(Self { negative, digits: significant, exponent })
    }

    /// As an integer that JSON readers agree on.
    fn integer(&self) -> Option<Number> {
        /// Digits of 2^64.
        const DIGITS_MAX: i64 = 20;
        if self.digits.is_empty() {
            return Some(0.into());
        }
        let digits = i64::try_from(self.digits.len()).ok()?;
        if self.exponent < 0 || digits.checked_add(self.exponent)? > DIGITS_MAX {
            return None;
        }
        let zeros = "0".repeat(usize::try_from(self.exponent).ok()?);
        let sign = if self.negative { "-" } else { "" };
        let text = format!("{sign}{}{zeros}", self.digits);
        let signed = text.parse::<i64>().map(Number::from);
        signed.or_else(|_| text.parse::<u64>().map(Number::from)).ok()
    }
}

fn read_exponent(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    // No number that fits anything has an exponent of more digits.
    if digits.is_empty() || digits.len() > 6 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    text.parse().ok()
}

/// The integer that `text` says: `5`, `5.0` and `1e3` do. None beyond s64 and u64.
pub(super) fn integer(text: &str) -> Option<Number> {
    Decimal::read(text)?.integer()
}

/// The number that `text` says. None if no s64, u64 or f64 is written like that: its digits are
/// more than a number holds.
pub(super) fn number(text: &str) -> Option<Number> {
    let decimal = Decimal::read(text)?;
    if !text.contains(['.', 'e', 'E', '-'])
        || (!text.contains(['.', 'e', 'E']) && !decimal.digits.is_empty())
    {
        return decimal.integer();
    }
    let float = text.parse::<f64>().ok().filter(|float| float.is_finite())?;
    let written = Decimal::read(&format!("{float:e}"))?;
    let same = written.digits == decimal.digits && written.exponent == decimal.exponent;
    if same { Number::from_f64(float) } else { None }
}

/// The integer that a float is, if no other integer reads as that float.
pub(super) fn integer_of_float(float: f64) -> Option<Number> {
    /// 2^53 − 1.
    const EXACT_MAX: f64 = 9_007_199_254_740_991.0;
    if float.fract() != 0.0 || float.abs() > EXACT_MAX {
        return None;
    }
    Decimal::read(&format!("{float:e}"))?.integer()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(number: Option<Number>) -> Option<String> {
        number.map(|number| number.to_string())
    }

    #[test]
    fn a_text_is_an_integer_if_it_says_one() {
        for (text, expected) in [
            ("5", "5"),
            ("-7", "-7"),
            ("5.0", "5"),
            ("1e3", "1000"),
            ("1.5E+1", "15"),
            ("120e-1", "12"),
            ("0", "0"),
            ("-0", "0"),
            ("0e999999", "0"),
            ("18446744073709551615", "18446744073709551615"),
            ("-9223372036854775808", "-9223372036854775808"),
            ("9007199254740993.0", "9007199254740993"),
        ] {
            assert_eq!(written(integer(text)).as_deref(), Some(expected), "{text}");
        }
        for text in [
            "",
            " 5",
            "5 ",
            "+5",
            "05",
            "5.",
            ".5",
            "5.5",
            "1e-1",
            "0x5",
            "1_000",
            "five",
            "NaN",
            "18446744073709551616",
            "-9223372036854775809",
            "1e30",
            "1e999999999999",
            "٥",
            "--5",
        ] {
            assert_eq!(integer(text), None, "{text}");
        }
    }

    #[test]
    fn a_text_is_a_number_if_a_number_says_the_same() {
        for (text, expected) in [
            ("3.5", "3.5"),
            ("3", "3"),
            ("3.0", "3.0"),
            ("-0", "-0.0"),
            ("-0.0", "-0.0"),
            ("0.1", "0.1"),
            ("0.30000000000000004", "0.30000000000000004"),
            ("1e-7", "1e-7"),
            ("18446744073709551615", "18446744073709551615"),
            ("5e-324", "5e-324"),
        ] {
            assert_eq!(written(number(text)).as_deref(), Some(expected), "{text}");
        }
        for text in [
            "NaN",
            "Infinity",
            "1e400",
            "0.1000000000000000055511151231257827",
            "1e-400",
            "",
            "123456789012345678901234567890",
            "9007199254740993.0",
            "1,5",
            "3.5 ",
        ] {
            assert_eq!(number(text), None, "{text}");
        }
    }

    #[test]
    fn a_float_is_an_integer_if_it_is_only_that_one() {
        assert_eq!(written(integer_of_float(5.0)).as_deref(), Some("5"));
        assert_eq!(written(integer_of_float(-1e3)).as_deref(), Some("-1000"));
        assert_eq!(written(integer_of_float(-0.0)).as_deref(), Some("0"));
        let largest = 9_007_199_254_740_991.0;
        assert_eq!(written(integer_of_float(largest)).as_deref(), Some("9007199254740991"));
        for float in [0.5, 9_007_199_254_740_992.0, 1e300, f64::NAN, f64::INFINITY] {
            assert_eq!(integer_of_float(float), None, "{float}");
        }
    }
}
