# Calls every operation of the API with a client that openapi-python-client has generated.
# Prints the sent requests and their responses as JSON.
# Arguments: the folder of the client, the address of Quarry, the key. Standard input: the requests, as a JSON array.
import importlib
import io
import json
import pkgutil
import sys

import httpx

folder, address, key = sys.argv[1:]
sys.path.insert(0, folder)
api = importlib.import_module("quarry_client.api")
models = importlib.import_module("quarry_client.models")
types = importlib.import_module("quarry_client.types")
AuthenticatedClient = importlib.import_module("quarry_client").AuthenticatedClient

modules = {
    module.name.rpartition(".")[2].replace("_", ""): importlib.import_module(module.name)
    for module in pkgutil.walk_packages(api.__path__, "quarry_client.api.")
}


def call(request):
    sent = {}

    def record(response):
        response.read()
        sent.update(status=response.status_code, method=response.request.method, path=response.request.url.path)
        sent.update(query=response.request.url.query.decode(), text=response.text)
        if request.get("schema") is not None:
            sent.update(body=json.loads(response.request.read()))

    client = AuthenticatedClient(
        base_url=address + request["server"],
        token=key,
        timeout=httpx.Timeout(30),
        httpx_args={"event_hooks": {"response": [record]}},
    )
    arguments = {to_snake_case(name): value for name, value in request["parameters"].items()}
    if "with" in arguments:
        arguments["with_"] = arguments.pop("with")
    module = modules[request["id"].lower()]
    if request.get("schema") is not None:
        arguments["body"] = getattr(models, request["shape"]).from_dict(request["body"])
    elif request["isForm"]:
        file = types.File(payload=io.BytesIO(b"A text."), file_name="a.txt", mime_type="text/plain")
        arguments["body"] = models.UploadFileBody(file=file)
    module.sync_detailed(client=client, **arguments)
    return sent


def to_snake_case(name):
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)


print(json.dumps({request["id"]: call(request) for request in json.load(sys.stdin)}))
