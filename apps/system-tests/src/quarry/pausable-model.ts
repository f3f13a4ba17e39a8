import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Text in a question that makes the model pause its answer. The model sends the first word at once, and the other words
 * when the test calls `resumeAnswers`.
 */
export const PAUSE_MARKER = 'Take your time.';

export interface PausableModel {
  /** Address of the model's API, including `/v1`. */
  readonly url: string;
  /** Number of answers that wait now for a call of `resumeAnswers`. */
  readonly pausedAnswers: number;
  resumeAnswers(): void;
  close(): Promise<void>;
}

/** Starts a simulated model with OpenAI's chat completions API. Its answer is `Granite cools slowly.` */
export async function startPausableModel(): Promise<PausableModel> {
  const waiting = new Set<() => void>();
  const server: Server = createServer((request, response) => {
    void (async () => {
      let body = '';
      for await (const chunk of request.setEncoding('utf8')) body += String(chunk);
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      writeDeltaChunk(response, { content: 'Granite ' });
      if (body.includes(PAUSE_MARKER)) await new Promise<void>((resolve) => waiting.add(resolve));
      writeDeltaChunk(response, { content: 'cools slowly.' });
      writeDeltaChunk(response, {}, 'stop');
      response.end('data: [DONE]\n\n');
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // a TCP server has this form of address
  return {
    url: `http://127.0.0.1:${port}/v1`,
    get pausedAnswers() {
      return waiting.size;
    },
    resumeAnswers() {
      for (const resolve of waiting) resolve();
      waiting.clear();
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function writeDeltaChunk(response: ServerResponse, delta: object, reason: string | null = null): void {
  const choices = [{ index: 0, delta, finish_reason: reason }];
  const chunk = { id: 'held', object: 'chat.completion.chunk', created: 0, model: 'held', choices };
  response.write(`data: ${JSON.stringify(chunk)}\n\n`);
}
