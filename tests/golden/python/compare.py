"""Compares the recorded tools, as golden.py writes them again, with what was recorded, through a host.

    python3 compare.py PORTCULLIS golden-guest.wasm

Every value of a definition or a result is equal to the recorded one, or a row says otherwise: one of
../provider_deviations.json, which has what the host does, or one of deviations.json, which has what
the Python SDK does and stands instead of the other; where it says `as_recorded`, the SDK does what was
recorded and the host's row does not apply. A row that changes nothing fails, too.
"""

import collections
import copy
import json
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
# What has no form in Python, and why.
FORMLESS = json.loads((HERE / "formless.json").read_text())


def main(host, component):
    recorded = {tool["id"]: tool for tool in read("../recorded.json")["tools"]}
    formless = {tool: why for why, tools in FORMLESS["tools"].items() for tool in tools}
    comparison = Comparison(read("../provider_deviations.json"), read("deviations.json"))
    with Server(host, component) as server:
        served = {entry["name"]: entry for entry in server.tools()}
        if served.keys() != recorded.keys() - formless.keys():
            comparison.faults.append(
                f"served: {sorted(served.keys() ^ (recorded.keys() - formless.keys()))}"
            )
        for name, tool in recorded.items():
            if name not in served:
                continue
            comparison.compare(name, definition(tool.get("list_entry")), definition(served[name]))
            for call in tool["calls"]:
                place = f"{name}/{call['case']}"
                if place in FORMLESS["calls"]:
                    continue
                comparison.compare(place, result(name, call), server.call(name, call["arguments"]))
    return comparison.conclude(len(served))


def read(name):
    return json.loads((HERE / name).read_text(), parse_float=Spelled)


class Spelled(float):
    """A number that is told from an integer of the same value."""

    def __eq__(self, other):
        return isinstance(other, float) and float(self) == float(other)

    __hash__ = float.__hash__


class Server:
    """A host that serves the component over stdio."""

    def __init__(self, host, component):
        config = tempfile.NamedTemporaryFile("w", suffix=".toml")
        config.write(
            f'[content]\nlink_schemes = ["https", "http", "memo"]\n'
            f'[components.golden-guest]\npath = "{pathlib.Path(component).resolve()}"\n'
        )
        config.flush()
        self._config = config
        self._process = subprocess.Popen(
            [host, "serve", "--config", config.name, "--log", "off"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._last = 0

    def __enter__(self):
        about = {"name": "compare", "version": "0"}
        self._ask(
            "initialize",
            {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": about},
        )
        self._send({"method": "notifications/initialized"})
        return self

    def __exit__(self, *_):
        self._process.stdin.close()
        self._process.wait()

    def tools(self):
        found, cursor = [], {}
        while True:
            page = self._ask("tools/list", cursor)["result"]
            found += page["tools"]
            if "nextCursor" not in page:
                return found
            cursor = {"cursor": page["nextCursor"]}

    def call(self, name, arguments):
        answer = self._ask("tools/call", {"name": name, "arguments": arguments})
        if "error" in answer:
            return {"error": answer["error"]}
        text = json.dumps(answer["result"])
        return json.loads(re.sub(r"under call c[0-9]+", "under call cN", text), parse_float=Spelled)

    def _ask(self, method, parameters):
        self._last += 1
        self._send({"id": self._last, "method": method, "params": parameters})
        while True:
            answer = json.loads(self._process.stdout.readline(), parse_float=Spelled)
            if answer.get("id") == self._last:
                return answer

    def _send(self, message):
        self._process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self._process.stdin.flush()


def definition(entry):
    """What is said of a tool, but its name; no description is an empty one."""
    entry = dict(entry or {})
    entry.pop("name", None)
    return {
        key: value
        for key, value in entry.items()
        if (key, value) != ("description", "") and value is not None
    }


def result(tool, call):
    """The recorded result; where a value was refused, with the text of the report (rule V1)."""
    recorded = copy.deepcopy(call.get("result") or {})
    report = call.get("validation")
    masked = f"Error executing tool {tool}"
    text = (recorded.get("content") or [{}])[0].get("text", "")
    is_refused = text == masked or "validation error" in text
    if report and is_refused and (tool, call["case"]) != ("e_raise", "pydantic_in_body"):
        lines = [
            f"{report['count']} validation error{'s' * (report['count'] != 1)} for {report['title']}"
        ]
        for error in report["errors"]:
            lines += [loc] if (loc := ".".join(map(str, error["loc"]))) else []
            lines.append(f"  {error['message']}")
        text = (
            "\n".join(lines)
            if any("loc" in it and it["loc"] for it in report["errors"])
            else "".join(lines)
        )
        recorded["content"] = [{"type": "text", "text": f"{masked}: {text}"}]
    return recorded


class Comparison:
    """What was compared so far."""

    def __init__(self, of_host, of_sdk):
        self._rows = collections.defaultdict(list)
        own = collections.defaultdict(list)
        for rows, source in ((self._rows, of_host), (own, of_sdk)):
            for row in source:
                for place in row["of"]:
                    rows[place, row["key"]].append(row)
        self._own = own
        self._unused = set(own)
        self._rows.update(own)
        self.faults = []
        self._agree = 0
        self._rules = collections.Counter()

    def compare(self, place, recorded, served):
        for key in dict.fromkeys([*recorded, *served]):
            expected = copy.deepcopy(recorded.get(key))
            rows = self._rows.get((place, key), [])
            self._unused.discard((place, key))
            if any(row.get("as_recorded") for row in rows):
                rows = []
            for row in rows:
                before = copy.deepcopy(expected)
                expected = apply(row, expected)
                if same(key, before, expected):
                    self.faults.append(f"{place}/{key}: the row changes nothing: {row['because']}")
            if not same(key, expected, served.get(key)):
                listed = "not as listed" if rows else "not as recorded"
                self.faults.append(
                    f"{place}/{key}: {listed}\n  expected: {shown(expected)}\n  served:   {shown(served.get(key))}"
                )
            elif rows:
                self._rules.update(row["rule"] for row in rows)
            else:
                self._agree += 1

    def conclude(self, tools):
        self.faults += [
            f"listed, and nothing is there: {'/'.join(place)}" for place in self._unused
        ]
        print("\n".join(self.faults))
        rules = ", ".join(f"{rule} {count}" for rule, count in sorted(self._rules.items()))
        print(
            f"{tools} tools: {self._agree} values agree with the recorded ones and {sum(self._rules.values())} "
            f"deviate as listed ({rules}); {len(self.faults)} faults"
        )
        return bool(self.faults)


def apply(row, value):
    """What a row expects."""
    if not row.get("edits"):
        return row.get("expected")
    for edit in row["edits"]:
        for at in edit["at"]:
            steps = [step.replace("~1", "/").replace("~0", "~") for step in at.split("/")[1:]]
            inner, outer, last = value, None, None
            for step in steps:
                outer, last = inner, int(step) if isinstance(inner, list) else step
                inner = inner[last]
            if "replace" in edit:
                inner = copy.deepcopy(edit["replace"])
                if outer is None:
                    value = inner
                else:
                    outer[last] = inner
            inner.update(copy.deepcopy(edit.get("set", {})))
            for keyword in edit.get("remove", []):
                inner.pop(keyword, None)
    return value


def same(key, one, other):
    """Of a schema, the order of properties counts; of data, that of all keys."""
    if key in ("inputSchema", "outputSchema"):
        return schema(one) == schema(other)
    return one == other if key == "content" else dump(one) == dump(other)


def schema(value):
    """A schema with its properties in a list, whose order counts."""
    if isinstance(value, list):
        return [schema(item) for item in value]
    if not isinstance(value, dict):
        return dump(value)
    return {
        keyword: list((name, schema(item)) for name, item in inner.items())
        if keyword == "properties"
        else schema(inner)
        for keyword, inner in value.items()
    }


def dump(value):
    return json.dumps(value)


def shown(value):
    return "absent" if value is None else json.dumps(value, ensure_ascii=False)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
