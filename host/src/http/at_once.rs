//! A future that is woken while it is polled is polled again at once.
//!
//! The body of a request wakes its connection from within, at each of its frames. tokio would take a task that
//! does so for one that yields, put it last, and wake another processor for it.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::task::{Context, Poll, Wake, Waker};

use futures_util::task::AtomicWaker;

/// How often it is polled without a pause, so that others get their turns.
const POLLS_MAX: usize = 4;

const WAITS: u8 = 0;
const IS_POLLED: u8 = 1;
const IS_WOKEN: u8 = 2;

/// `work` itself, and where it stands.
pub(super) struct AtOnce<F> {
    work: F,
    state: Arc<State>,
    waker: Waker,
}

#[derive(Default)]
struct State {
    now: AtomicU8,
    task: AtomicWaker,
}

impl<F: Future + Unpin> AtOnce<F> {
    pub(super) fn new(work: F) -> Self {
        let state = Arc::<State>::default();
        let waker = Waker::from(state.clone());
        Self { work, state, waker }
    }
}

impl<F: Future + Unpin> Future for AtOnce<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        let Self { work, state, waker } = &mut *self;
        state.task.register(context.waker());
        for _ in 0..POLLS_MAX {
            state.now.swap(IS_POLLED, Ordering::SeqCst);
            let polled = Pin::new(&mut *work).poll(&mut Context::from_waker(waker));
            let order = Ordering::SeqCst;
            if polled.is_ready()
                || state.now.compare_exchange(IS_POLLED, WAITS, order, order).is_ok()
            {
                return polled;
            }
        }
        context.waker().wake_by_ref();
        Poll::Pending
    }
}

impl Wake for State {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        if self.now.swap(IS_WOKEN, Ordering::SeqCst) == WAITS {
            self.task.wake();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;
    use std::task::ready;

    use futures_util::poll;

    use super::*;

    /// Counts how often it is woken.
    #[derive(Default)]
    struct Woken(AtomicUsize);

    impl Wake for Woken {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }

    fn counted() -> (Arc<Woken>, Waker) {
        let woken = Arc::<Woken>::default();
        (woken.clone(), Waker::from(woken))
    }

    #[test]
    fn who_wakes_itself_is_polled_again_and_wakes_nobody() {
        let mut left = 3;
        let mut work = AtOnce::new(std::future::poll_fn(|context| {
            left -= 1;
            context.waker().wake_by_ref();
            if left == 0 { Poll::Ready("done") } else { Poll::Pending }
        }));
        let (woken, waker) = counted();
        let polled = Pin::new(&mut work).poll(&mut Context::from_waker(&waker));
        assert_eq!(polled, Poll::Ready("done"));
        assert_eq!(woken.0.load(Ordering::SeqCst), 0);
    }

    #[test]
    fn who_never_ceases_lets_others_go_on() {
        let mut polls = 0;
        let mut work = AtOnce::new(std::future::poll_fn(|context| {
            polls += 1;
            context.waker().wake_by_ref();
            Poll::<()>::Pending
        }));
        let (woken, waker) = counted();
        for turns in 1..=3 {
            assert!(Pin::new(&mut work).poll(&mut Context::from_waker(&waker)).is_pending());
            assert_eq!(woken.0.load(Ordering::SeqCst), turns);
        }
        drop(work);
        assert_eq!(polls, 3 * POLLS_MAX);
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn what_others_wake_goes_on() {
        for _ in 0..1_000 {
            let (sender, mut receiver) = tokio::sync::mpsc::unbounded_channel();
            tokio::spawn(async move {
                for number in 0..10 {
                    sender.send(number).unwrap();
                    tokio::task::yield_now().await;
                }
            });
            let mut sum = 0;
            let work = std::future::poll_fn(|context| {
                while let Some(number) = ready!(receiver.poll_recv(context)) {
                    sum += number;
                }
                Poll::Ready(())
            });
            // No wake is lost.
            let work = tokio::time::timeout(std::time::Duration::from_secs(30), AtOnce::new(work));
            work.await.unwrap();
            assert_eq!(sum, 45);
        }
        let mut never = AtOnce::new(std::future::pending::<()>());
        assert!(poll!(&mut never).is_pending());
    }
}
