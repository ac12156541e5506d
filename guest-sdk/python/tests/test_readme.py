"""What README.md shows is a tool."""

import pathlib
import sys
import types
import unittest

from portcullis import testing
from portcullis.tools import TOOLS

README = pathlib.Path(__file__).parents[1] / "README.md"


class Readme(unittest.TestCase):
    def test_its_example_is_a_tool(self) -> None:
        TOOLS.clear()
        code = README.read_text().split("```python\n")[1].split("```")[0]
        module = types.ModuleType("readme")
        sys.modules["readme"] = module
        exec(compile(code, "README.md", "exec"), vars(module))  # noqa: S102
        day = {"temperature": 16.2, "conditions": "Overcast"}
        self.assertEqual(testing.call("get_forecast", city="London", days=1), {"value": [day]})
        refused = {"failure": "tool-error", "message": "no station in Oslo"}
        self.assertEqual(testing.call("get_forecast", city="Oslo"), refused)


if __name__ == "__main__":
    unittest.main()
