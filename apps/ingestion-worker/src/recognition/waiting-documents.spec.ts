import { TryLater } from '@quarry/contracts';
import { describe, expect, it } from 'vitest';
import { WaitingDocuments } from './waiting-documents.js';

const HOUR_MS = 3_600_000;

function openWaitingDocuments() {
  const clock = { now: 0 };
  const waiting = new WaitingDocuments(
    1,
    () => new Date(clock.now),
    () => 1,
  );
  let finish = (): void => undefined;
  const active = waiting.recognize('active', () => new Promise<void>((resolve) => (finish = resolve)));
  return {
    ...{ clock, waiting },
    finishActive: async () => {
      finish();
      await active;
    },
  };
}

async function postponeDocument(waiting: WaitingDocuments, key: string): Promise<number> {
  const error: unknown = await waiting.recognize(key, async () => Promise.resolve()).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(TryLater);
  return error instanceof TryLater ? error.delayMs : 0;
}

describe('documents that wait for recognition', () => {
  it('a document returns to the queue while the maximum number of documents is being recognized', async () => {
    const { waiting, finishActive } = openWaitingDocuments();
    waiting.requeueIfWaiting('a');
    expect(await postponeDocument(waiting, 'a')).toBe(5_000);
    expect(() => {
      waiting.requeueIfWaiting('a');
    }).toThrow(TryLater);
    await finishActive();
    waiting.requeueIfWaiting('a');
    await expect(waiting.recognize('a', async () => Promise.resolve('done'))).resolves.toBe('done');
  });

  it('the delay until a waiting document is retried grows with the number of waiting documents, up to five minutes', async () => {
    const { waiting } = openWaitingDocuments();
    for (let index = 1; index < 20; index += 1) await postponeDocument(waiting, `document ${index}`);
    expect(await postponeDocument(waiting, 'last')).toBe(20_000);
    for (let index = 20; index < 400; index += 1) await postponeDocument(waiting, `document ${index}`);
    expect(await postponeDocument(waiting, 'last')).toBe(300_000);
  });

  it('if a waiting document is not retried for more than ten minutes, it no longer counts as waiting', async () => {
    const { waiting, clock } = openWaitingDocuments();
    for (let index = 1; index < 20; index += 1) await postponeDocument(waiting, `document ${index}`);
    clock.now += HOUR_MS;
    expect(await postponeDocument(waiting, 'another')).toBe(5_000);
    waiting.requeueIfWaiting('document 1');
  });

  it('with a limit of one document, a document can be recognized after the recognition of another document has failed', async () => {
    const waiting = new WaitingDocuments(1, () => new Date());
    await expect(waiting.recognize('a', () => Promise.reject(new Error('recognition failed')))).rejects.toThrow(
      'recognition failed',
    );
    await expect(waiting.recognize('b', async () => Promise.resolve('done'))).resolves.toBe('done');
  });
});
