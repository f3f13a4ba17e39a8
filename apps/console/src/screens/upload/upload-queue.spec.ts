import { QuarryError, type Datasource } from '@quarry/client';
import { describe, expect, it } from 'vitest';
import {
  countUploadsByState,
  createUploadQueue,
  hasReplacedFile,
  isInProgress,
  isReplacedUpload,
  type SendFile,
  type Upload,
  type UploadQueue,
} from './upload-queue.js';

interface Sent {
  readonly name: string;
  readonly key: string;
  readonly signal: AbortSignal;
  readonly onProgress: (share: number) => void;
  readonly accept: () => void;
  readonly refuse: (error: Error) => void;
}

/** Creates a fake server that records the sent files. The test responds to each file with `accept` or `refuse`. */
function createServer(): { readonly sent: Sent[]; readonly send: SendFile } {
  const sent: Sent[] = [];
  const send: SendFile = async ({ name }, { signal, idempotencyKey, onProgress }) => {
    const { promise, resolve, reject } = Promise.withResolvers<Datasource>();
    signal.addEventListener('abort', () => {
      reject(new Error('aborted'));
    });
    const accept = (): void => resolve({ id: name } as Datasource); // the queue passes it on
    sent.push({ name, key: idempotencyKey, signal, onProgress, accept, refuse: reject });
    return promise;
  };
  return { sent, send };
}

/** Simulates the wait for the server. Each call waits until the test calls `reconnect`. */
function createConnection() {
  const waits: (() => void)[] = [];
  return {
    waits,
    reconnect: () => waits.at(-1)?.(),
    waitUntilReachable: async () => new Promise<void>((resolve) => waits.push(resolve)),
  };
}
const { waitUntilReachable } = createConnection();

const chooseFiles = (...names: readonly string[]) => names.map((name) => ({ file: new File(['x'], name), name }));
const formatStates = (queue: UploadQueue): string =>
  queue
    .getUploads()
    .map(({ state }) => state)
    .join(' ');

/** Waits until the uploads of the queue have the expected states. */
async function waitForStates(queue: UploadQueue, expected: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const check = (): void => {
    if (formatStates(queue) === expected) resolve(undefined);
  };
  const stop = queue.subscribe(check);
  check();
  await promise;
  stop();
}

/** Creates a queue with an upload that received no response, also when the queue repeated it. */
async function createQueueWithExhausted() {
  const { sent, send } = createServer();
  const { waitUntilReachable: wait, reconnect } = createConnection();
  const queue = createUploadQueue(send, { waitUntilReachable: wait });
  queue.add(chooseFiles('a'));
  for (let attempt = 0; attempt < 4; attempt += 1) {
    await waitForStates(queue, 'sending');
    sent[attempt]?.refuse(new TypeError('Failed to fetch'));
    await waitForStates(queue, 'unsent');
    reconnect();
  }
  await Promise.resolve();
  return { queue, sent };
}

describe('createUploadQueue', () => {
  it('the upload queue sends a limited number of files at the same time, and reports their progress', async () => {
    const { sent, send } = createServer();
    const queue = createUploadQueue(send, { parallel: 2, waitUntilReachable });
    queue.add(chooseFiles('a', 'b', 'c'));
    expect(formatStates(queue)).toBe('sending sending waiting');
    sent[1]?.onProgress(0.5);
    expect(queue.getUploads()[1]?.share).toBe(0.5);
    sent[0]?.accept();
    await waitForStates(queue, 'done sending sending');
    expect(queue.getUploads()[0]?.datasource?.id).toBe('a');
  });

  it('the upload queue stores the error of a refused upload, and `retry` repeats the upload with the same `Idempotency-Key`', async () => {
    const { sent, send } = createServer();
    const queue = createUploadQueue(send, { waitUntilReachable });
    queue.add(chooseFiles('a'));
    sent[0]?.refuse(new Error('too large'));
    await waitForStates(queue, 'refused');
    expect(queue.getUploads()[0]?.error).toEqual(new Error('too large'));
    queue.retry();
    expect(formatStates(queue)).toBe('sending');
    expect(sent[1]?.key).toBe(sent[0]?.key);
    sent[1]?.accept();
    await waitForStates(queue, 'done');
  });

  it.each([
    [413, 'file_too_large'],
    [415, 'unsupported_media_type'],
    [400, 'file_empty'],
  ])(
    '`retry` does not repeat an upload that was refused with the status %i and the code %s, but `clear` removes the upload',
    async (status, code) => {
      const { sent, send } = createServer();
      const queue = createUploadQueue(send, { waitUntilReachable });
      queue.add(chooseFiles('a', 'b'));
      sent[0]?.refuse(new QuarryError(status, code, 'The file was refused.'));
      sent[1]?.refuse(new Error('no response'));
      await waitForStates(queue, 'refused refused');
      queue.retry();
      expect(formatStates(queue)).toBe('refused sending');
      queue.clear(queue.getUploads()[0]?.id);
      expect(formatStates(queue)).toBe('sending');
    },
  );

  it('the upload queue sends nothing while the server does not respond, and sends all files when it responds again', async () => {
    const { sent, send } = createServer();
    const { waitUntilReachable: wait, waits, reconnect } = createConnection();
    const queue = createUploadQueue(send, { parallel: 2, waitUntilReachable: wait });
    queue.add(chooseFiles('a', 'b', 'c'));
    sent[0]?.refuse(new TypeError('Failed to fetch'));
    sent[1]?.refuse(new TypeError('Failed to fetch'));
    await waitForStates(queue, 'unsent unsent waiting');
    expect([waits.length, sent.length]).toEqual([1, 2]);
    reconnect();
    await waitForStates(queue, 'sending sending waiting');
    expect(sent[2]?.key).toBe(sent[0]?.key);
  });

  it('an upload whose connection fails each time is repeated three times, and again when the user retries it', async () => {
    const { queue, sent } = await createQueueWithExhausted();
    expect([formatStates(queue), sent.length]).toEqual(['unsent', 4]);
    queue.retry();
    await waitForStates(queue, 'sending');
    expect(sent).toHaveLength(5);
  });

  it('an upload that the queue no longer repeats has ended: `cancel` ignores it, and `clear` removes it', async () => {
    const { queue } = await createQueueWithExhausted();
    expect(queue.getUploads().map(isInProgress)).toEqual([false]);
    queue.cancel();
    expect(formatStates(queue)).toBe('unsent');
    queue.clear();
    expect(queue.getUploads()).toEqual([]);
  });

  it('`cancel` cancels one upload or all uploads of the queue, and `clear` removes cancelled uploads from the queue', async () => {
    const { sent, send } = createServer();
    const queue = createUploadQueue(send, { parallel: 1, waitUntilReachable });
    queue.add(chooseFiles('a', 'b', 'c'));
    queue.cancel(queue.getUploads()[1]?.id);
    expect(formatStates(queue)).toBe('sending cancelled waiting');
    queue.cancel();
    await waitForStates(queue, 'cancelled cancelled cancelled');
    expect(sent).toHaveLength(1);
    expect(sent[0]?.signal.aborted).toBe(true);
    expect(countUploadsByState(queue.getUploads())).toMatchObject({ cancelled: 3, done: 0 });
    queue.clear();
    expect(queue.getUploads()).toEqual([]);
  });
});

describe('an upload that received no response', () => {
  async function createQueueWithUnsent() {
    const { sent, send } = createServer();
    const { waitUntilReachable: wait, reconnect } = createConnection();
    const queue = createUploadQueue(send, { parallel: 2, waitUntilReachable: wait });
    queue.add(chooseFiles('a', 'b', 'c'));
    sent[0]?.refuse(new TypeError('Failed to fetch'));
    sent[1]?.refuse(new TypeError('Failed to fetch'));
    await waitForStates(queue, 'unsent unsent waiting');
    return { queue, sent, reconnect };
  }

  it('`clear` does not remove an upload that will be sent when the server responds again', async () => {
    const { queue, reconnect } = await createQueueWithUnsent();
    queue.clear();
    queue.clear(queue.getUploads()[0]?.id);
    expect(formatStates(queue)).toBe('unsent unsent waiting');
    reconnect();
    await waitForStates(queue, 'sending sending waiting');
  });

  it('`cancel` cancels it, so that it is not sent when the server responds again', async () => {
    const { queue, sent, reconnect } = await createQueueWithUnsent();
    queue.cancel(queue.getUploads()[0]?.id);
    expect(formatStates(queue)).toBe('cancelled unsent waiting');
    expect(queue.getUploads()[0]?.error).toBeUndefined();
    queue.cancel();
    reconnect();
    await waitForStates(queue, 'cancelled cancelled cancelled');
    await Promise.resolve();
    expect(sent).toHaveLength(2);
  });

  it.each([
    ['unsent', 'a page of a proxy', new QuarryError(502, 'unexpected_answer', 'found status 502')],
    ['refused', 'an error of Quarry', new QuarryError(503, 'dependency_unavailable', 'The queue is unavailable.')],
    ['refused', 'a page of a proxy that limits the size', new QuarryError(413, 'unexpected_answer', 'found 413')],
  ])('an upload is %s after %s', async (state, _answer, error) => {
    const { sent, send } = createServer();
    const queue = createUploadQueue(send, { waitUntilReachable });
    queue.add(chooseFiles('a'));
    sent[0]?.refuse(error);
    await waitForStates(queue, state);
  });
});

describe('isReplacedUpload', () => {
  const createUpload = (id: string, createdAt: string, updatedAt: string) =>
    ({ datasource: { id, createdAt, updatedAt } }) as Upload; // the functions read only these fields

  it('an upload is replaced by a later upload to the same datasource, which has replaced a file', () => {
    const first = createUpload('a', '2026-11-30T10:00:00.000Z', '2026-11-30T10:00:00.000Z');
    const second = createUpload('a', '2026-11-30T10:00:00.000Z', '2026-11-30T10:05:00.000Z');
    const other = createUpload('b', '2026-11-30T10:06:00.000Z', '2026-11-30T10:06:00.000Z');
    const uploads = [second, first, other];
    expect(uploads.map((upload) => isReplacedUpload(upload, uploads))).toEqual([false, true, false]);
    expect(uploads.map(hasReplacedFile)).toEqual([true, false, false]);
  });
});
