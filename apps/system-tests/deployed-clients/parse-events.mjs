// Streams an answer with eventsource-parser. Prints the text of the answer.
// Arguments: the address of Quarry, the key, the id of the agent, the query.
import { createParser } from 'eventsource-parser';

const [address, apiKey, agentId, query] = process.argv.slice(2);
const response = await fetch(`${address}/api/agents/${agentId}/query`, {
  method: 'POST',
  headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${apiKey}` },
  body: JSON.stringify({ query, streaming: true }),
});
let answer = '';
const parser = createParser((event) => {
  if (event.type === 'event' && event.event === 'answer') answer += event.data;
});
for await (const text of response.body.pipeThrough(new TextDecoderStream())) parser.feed(text);
console.log(answer);
