# Streams an answer with the Python package `requests`, without setting an encoding. Prints the text of the answer.
# Arguments: the address of Quarry, the key, the id of the agent, the query.
import sys

import requests

address, key, agent, query = sys.argv[1:]
response = requests.post(
    f"{address}/agents/{agent}/query",
    json={"query": query, "streaming": True},
    headers={"Authorization": f"Bearer {key}"},
    stream=True,
)
response.raise_for_status()
event, answer, previous = "", "", ""
for line in response.iter_lines(decode_unicode=True):
    if line.startswith("event: "):
        event = line[len("event: ") :]
    elif line.startswith("data: ") and event == "answer":
        answer += ("\n" if previous.startswith("data: ") else "") + line[len("data: ") :]
    elif line == "":
        event = ""
    previous = line
sys.stdout.buffer.write(answer.encode("utf-8"))
