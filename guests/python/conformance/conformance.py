"""What the official conformance suite of MCP expects of a server beside plain tools: questions,
resources, prompts, suggestions and announcements, as guests/rust/conformance has them."""

import asyncio
import json
from dataclasses import dataclass
from typing import Annotated

from portcullis import (
    Ability,
    Embedded,
    Field,
    Form,
    Image,
    Roots,
    Sampling,
    Typed,
    UserMessage,
    ask,
    ask_all,
    call,
    changed,
    complete,
    prompt,
    resource,
    tool,
)

PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108020000009077"
    "53de0000000c4944415408d763f8cfc000000301010018dd8db00000000049454e44ae426082"
)
"""One red pixel."""


@dataclass
class Name:
    name: str


@dataclass
class Color:
    color: str


@dataclass
class Confirmation:
    ok: bool


@dataclass
class Context:
    context: str


WHO = Form("What is your name?", Name)


@tool(structured_output=False)
def test_sampling(prompt: str) -> str:
    """Asks the model."""
    return f"LLM response: {ask('prompt', Sampling(prompt, 100)).text}"


@tool(structured_output=False)
def test_input_required_result_elicitation() -> str:
    """Asks for a name."""
    return f"Hello, {ask('user_name', WHO).name}!"


@tool(structured_output=False)
def test_input_required_result_tampered_state() -> str:
    """Asks; a state that is not the host's is refused."""
    ok = ask("confirm", Form("Please confirm", Confirmation)).ok
    return f"Confirmed: {json.dumps(ok)}"


@tool(structured_output=False)
def test_input_required_result_multiple_inputs() -> str:
    """Asks three things at once."""
    answers = ask_all(
        {
            "user_name": WHO,
            "greeting": Sampling("Generate a greeting", 50),
            "client_roots": Roots(),
        }
    )
    greeting, name = answers["greeting"].text, answers["user_name"].name
    return f"{greeting} {name} ({len(answers['client_roots'])} roots)"


@tool(structured_output=False)
async def test_input_required_result_multi_round() -> str:
    """Asks one thing after the other."""
    await asyncio.sleep(0)
    try:
        name = ask("step1", Form("Step 1: What is your name?", Name)).name
        color = ask("step2", Form("Step 2: What is your favorite color?", Color)).color
    except Exception as error:
        raise AssertionError("a question is no exception") from error
    return f"{name} likes {color}"


@tool(structured_output=False)
def test_input_required_result_capabilities() -> str:
    """Asks only what the client can do."""
    can = call().client
    questions = {}
    if Ability.ELICIT_FORM in can:
        questions["user_name"] = WHO
    if Ability.SAMPLING in can:
        questions["capital_question"] = Sampling("What is the capital of France?", 100)
    return f"{len(ask_all(questions))} answers"


@tool(structured_output=False)
def test_missing_capability() -> str:
    """Needs a model."""
    return ask("model", Sampling("Say anything", 10)).text


@tool(structured_output=False)
def test_trigger_tool_change() -> str:
    """Says that the tools are others now."""
    changed.tools()
    return "Announced"


@tool(structured_output=False)
def test_trigger_prompt_change() -> str:
    """Says that the prompts are others now."""
    changed.prompts()
    return "Announced"


@tool(structured_output=False)
def test_trigger_resource_change() -> str:
    """Says that the resources, and the contents of the one that is watched, are others now."""
    changed.resources()
    changed.resource("test://watched-resource")
    return "Announced"


@resource("test://static-text", title="Static text", mime_type="text/plain")
def static_text() -> str:
    """Text that is always the same."""
    return "This is the content of the static text resource."


@resource("test://static-binary", title="Static bytes", mime_type="image/png")
def static_binary() -> bytes:
    """Bytes that are always the same."""
    return PNG


@resource("test://template/{id}/data", mime_type="application/json")
def template_data(id: str) -> str:
    """Data under an id."""
    data = {"id": id, "templateTest": True, "data": f"Data for ID: {id}"}
    return json.dumps(data, separators=(",", ":"))


@resource("test://watched-resource", mime_type="text/plain")
async def watched_resource() -> str:
    """Text whose changes are announced."""
    return "Watched resource content"


@complete(template="test://template/{id}/data", argument="id")
def ids(typed: str) -> list[str]:
    return [str(id) for id in range(1, 151) if str(id).startswith(typed)]


@prompt(title="Simple")
def test_simple_prompt() -> str:
    """A prompt without arguments."""
    return "This is a simple prompt for testing."


@prompt
def test_prompt_with_arguments(
    arg1: Annotated[str, "First test argument"], arg2: Annotated[str, "Second test argument"]
) -> str:
    """A prompt with two arguments."""
    return f"Prompt with arguments: arg1='{arg1}', arg2='{arg2}'"


@prompt
def test_prompt_with_embedded_resource(
    uri: Annotated[str, Field(alias="resourceUri", description="URI of the resource to embed")],
) -> list[UserMessage]:
    """A prompt that holds a resource."""
    embedded = Embedded(uri, "Embedded resource content for testing.", "text/plain")
    return [UserMessage(embedded), UserMessage("Please process the embedded resource above.")]


@prompt
def test_prompt_with_image() -> list[Image | str]:
    """A prompt that holds an image."""
    return [Image(PNG), "Please analyze the image above."]


@prompt
def test_input_required_result_prompt() -> str:
    """A prompt that asks first."""
    context = ask("user_context", Form("What context should the prompt use?", Context)).context
    return f"Use this context: {context}"


@complete(prompt="test_prompt_with_arguments", argument="arg1")
def places(typed: str) -> list[str]:
    return [it for it in ("paris", "park", "party") if it.startswith(typed)]


@complete(prompt="test_prompt_with_arguments", argument="arg2")
def other(typed: Typed) -> list[str]:
    return [typed.text + typed.settled.get("arg1", "")]
