"""What README.md shows is what it says."""

import pathlib
import sys
import types
import unittest

from portcullis import Form, UserMessage, completion, testing
from portcullis.completion import COMPLETIONS
from portcullis.prompts import PROMPTS
from portcullis.resources import RESOURCES
from portcullis.tools import TOOLS

README = pathlib.Path(__file__).parents[1] / "README.md"


class Readme(unittest.TestCase):
    def test_its_examples_are_tools_and_what_is_beside_them(self) -> None:
        for registry in (TOOLS, RESOURCES, PROMPTS, COMPLETIONS):
            registry.clear()
        module = types.ModuleType("readme")
        sys.modules["readme"] = module
        blocks = [it.split("```")[0] for it in README.read_text().split("```python\n")[1:]]
        self.assertEqual(len(blocks), 2)
        for code in blocks:
            exec(compile(code, "README.md", "exec"), vars(module))  # noqa: S102
        day = {"temperature": 16.2, "conditions": "Overcast"}
        self.assertEqual(testing.call("get_forecast", city="London", days=1), {"value": [day]})
        refused = {"failure": "tool-error", "message": "no station in Oslo"}
        self.assertEqual(testing.call("get_forecast", city="Oslo"), refused)

        asked = testing.call("order", testing.answered({}), what="tea")["asks"]["order"]
        count = {"type": "integer", "minimum": 1, "description": "How many of them."}
        form = {"type": "object", "properties": {"count": count}, "required": ["count"]}
        self.assertEqual(asked, Form("How many tea are ordered?", form))
        answered = testing.answered({"order": {"count": 2}})
        self.assertEqual(testing.call("order", answered, what="tea"), {"value": "2 tea ordered"})
        (city,) = testing.read("city://Cairo")["given"]
        self.assertEqual((city.body, city.mime_type), ("Cairo is a city.", "text/plain"))
        self.assertEqual(
            testing.complete("name", "Lo", template="city://{name}").values, ("London",)
        )
        planned = testing.get("plan", day="Monday")["given"]
        self.assertEqual(planned, [UserMessage("Plan Monday in London.")])
        completion.settled()


if __name__ == "__main__":
    unittest.main()
