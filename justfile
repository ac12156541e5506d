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

# Figures of the release build, a table of each subject; those that are named, or all, also in docs/benchmarks.md.
bench *SUBJECTS:
    PORTCULLIS_BENCH_WRITE=1 cargo bench -p workspace-tests -- {{SUBJECTS}}

# Times of the stages of a call and of loading, each alone; those whose name has FILTER in it.
stages *FILTER:
    cargo bench -p portcullis --features benching --bench stages -- {{FILTER}}

# A flame graph of a server under load, target/profile.svg (needs Linux's perf and `cargo install inferno`).
profile PROFILE="bench":
    #!/usr/bin/env bash
    set -euo pipefail
    command -v perf >/dev/null || { echo "there is no perf; install your distribution's package of it" >&2; exit 1; }
    # By options, so that the build of the guest does not see them.
    cargo bench -p workspace-tests --profile {{PROFILE}} \
        --config 'profile.release.debug="line-tables-only"' --config 'profile.release.strip="none"' \
        --config 'build.rustflags=["-Cforce-frame-pointers=yes"]' -- profile
    perf script --no-inline --input target/profile.data > target/profile.txt
    if ! command -v inferno-flamegraph >/dev/null; then
        echo "the stacks are in target/profile.txt; for a graph of them: cargo install inferno" >&2
        exit 0
    fi
    inferno-collapse-perf target/profile.txt | inferno-flamegraph > target/profile.svg
    echo "target/profile.svg"

# Format, lints and docs, with warnings as errors.
lint:
    cargo fmt --all --check
    cargo clippy --workspace --all-targets --features portcullis/benching -- -D warnings
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
