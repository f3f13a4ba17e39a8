import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Variables } from './stack.js';

/**
 * Behaviour of the model after the first word of an answer. `ends`: it completes the answer. `hangs`: it sends nothing
 * more. `dies`: it closes the connection.
 */
export type Behaviour = 'ends' | 'hangs' | 'dies';

/** A simulated model with OpenAI's chat completions API. The first word of each answer is `Once`. */
export interface FakeModel {
  readonly url: string;
  /** The environment variables with which Quarry uses the model. */
  readonly variables: Variables;
  /** The bodies of the requests that the model has received so far. */
  readonly prompts: readonly string[];
  /** Behaviour of the model for all later requests. Tests can change this value. */
  behaviour: Behaviour;
  /** Resolves when the next response ends, with or without a complete answer. */
  waitForDisconnect(): Promise<unknown>;
  stop(): Promise<void>;
}

/** Starts a simulated model. @param ending the text of each answer after its first word */
export async function startFakeModel(ending = ' upon a time.'): Promise<FakeModel> {
  const prompts: string[] = [];
  let leaving = Promise.withResolvers<undefined>();
  const server = createServer((request, response) => {
    void text(request).then((prompt) => prompts.push(prompt));
    response.once('close', () => {
      leaving.resolve(undefined);
      leaving = Promise.withResolvers();
    });
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    writeTextChunk(response, 'Once');
    if (model.behaviour === 'dies') response.socket?.end();
    if (model.behaviour === 'ends') {
      writeTextChunk(response, ending, 'stop');
      response.end('data: [DONE]\n\n');
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string')
    throw new Error('expected the simulated model to listen on a TCP port, found no port');
  const url = `http://127.0.0.1:${address.port}/v1`;
  const model: FakeModel = {
    url,
    variables: { QUARRY_MODEL_BASE_URL: url, QUARRY_MODEL: 'fake' },
    prompts,
    behaviour: 'ends',
    waitForDisconnect: () => leaving.promise,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return model;
}

function writeTextChunk(response: ServerResponse, content: string, reason: string | null = null): void {
  const choices = [{ index: 0, delta: { content }, finish_reason: reason }];
  response.write(`data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', choices })}\n\n`);
}
