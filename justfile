# What people do here, in one word each. `just` lists them.

default:
    @just --list

# Add what the build needs to the toolchain.
target:
    rustup target add wasm32-wasip2

# Build the weather tools, call them, and show how to add them to a client.
demo:
    cargo run --release -- demo

# All tests.
test *ARGS:
    cargo test --workspace {{ARGS}}

# Attacks on the host, with the figures of those that are measured.
hostile:
    PORTCULLIS_FIGURES=1 cargo test -p workspace-tests -- hostile

# Figures of the release build, a table of each subject; all of them, or those that are named.
bench *SUBJECTS:
    cargo bench -p workspace-tests -- {{SUBJECTS}}

# Format, lints and docs, with warnings as errors.
lint:
    cargo fmt --all --check
    cargo clippy --workspace --all-targets -- -D warnings
    RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps

# Licences, bans and sources of all dependencies (needs `cargo install cargo-deny`).
deny:
    cargo deny check licenses bans sources

# Fuzz what reads the words of others, each target for SECONDS (needs `cargo install cargo-fuzz`).
fuzz SECONDS="60":
    #!/usr/bin/env bash
    set -euo pipefail
    export RUSTC_WRAPPER="$PWD/fuzz/rustc"
    cargo fuzz build --sanitizer none
    # The stack that the host's threads have.
    ulimit -s 2048
    for target in $(cargo fuzz list); do
        mkdir -p "fuzz/corpus/$target"
        cargo fuzz run --sanitizer none "$target" "fuzz/corpus/$target" "fuzz/seeds/$target" -- \
            -max_total_time={{SECONDS}} -timeout=1 -max_len=4096
    done

# What CI runs.
ci:
    bash .ci/run
