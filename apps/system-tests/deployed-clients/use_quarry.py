# Creates a datastore with a text, searches it, and asks an agent, with a client that openapi-python-client has
# generated. Prints the results, the answer and the lines of the streamed answer as JSON.
# Arguments: the folder of the client, the address of the API, the key.
import json
import sys
import time

folder, address, key = sys.argv[1:]
sys.path.insert(0, folder)

from quarry_client import AuthenticatedClient
from quarry_client.api.agents import create_agent
from quarry_client.api.content import upsert_documents
from quarry_client.api.datasources import get_datasource
from quarry_client.api.datastores import create_datastore
from quarry_client.api.queries import query_agent, query_datastore
from quarry_client.models import (
    AgentQueryRequest,
    CreateAgentRequest,
    CreateDatastoreRequest,
    DatastoreQueryRequest,
    UpsertDocument,
    UpsertRequest,
)

QUESTION = "Combien coûte le café glacé ?"
client = AuthenticatedClient(base_url=address, token=key)
datastore = create_datastore.sync(client=client, body=CreateDatastoreRequest(name="Carte"))
document = UpsertDocument(name="carte", text="Le café glacé coûte 3 €.")
upserted = upsert_documents.sync(datastore.id, client=client, body=UpsertRequest(documents=[document]))
deadline = time.monotonic() + 60
while (status := get_datasource.sync(upserted.ids[0], client=client).status) != "synched":
    if time.monotonic() > deadline:
        sys.exit(f"expected the text to be synched within 60 s, found the status {status}")
    time.sleep(0.1)
results = query_datastore.sync(datastore.id, client=client, body=DatastoreQueryRequest(query=QUESTION, top_k=1))
agent = create_agent.sync(client=client, body=CreateAgentRequest(name="Serveur", datastore_ids=[datastore.id]))
answer = query_agent.sync(agent.id, client=client, body=AgentQueryRequest(query=QUESTION))
streamed = query_agent._get_kwargs(agent.id, body=AgentQueryRequest(query=QUESTION, streaming=True))
with client.get_httpx_client().stream(**streamed) as response:
    lines = list(response.iter_lines())
print(json.dumps({"results": [result.text for result in results], "answer": answer.answer, "lines": lines}))
