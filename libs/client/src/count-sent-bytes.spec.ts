import { describe, expect, it } from 'vitest';
import { countSentBytes } from './count-sent-bytes.js';
import type { UploadProgress } from './send-with-progress.js';

const BYTES = 300_000;

function createForm(): FormData {
  const form = new FormData();
  form.append('datastoreId', 'd1');
  form.append('file', new File([new Uint8Array(BYTES)], 'Übersicht.txt', { type: 'text/plain' }));
  return form;
}

describe('countSentBytes', () => {
  it('countSentBytes reports the number of bytes that were read so far, up to the size of the whole form', async () => {
    const seen: UploadProgress[] = [];
    const { body, headers } = await countSentBytes(createForm(), (progress) => void seen.push(progress));
    expect(seen).toEqual([]);
    const sent = await new Response(body, { headers }).arrayBuffer();
    expect(seen.length).toBeGreaterThan(2);
    expect(seen.map(({ totalBytes }) => totalBytes)).toEqual(seen.map(() => sent.byteLength));
    expect(seen.map(({ sentBytes }) => sentBytes)).toEqual(
      seen.map(({ sentBytes }) => sentBytes).toSorted((a, b) => a - b),
    );
    expect(seen.at(-1)?.sentBytes).toBe(sent.byteLength);
  });

  it('countSentBytes encodes the fields of a form, and the names and types of its files', async () => {
    const { body, headers } = await countSentBytes(createForm(), () => undefined);
    expect(headers['Content-Type']).toMatch(/^multipart\/form-data; boundary=/);
    const text = await new Response(body).text();
    expect(text).toContain('name="datastoreId"\r\n\r\nd1\r\n');
    expect(text).toContain('name="file"; filename="Übersicht.txt"\r\nContent-Type: text/plain\r\n');
  });
});
