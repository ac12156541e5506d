//! The tools that the documentation of structured output shows, in Zig.

const std = @import("std");
const wit = @import("wit");

const WeatherData = wit.exports_example_weather_tools_weather_data_t;
const String = wit.weather_string_t;

const Reading = struct { city: []const u8, whole: i64, exact: f64 };

const readings = [_]Reading{
    .{ .city = "London", .whole = 17, .exact = 16.2 },
    .{ .city = "Cairo", .whole = 34, .exact = 34.1 },
    .{ .city = "Reykjavik", .whole = 4, .exact = 4.4 },
};

/// The bindings free what a function gives, and what it was given is its own to free; both with
/// C's allocator.
const allocator = if (@hasDecl(std.heap, "raw_c_allocator"))
    std.heap.raw_c_allocator // Before Zig 0.16 the other one put a header before what it gave.
else
    std.heap.c_allocator;

fn find(city: []const u8) ?*const Reading {
    for (&readings) |*reading| {
        if (std.mem.eql(u8, reading.city, city)) return reading;
    }
    return null;
}

fn bytes(string: String) []const u8 {
    return string.ptr[0..string.len];
}

/// Zig's empty slice points nowhere, and that a host refuses even of what is empty.
fn pointer(comptime T: type, slice: []T) [*c]T {
    return if (slice.len > 0) slice.ptr else null;
}

fn concat(parts: []const []const u8) String {
    const joined = std.mem.concat(allocator, u8, parts) catch @panic("out of memory");
    return .{ .ptr = pointer(u8, joined), .len = joined.len };
}

fn noReading(city: []const u8) String {
    return concat(&.{ "no reading for ", city });
}

fn overcast(temperature: f64) WeatherData {
    return .{ .temperature = temperature, .humidity = 0.83, .conditions = concat(&.{"Overcast"}) };
}

export fn exports_example_weather_tools_get_temperature(city: *String, ret: *i64, err: *String) bool {
    defer wit.weather_string_free(city);
    const reading = find(bytes(city.*)) orelse {
        err.* = noReading(bytes(city.*));
        return false;
    };
    ret.* = reading.whole;
    return true;
}

export fn exports_example_weather_tools_get_weather_td(city: *String, ret: *WeatherData) void {
    wit.weather_string_free(city);
    ret.* = overcast(16.2);
}

export fn exports_example_weather_tools_get_weather_dc(city: *String, ret: *WeatherData) void {
    wit.weather_string_free(city);
    ret.* = overcast(16.2);
}

export fn exports_example_weather_tools_get_forecast(
    city: *String,
    days: i64,
    ret: *wit.exports_example_weather_tools_list_weather_data_t,
) void {
    wit.weather_string_free(city);
    const count = std.math.cast(usize, @max(days, 0)) orelse @panic("out of memory");
    const forecast = allocator.alloc(WeatherData, count) catch @panic("out of memory");
    for (forecast, 0..) |*weather, day| {
        weather.* = overcast(16.2 + @as(f64, @floatFromInt(day)));
    }
    ret.* = .{ .ptr = pointer(WeatherData, forecast), .len = forecast.len };
}

export fn exports_example_weather_tools_get_temperatures(
    cities: *wit.weather_list_string_t,
    ret: *wit.weather_map_string_f64_t,
    err: *String,
) bool {
    defer wit.weather_list_string_free(cities);
    var seen: [readings.len]bool = @splat(false);
    var temperatures = allocator.alloc(wit.weather_map_string_f64_entry_t, readings.len) catch
        @panic("out of memory");
    ret.* = .{ .ptr = temperatures.ptr, .len = 0 };
    for (cities.ptr[0..cities.len]) |city| {
        const reading = find(bytes(city)) orelse {
            wit.weather_map_string_f64_free(ret);
            err.* = noReading(bytes(city));
            return false;
        };
        // A city that is asked for twice has one entry.
        const is_seen = &seen[reading - &readings[0]];
        if (is_seen.*) continue;
        is_seen.* = true;
        temperatures[ret.len] = .{ .key = concat(&.{reading.city}), .value = reading.exact };
        ret.len += 1;
    }
    return true;
}

export fn exports_example_weather_tools_weather_report(city: *String, ret: *String) void {
    defer wit.weather_string_free(city);
    ret.* = concat(&.{ bytes(city.*), ": 17 degrees, overcast, light rain easing by evening." });
}

export fn exports_example_weather_described_get_weather(
    city: *String,
    ret: *wit.exports_example_weather_described_weather_data_t,
) void {
    wit.weather_string_free(city);
    ret.* = .{ .temperature = 16.2, .humidity = 0.83, .conditions = concat(&.{"Overcast"}) };
}
