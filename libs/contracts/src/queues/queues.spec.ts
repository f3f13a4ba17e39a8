import { compileShapeCheck, parse, type Shape } from '@quarry/validation';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  catalogQueue,
  crawlQueue,
  datasourceStatusQueue,
  buildDocumentJobId,
  IndexDocument,
  ingestionQueue,
  pagePictureQueue,
  type RenderPage,
  StatusChanged,
  webhookQueue,
} from '../index.js';

const QUEUES = [ingestionQueue, datasourceStatusQueue, crawlQueue, catalogQueue, webhookQueue, pagePictureQueue];

const job = {
  organizationId: 'org',
  datastoreId: 'store',
  datasourceId: 'source',
  datasourceType: 'file',
  runId: 'run',
  generation: 1,
  documentKey: 'report.pdf',
  name: 'report.pdf',
  blobKey: 'org/store/source/blob',
  mimeType: 'application/pdf',
  splitting: { maxTokens: 512, overlapTokens: 64 },
};

describe('the queue contracts', () => {
  it('the contracts of `index-document` and `status-changed` accept valid payloads', () => {
    expect(parse(IndexDocument, job, 'refuse')).toMatchObject(job);
    const event = {
      datasourceId: 'source',
      runId: 'run',
      sequence: 1,
      at: '2026-01-01T00:00:00.000Z',
      status: 'synched',
    };
    expect(parse(StatusChanged, event, 'refuse')).toMatchObject(event);
  });

  it.each([
    [{ generation: 0 }, /generation/],
    [{ documentKey: '' }, /documentKey/],
    [{ splitting: { maxTokens: 1, overlapTokens: 0 } }, /splitting\.maxTokens/],
    [{ body: 'never in a payload' }, /body: is not a field/],
  ])('the contract of `index-document` rejects a job with the invalid or unknown field %j', (wrong, message) => {
    expect(() => parse(IndexDocument, { ...job, ...wrong }, 'refuse')).toThrow(message);
  });

  it('the validation rules of every queue contract can be compiled', () => {
    for (const { jobs } of QUEUES) {
      for (const { payload } of Object.values<{ readonly payload: Shape<object> }>(jobs)) {
        expect(compileShapeCheck(payload, 'refuse')({})).toBe(false);
      }
    }
  });

  it('queue names and job ids contain no colon, because BullMQ reserves it', () => {
    expect(QUEUES.map((queue) => queue.name).join()).not.toContain(':');
    fc.assert(
      fc.property(fc.string(), (documentKey) => {
        expect(buildDocumentJobId({ runId: 'run', documentKey })).not.toContain(':');
      }),
    );
  });

  it('the job id of a page picture depends only on `pictureKey` and `round`', () => {
    const { buildId } = pagePictureQueue.jobs['render-page'];
    const picture = {
      ...{ organizationId: 'org', blobKey: 'org/store/source/blob', page: 1, width: 400, round: 7 },
      ...{ pictureKey: 'org/store/source/pages/a.png', failureKey: 'org/store/source/pages/a.json' },
    } satisfies RenderPage;
    const ids = [picture, { ...picture }, { ...picture, round: 8 }, { ...picture, pictureKey: 'b' }].map(buildId);
    expect(new Set(ids).size).toBe(3);
    expect(ids.join()).not.toContain(':');
  });

  it('each document of a run has its own job id', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string(), { minLength: 2, maxLength: 20 }), (keys) => {
        const ids = keys.map((documentKey) => buildDocumentJobId({ runId: 'run', documentKey }));
        expect(new Set(ids).size).toBe(keys.length);
      }),
    );
  });
});
