"""Two things that schemathesis.toml cannot say: `url` excludes `ids`, and a run has a limit of requests."""

import os

import requests
import schemathesis

left = int(os.environ.get("FUZZ_MAX_REQUESTS") or 0) or None
send = requests.adapters.HTTPAdapter.send


def send_within_limit(adapter, *args, **kwargs):
    """A real limit: -n, --max-time and --max-failures do not bound what is sent, and a hook does not see the probes and what
    some checks send. An interrupt ends the run with whole reports and exit code 130."""
    global left
    if left is not None:
        if left == 0:
            raise KeyboardInterrupt
        left -= 1
    return send(adapter, *args, **kwargs)


requests.adapters.HTTPAdapter.send = send_within_limit


@schemathesis.hook
def before_call(context, case, kwargs):
    """PST-03: OpenAPI cannot say that GET /posts takes exactly one of two parameters, so the generator sends both or
    neither where it means to send something legal. Such a case gets one; a deliberately wrong one stays as it is."""
    operation = (case.operation.definition.raw or {}).get("operationId")
    if operation != "getPosts" or not case.meta or not case.meta.generation.mode.is_positive:
        return
    query = case.query if case.query is not None else {}
    if "url" in query and "ids" in query:
        # Even ones keep the address, so that both forms are read, and a seed repeats exactly.
        del query["ids" if len(str(query["ids"])) % 2 == 0 else "url"]
    elif "url" not in query and "ids" not in query:
        query["ids"] = "fuzz"
    case.query = query
