import { createServer, type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

/** Runs a simulated model with OpenAI's chat completions API at a fixed pace. The arguments set the pace. */
const [firstMs = 200, everyMs = 20, tokens = 100] = process.argv.slice(2).map(Number);

const server = createServer((request, response) => {
  request.resume();
  request.once('end', () => void streamTokens(response));
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') process.send?.(address.port);
});
process.once('disconnect', () => {
  process.exit(0);
});

/** Streams tokens on a schedule of absolute times, so that a late token does not delay the following ones. */
async function streamTokens(response: ServerResponse): Promise<void> {
  const begun = performance.now();
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  for (let token = 0; token < tokens; token += 1) {
    const due = begun + firstMs + token * everyMs - performance.now();
    if (due > 0) await wait(due);
    if (response.destroyed) return;
    response.write(formatChunk({ content: `word${token} ` }, null));
  }
  response.write(formatChunk({}, 'stop'));
  response.end('data: [DONE]\n\n');
}

function formatChunk(delta: object, reason: string | null): string {
  const choices = [{ index: 0, delta, finish_reason: reason }];
  return `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', model: 'fake', choices })}\n\n`;
}
