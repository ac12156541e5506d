use portcullis_guest::{Error, Result};

fn parse(reading: &str) -> Result<f64> {
    if reading.is_empty() {
        return Err(Error::not_found("this station has no reading yet"));
    }
    Ok(reading.parse()?)
}

#[test]
fn any_error_has_its_text() {
    assert_eq!(parse("x").unwrap_err().to_string(), "invalid float literal");
}
