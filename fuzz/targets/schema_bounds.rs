#![no_main]

mod json;

libfuzzer_sys::fuzz_target!(|input: &[u8]| portcullis::fuzzing::schema_bounds(input));
libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    json::mutate(data, size, max_size, seed, json::SCHEMA)
});
