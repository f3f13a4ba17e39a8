import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A question with this in it gets its answer's first word at once, and the rest when it is let go. */
export const HELD = 'Take your time.';

export interface HeldModel {
  /** Up to and with `/v1`. */
  readonly url: string;
  /** How many answers are being held. */
  readonly held: number;
  letGo(): void;
  close(): Promise<void>;
}

/** A model provider that speaks OpenAI's protocol. */
export async function startHeldModel(): Promise<HeldModel> {
  const held = new Set<() => void>();
  const server: Server = createServer((request, response) => {
    void (async () => {
      let body = '';
      for await (const chunk of request.setEncoding('utf8')) body += String(chunk);
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      say(response, { content: 'Granite ' });
      if (body.includes(HELD)) await new Promise<void>((resolve) => held.add(resolve));
      say(response, { content: 'cools slowly.' });
      say(response, {}, 'stop');
      response.end('data: [DONE]\n\n');
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // a TCP server's address is always of this form
  return {
    url: `http://127.0.0.1:${port}/v1`,
    get held() {
      return held.size;
    },
    letGo() {
      for (const resolve of held) resolve();
      held.clear();
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function say(response: ServerResponse, delta: object, reason: string | null = null): void {
  const choices = [{ index: 0, delta, finish_reason: reason }];
  const chunk = { id: 'held', object: 'chat.completion.chunk', created: 0, model: 'held', choices };
  response.write(`data: ${JSON.stringify(chunk)}\n\n`);
}
