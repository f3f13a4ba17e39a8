import { TryLater } from '@quarry/contracts';
import { describe, expect, it } from 'vitest';
import {
  EMBEDDING,
  selectDeterministicEvents,
  useWorkers,
  type WorkerOptions,
  type WorkerUnderTest,
} from '../testing/worker-under-test.js';

const REFUSAL = { granted: false, code: 'usage_limit_reached', message: 'There is no room.' } as const;

const open = useWorkers();
let worker: WorkerUnderTest;
const startWorker = (claimTokens: NonNullable<WorkerOptions['claimTokens']>): void => {
  worker = open({ claimTokens });
};

describe('the worker under a token limit', () => {
  it('the worker claims all tokens of a document before it embeds the first fragment', async () => {
    const claims: object[] = [];
    startWorker(async (claim) => {
      claims.push({ claim, embeddings: worker.countEmbeddingCalls() });
      return Promise.resolve({ granted: true });
    });
    const { organizationId, datasourceId, runId, documentKey, ...job } =
      await worker.upload('Boxes are in the cellar.');
    const ids = { organizationId, datasourceId, runId, documentKey };
    const last = (await worker.index({ ...job, ...ids, embedding: EMBEDDING })).at(-1)?.payload;
    expect(last).toMatchObject({ status: 'synched' });
    const tokens = last !== undefined && 'storedTokens' in last ? last.storedTokens : undefined;
    expect(claims).toEqual([{ claim: { ...ids, tokens }, embeddings: 0 }]);
    expect(worker.countEmbeddingCalls()).toBe(1);
  });

  it('the worker neither embeds nor stores a document over the token limit, and a later run indexes the document if the limit then permits it', async () => {
    let answer: typeof REFUSAL | { readonly granted: true } = REFUSAL;
    startWorker(async () => Promise.resolve(answer));
    const job = await worker.upload('Boxes are in the cellar.', { embedding: EMBEDDING });
    await expect(worker.indexAndGetLastEvent(job)).resolves.toMatchObject({
      status: 'usage_limit_reached',
      code: 'usage_limit_reached',
      message: 'There is no room.',
    });
    expect([worker.countEmbeddingCalls(), await worker.search('cellar', job)]).toEqual([0, []]);
    answer = { granted: true };
    const again = { ...job, runId: 'run-again', generation: job.generation + 1 };
    expect((await worker.index(again)).at(-1)?.payload).toMatchObject({ status: 'synched' });
    expect(await worker.search('cellar', job)).toHaveLength(1);
  });

  it('the worker keeps the stored version of a document whose new version exceeds the token limit', async () => {
    let granted = true;
    startWorker(async () => Promise.resolve(granted ? { granted } : REFUSAL));
    const job = await worker.upload('Boxes are in the cellar.');
    await worker.index(job);
    granted = false;
    await worker.index(await worker.upload('Boxes are in the attic.'));
    expect(await worker.search('cellar', job)).toHaveLength(1);
    expect(await worker.search('attic', job)).toEqual([]);
  });

  it('the worker claims no tokens for a document whose stored version is unchanged', async () => {
    let asked = 0;
    startWorker(async () => Promise.resolve({ granted: (asked += 1) > 0 }));
    await worker.index(await worker.upload('Boxes are in the cellar.'));
    const events = await worker.index(await worker.upload('Boxes are in the cellar.'));
    expect(events.at(-1)?.payload).toMatchObject({ status: 'synched', counters: { unchanged: 1 } });
    expect(asked).toBe(1);
  });

  it('the worker neither stores a document nor emits its outcome if the run has ended before the worker claims the tokens of the document', async () => {
    startWorker(async () => Promise.resolve({ granted: false, code: 'run_ended', message: 'The run has ended.' }));
    const job = await worker.upload('Boxes are in the cellar.');
    expect(selectDeterministicEvents(await worker.index(job))).toEqual([]);
    expect(await worker.search('cellar', job)).toEqual([]);
  });

  it('if one of several documents of a run exceeds the token limit, the worker emits the code `usage_limit_reached` for this document', async () => {
    startWorker(async () => Promise.resolve(REFUSAL));
    const events = await worker.index(await worker.upload('Boxes.', { partOfRun: true }));
    expect(events.at(-1)).toMatchObject({
      name: 'document-settled',
      payload: { outcome: 'failed', code: 'usage_limit_reached', message: 'There is no room.' },
    });
  });

  it('while the gateway is unavailable, the worker postpones the indexing of a document without counting an attempt', async () => {
    let failuresLeft = 7;
    startWorker(async () => {
      if (failuresLeft === 0) return Promise.resolve({ granted: true });
      failuresLeft -= 1;
      throw new TryLater(0, 'the gateway does not answer');
    });
    const events = await worker.index(await worker.upload('Boxes are in the cellar.'));
    expect(events.at(-1)?.payload).toMatchObject({ status: 'synched' });
  });
});
