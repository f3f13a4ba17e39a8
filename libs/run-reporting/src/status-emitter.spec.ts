import { datasourceStatusQueue, type DatasourceStatusJobs, type StatusChanged } from '@quarry/contracts';
import { parse, ValidationError } from '@quarry/validation';
import { describe, expect, it } from 'vitest';
import { createStatusEmitter, type EventProducer } from './status-emitter.js';

const AT = '2026-06-01T12:00:00.000Z';

function createChange(runId: string, more: Partial<StatusChanged> = {}): StatusChanged {
  return { datasourceId: `datasource-${runId}`, runId, sequence: 1, at: AT, status: 'synched', ...more };
}

/** Creates a producer that, like a queue, parses payloads and ignores a job whose id it has recorded already. */
function createRecordingProducer() {
  const jobs = new Map<string, { readonly name: string; readonly payload: object }>();
  const producer: EventProducer = {
    add: async <Name extends keyof DatasourceStatusJobs>(name: Name, payload: DatasourceStatusJobs[Name]) => {
      const contract = datasourceStatusQueue.jobs[name];
      const id = contract.buildId(parse(contract.payload, payload, 'refuse'));
      if (!jobs.has(id)) jobs.set(id, { name, payload });
    },
  };
  return { producer, jobs: () => [...jobs.values()] };
}

function openRecordedEmitter() {
  const { producer, jobs } = createRecordingProducer();
  const statuses = createStatusEmitter(producer);
  return {
    emit: async (...changes: readonly StatusChanged[]) =>
      Promise.allSettled(changes.map(async (change) => statuses.emitStatusChange(change))),
    jobs,
  };
}

describe('createStatusEmitter', () => {
  it('the status emitter emits simultaneous changes in one job, in the order in which they were emitted', async () => {
    const { emit, jobs } = openRecordedEmitter();
    const changes = [createChange('a', { status: 'running' }), createChange('b'), createChange('a', { sequence: 2 })];
    await emit(...changes);
    expect(jobs()).toEqual([{ name: 'statuses-changed', payload: { changes } }]);
  });

  it('the status emitter emits a single change as a job that every version of the gateway can read', async () => {
    const { emit, jobs } = openRecordedEmitter();
    await emit(createChange('a'));
    await emit(createChange('b'));
    expect(jobs()).toEqual(['a', 'b'].map((runId) => ({ name: 'status-changed', payload: createChange(runId) })));
  });

  it('the status emitter rejects a change that violates the contract, and emits the other changes of the batch', async () => {
    const { emit, jobs } = openRecordedEmitter();
    const results = await emit(createChange('a'), createChange('bad', { sequence: 0 }), createChange('c'));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(results[1]).toMatchObject({ reason: expect.any(ValidationError) as unknown });
    expect(jobs()).toEqual([
      { name: 'statuses-changed', payload: { changes: [createChange('a'), createChange('c')] } },
    ]);
  });

  it('the queue adds two batches that have one change in common, but adds two identical batches only once', async () => {
    const { emit, jobs } = openRecordedEmitter();
    await emit(createChange('a'), createChange('b'));
    await emit(createChange('a'), createChange('c'));
    await emit(createChange('a'), createChange('b'));
    expect(jobs()).toHaveLength(2);
  });
});
