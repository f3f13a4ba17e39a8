import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { PageImage } from '@quarry/document-readers';
import { afterEach, describe, expect, it } from 'vitest';
import { createOcrService } from './ocr-service.js';

const IMAGE: PageImage = { width: 2, height: 1, dpi: 200, pixels: Uint8Array.of(0, 255) };
const WORD = { text: 'heron', confidence: 96.5, left: 10, top: 20, width: 30, height: 40, line: 1 };
const NEVER = new AbortController().signal;

interface Answer {
  readonly status?: number;
  readonly body: string;
}

let servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/**
 * Starts an HTTP server in place of an OCR service. @param respond returns undefined to leave the request without a
 * response
 */
async function startService(
  respond: (request: IncomingMessage, body: Buffer) => Answer | undefined,
  timeoutMs = 60_000,
) {
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      const answer = respond(request, body);
      if (answer !== undefined) response.writeHead(answer.status ?? 200).end(answer.body);
    });
  });
  servers = [...servers, server];
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // a server that listens on a port has such an address
  return createOcrService({ url: `http://127.0.0.1:${port}/ocr?key=k`, languages: ['eng', 'deu'], timeoutMs });
}

describe('the recognizer that calls an HTTP service', () => {
  it('the recognizer posts the image with its resolution and languages, and returns the words', async () => {
    const seen: unknown[] = [];
    const service = await startService(({ method, url, headers }, body) => {
      seen.push([method, url, headers['content-type'], body.toString('latin1')]);
      return { body: JSON.stringify({ words: [{ ...WORD, font: 'serif' }] }) };
    });
    await expect(service.recognize(IMAGE, NEVER)).resolves.toEqual({ words: [WORD] });
    expect(seen).toEqual([
      ['POST', '/ocr?key=k&languages=eng%2Cdeu&dpi=200', 'image/x-portable-graymap', 'P5\n2 1\n255\n\u0000ÿ'],
    ]);
  });

  it('the recognizer returns the number of quarter turns by which the OCR service turned the image', async () => {
    const service = await startService(() => ({ body: JSON.stringify({ words: [WORD], turns: 3 }) }));
    await expect(service.recognize(IMAGE, NEVER)).resolves.toEqual({ words: [WORD], turns: 3 });
    const other = await startService(() => ({ body: JSON.stringify({ words: [WORD], turns: 90 }) }));
    await expect(other.recognize(IMAGE, NEVER)).rejects.toMatchObject({ code: 'ocr_unavailable' });
  });

  it.each([400, 413, 422])(
    'if the OCR service responds with status %i, the recognizer rejects only the page and not the whole attempt',
    async (status) => {
      const service = await startService(() => ({ status, body: '' }));
      await expect(service.recognize(IMAGE, NEVER)).rejects.toMatchObject({ name: 'PageNotRecognized' });
    },
  );

  it.each<[string, Answer]>([
    ['status 503', { status: 503, body: '' }],
    ['status 401', { status: 401, body: '' }],
    ['no JSON', { body: '<html>' }],
    ['JSON without words', { body: '{}' }],
    ['a word without a box', { body: JSON.stringify({ words: [{ text: 'heron', confidence: 90, line: 1 }] }) }],
  ])('the recognizer fails the attempt if the OCR service returns %s', async (_, answer) => {
    const service = await startService(() => answer);
    await expect(service.recognize(IMAGE, NEVER)).rejects.toMatchObject({ code: 'ocr_unavailable' });
  });

  it('the recognizer refuses a response of the OCR service that is longer than 16 MiB', async () => {
    const body = JSON.stringify({ words: [WORD] }) + ' '.repeat(17 * 1024 * 1024);
    const service = await startService(() => ({ body }));
    await expect(service.recognize(IMAGE, NEVER)).rejects.toMatchObject({
      cause: expect.any(RangeError) as RangeError,
    });
  });

  it('the recognizer fails the attempt if the OCR service does not respond in time', async () => {
    const service = await startService(() => undefined, 50);
    await expect(service.recognize(IMAGE, NEVER)).rejects.toMatchObject({ code: 'ocr_unavailable' });
  });

  it('the recognizer fails the attempt if the OCR service cannot be reached', async () => {
    const service = createOcrService({ url: 'http://127.0.0.1:9/', languages: ['eng'], timeoutMs: 60_000 });
    await expect(service.recognize(IMAGE, NEVER)).rejects.toMatchObject({ code: 'ocr_unavailable' });
  });

  it('the recognizer throws the abort reason when the signal aborts', async () => {
    const cancellation = new AbortController();
    const service = await startService(() => {
      cancellation.abort(new Error('the run was cancelled'));
      return undefined;
    });
    await expect(service.recognize(IMAGE, cancellation.signal)).rejects.toThrow('the run was cancelled');
  });
});
