import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';

/**
 * Arguments of this program, which simulates a model with OpenAI's chat completions API. For each answer: milliseconds
 * to the first token, milliseconds between tokens, and number of tokens.
 */
const [firstMs = 200, everyMs = 20, tokens = 100] = process.argv.slice(2).map(Number);

const server = createServer((request, response) => void respondWithTokens(request, response));
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') process.send?.(address.port);
});
process.once('disconnect', () => {
  process.exit(0);
});

const USAGE = { prompt_tokens: 1, completion_tokens: tokens, total_tokens: tokens + 1 };

/** The part of a request that the simulated model reads. */
interface CompletionRequest {
  readonly stream?: boolean;
  readonly stream_options?: { readonly include_usage?: boolean };
}

/** Streams the tokens, or sends them as one response if the request does not contain `stream: true`. */
async function respondWithTokens(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = (await json(request)) as CompletionRequest; // sent by the benchmarks
  if (body.stream === true) {
    await streamTokens(response, body.stream_options?.include_usage === true);
    return;
  }
  const lastsMs = firstMs + (tokens - 1) * everyMs;
  if (lastsMs > 0) await wait(lastsMs);
  const content = Array.from({ length: tokens }, (_, token) => formatTokenWord(token)).join('');
  const choices = [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }];
  response.writeHead(200, { 'Content-Type': 'application/json' });
  response.end(
    JSON.stringify({ id: 'c', object: 'chat.completion', created: 0, model: 'fake', choices, usage: USAGE }),
  );
}

/**
 * Streams each token at a fixed time after the start of the answer, so that a late token does not delay the next
 * tokens.
 */
async function streamTokens(response: ServerResponse, includesUsage: boolean): Promise<void> {
  const begun = performance.now();
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  for (let token = 0; token < tokens; token += 1) {
    const due = begun + firstMs + token * everyMs - performance.now();
    if (due > 0) await wait(due);
    if (response.destroyed) return;
    response.write(formatCompletionChunk({ content: formatTokenWord(token) }, null));
  }
  response.write(formatCompletionChunk({}, 'stop'));
  // As in OpenAI's API, an extra chunk without choices contains the usage.
  if (includesUsage) response.write(formatChunk({ choices: [], usage: USAGE }));
  response.end('data: [DONE]\n\n');
}

function formatTokenWord(token: number): string {
  return `word${token} `;
}

function formatCompletionChunk(delta: object, reason: string | null): string {
  return formatChunk({ choices: [{ index: 0, delta, finish_reason: reason }] });
}

function formatChunk(fields: object): string {
  return `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', model: 'fake', ...fields })}\n\n`;
}
