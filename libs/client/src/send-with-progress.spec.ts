import { describe, expect, it } from 'vitest';
import { sendWithProgress, type BrowserRequest, type UploadProgress } from './send-with-progress.js';

/** Creates a fake XMLHttpRequest that records the calls of its methods. Tests call its event handlers themselves. */
function createRequest(): BrowserRequest & { readonly calls: string[] } {
  const calls: string[] = [];
  const request = {
    calls,
    status: 201,
    responseText: '{"id":"d1"}',
    upload: { onprogress: null },
    onload: null as (() => void) | null,
    onerror: null as (() => void) | null,
    onabort: null as (() => void) | null,
    open: (method: string, url: string) => void calls.push(`${method} ${url}`),
    setRequestHeader: (name: string, value: string) => void calls.push(`${name}: ${value}`),
    getAllResponseHeaders: () => 'content-type: application/json\r\nx-request-id: r1\r\n',
    send: () => void calls.push('send'),
    abort: () => {
      calls.push('abort');
      request.onabort?.();
    },
  };
  return request;
}

const createForm = (onProgress: (progress: UploadProgress) => void = () => undefined, signal?: AbortSignal) => ({
  method: 'POST',
  headers: { 'Idempotency-Key': 'k1' },
  body: new FormData(),
  onProgress,
  signal,
});

describe('sendWithProgress', () => {
  it('sendWithProgress reports the progress of the upload, and returns the response with its headers', async () => {
    const request = createRequest();
    const seen: UploadProgress[] = [];
    const sent = sendWithProgress(
      request,
      '/api/files',
      createForm((progress) => void seen.push(progress)),
    );
    request.upload.onprogress?.({ loaded: 5, total: 10 });
    request.onload?.();
    const response = await sent;
    expect(request.calls).toEqual(['POST /api/files', 'Idempotency-Key: k1', 'send']);
    expect(seen).toEqual([{ sentBytes: 5, totalBytes: 10 }]);
    expect([response.status, response.headers.get('x-request-id')]).toEqual([201, 'r1']);
    expect(await response.json()).toEqual({ id: 'd1' });
  });

  it('sendWithProgress rejects with a TypeError if the server does not respond', async () => {
    const request = createRequest();
    const sent = sendWithProgress(request, '/api/files', createForm());
    request.onerror?.();
    await expect(sent).rejects.toBeInstanceOf(TypeError);
  });

  it.each([[new Error('cancelled by the reader')], ['cancelled']])(
    'if the signal aborts with the reason %j, sendWithProgress aborts the request and rejects with this reason',
    async (reason) => {
      const request = createRequest();
      const abort = new AbortController();
      const sent = sendWithProgress(request, '/api/files', createForm(undefined, abort.signal));
      abort.abort(reason);
      await expect(sent).rejects.toBe(reason);
      expect(request.calls.at(-1)).toBe('abort');
      const late = createRequest();
      await expect(sendWithProgress(late, '/api/files', createForm(undefined, abort.signal))).rejects.toBe(reason);
      expect(late.calls).toEqual([]);
    },
  );

  it('sendWithProgress rejects with an AbortError if the browser aborts the request without the signal', async () => {
    const request = createRequest();
    const sent = sendWithProgress(request, '/api/files', createForm());
    request.onabort?.();
    await expect(sent).rejects.toMatchObject({ name: 'AbortError' });
  });
});
