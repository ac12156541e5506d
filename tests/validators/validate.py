"""Checks schemas with Python's jsonschema and validates values, as 2020-12; a warning is an error.

Reads a JSON list from stdin: each a name, a schema, and values that are valid or not. Prints a
list of complaints.
"""

import json
import sys
import warnings

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError

warnings.simplefilter("error")
complaints = []
for case in json.load(sys.stdin):
    try:
        Draft202012Validator.check_schema(case["schema"])
    except SchemaError as error:
        complaints.append(f"{case['name']}: {error.message}")
        continue
    formats = Draft202012Validator.FORMAT_CHECKER
    validator = Draft202012Validator(case["schema"], format_checker=formats)
    for value in case["valid"]:
        for error in validator.iter_errors(value):
            complaints.append(f"{case['name']}: refuses {json.dumps(value)}: {error.message}")
    for value in case["invalid"]:
        if validator.is_valid(value):
            complaints.append(f"{case['name']}: accepts {json.dumps(value)}")
print(json.dumps(complaints))
