use portcullis_guest::tool;

struct Service;

impl Service {
    #[tool]
    fn method(&self) {}
}

#[tool]
struct NoFunction;

#[tool]
fn generic<T>(_of: T) {}

#[tool]
async fn later() {}

#[tool]
fn apart((_a, _b): (u8, u8)) {}

#[tool]
fn opaque() -> impl Iterator<Item = u8> {
    [].into_iter()
}

struct Quiet;

#[tool]
fn fails_quietly() -> Result<(), Quiet> {
    Ok(())
}

fn main() {}
