"""What schemathesis is told of our API besides its documents."""

import schemathesis
from schemathesis.core.failures import Failure
from schemathesis.specs.openapi.checks import positive_data_acceptance

# Refusals of requests that are right by themselves, because of what the records are.
OF_RECORDS = {"INVALID_CURSOR", "PAYMENT_METHOD_MISMATCH", "CAPTURE_AMOUNT_EXCEEDS_HOLD"}


@schemathesis.hook
def before_call(context, case, kwargs):
    """A wait for what never happens shows nothing more after a second. Values that are refused stay."""
    for parameter in case.operation.query:
        if parameter.name != "waitSeconds":
            continue
        asked = str((case.query or {}).get("waitSeconds", parameter.definition["schema"]["default"]))
        if asked.isdigit() and 1 < int(asked) <= parameter.definition["schema"]["maximum"]:
            case.query = {**(case.query or {}), "waitSeconds": 1}


@schemathesis.check
def refused_as_announced(ctx, response, case):
    """A request that its schema allows is refused only by a rule that the document has in words."""
    try:
        positive_data_acceptance(ctx, response, case)
    except Failure:
        if not is_announced(response, case):
            raise


def is_announced(response, case):
    if response.status_code == 402:
        return True
    if response.status_code != 400:
        return False
    # The checkout's form again, with what is wrong beside each field.
    if response.headers.get("content-type", [""])[0].startswith("text/html"):
        return True
    refusal = response.json()
    if refusal["code"] != "VALIDATION_ERROR":
        return refusal["code"] in OF_RECORDS
    return all(is_rule(path, message, case) for path, message in problems(refusal))


def problems(refusal):
    """Which field breaks which rule. Errors of the read API have them in the message alone."""
    if "details" in refusal:
        return [(detail["path"], detail["message"]) for detail in refusal["details"]]
    return [tuple(one.split(": ", 1)) for one in refusal["message"].removesuffix(".").split("; ")]


def is_rule(path, message, case):
    if f"- {message}" in case.operation.schema.raw_schema["info"]["description"].split("\n"):
        return True
    names = [name for name in path.split(".") if not name.isdigit()]
    operation = case.operation.definition.raw
    rules = {rule for text in descriptions(operation, names[-1]) for rule in text.split("; ")}
    return any(message == rule or message.startswith(f"{rule}: ") for rule in rules)


def descriptions(node, name):
    """What the operation says of its fields and parameters of this name."""
    if isinstance(node, list):
        for one in node:
            yield from descriptions(one, name)
    elif isinstance(node, dict):
        if node.get("name") == name:
            yield from texts(node)
        if name in node.get("properties", {}):
            yield from texts(node["properties"][name])
        for key, one in node.items():
            if key not in ("responses", "example"):
                yield from descriptions(one, name)


def texts(node):
    if isinstance(node, list):
        for one in node:
            yield from texts(one)
    elif isinstance(node, dict):
        if isinstance(node.get("description"), str):
            yield node["description"]
        for one in node.values():
            yield from texts(one)
