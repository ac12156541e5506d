//! Every request has an answer, even where our own code fails.

use std::any::Any;
use std::panic::AssertUnwindSafe;

use futures_util::FutureExt as _;
use rmcp::model::ErrorData;

/// What `answer` comes to. A panic on the way is an error of ours (-32603), and ends this request alone.
pub(super) async fn answered<T>(
    answer: impl Future<Output = Result<T, ErrorData>>,
) -> Result<T, ErrorData> {
    // Nothing that the future held is looked at again, but what locks guard, which are taken
    // whether they are poisoned or not.
    AssertUnwindSafe(answer).catch_unwind().await.unwrap_or_else(|panic| {
        tracing::error!("a request ended in a panic: {}", words(&*panic));
        let message = "this server failed at the request; its log has the details";
        Err(ErrorData::internal_error(message, None))
    })
}

fn words(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("without a message")
}

#[cfg(test)]
mod tests {
    use rmcp::model::ErrorCode;

    use super::*;

    #[tokio::test]
    async fn a_panic_is_an_internal_error_without_its_words() {
        let fails = async { if true { panic!("the secret is x") } else { Ok(()) } };
        let error = answered(fails).await.unwrap_err();
        assert_eq!(error.code, ErrorCode::INTERNAL_ERROR);
        assert!(!error.message.contains("secret"), "{error}");
    }
}
