# Calls every operation of the API with a client that openapi-generator has generated for Python.
# Prints the sent requests and their responses as JSON.
# Arguments: the folder of the client, the address of Quarry, the key. Standard input: the requests, as a JSON array.
import json
import pkgutil
import re
import sys
from urllib.parse import urlsplit

folder, address, key = sys.argv[1:]
sys.path.insert(0, folder)

import quarry_client
import quarry_client.api

apis = [getattr(quarry_client, name) for name in dir(quarry_client) if name.endswith("Api")]
for module in pkgutil.walk_packages(quarry_client.__path__, "quarry_client."):
    __import__(module.name)


def call(request):
    sent = {}
    client = quarry_client.ApiClient(quarry_client.Configuration(host=address + request["server"], access_token=key))
    send = client.rest_client.request

    def record(method, url, headers=None, body=None, post_params=None, _request_timeout=None):
        # For operations outside of /api, the server in the OpenAPI document is a path, and the client adds no address.
        url = url if url.startswith(address) else f"{address}/{url.lstrip('/')}"
        parts = urlsplit(url)
        sent.update(method=method, path=parts.path, query=parts.query)
        if "schema" in request:
            sent.update(body=json.loads(json.dumps(body)))
        response = send(method, url, headers, body, post_params, _request_timeout)
        sent.update(status=response.status, text=response.read().decode("utf-8", "replace"))
        return response

    client.rest_client.request = record
    name = to_snake_case(request["id"])
    api = next(api for api in apis if hasattr(api, name))(client)
    values = [request["parameters"][found] for found in re.findall(r"\{(\w+)\}", request["path"])]
    if "with" in request["parameters"]:
        values.append(request["parameters"]["with"])
    if "schema" in request:
        body = getattr(quarry_client, request["shape"]).model_validate(request["body"])
        is_union = request["shape"] != request["schema"]
        values.append(getattr(quarry_client, request["schema"])(body) if is_union else body)
    if request["isForm"]:
        values.append(("a.txt", b"A text."))
    try:
        getattr(api, name)(*values)
    except quarry_client.ApiException:
        pass  # the caller examines the response
    return sent


def to_snake_case(name):
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)


print(json.dumps({request["id"]: call(request) for request in json.load(sys.stdin)}))
