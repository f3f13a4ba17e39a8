import { describe, expect, it } from 'vitest';
import { OptimizationRecord } from './optimization-record.js';

describe('OptimizationRecord', () => {
  const createRecord = () => {
    const events: string[] = [];
    const addEvent = (event: string) => (): Promise<void> => Promise.resolve(void events.push(event));
    const state = { recordUnoptimized: addEvent('unoptimized'), recordOptimized: addEvent('optimized') };
    return { events, addEvent, record: new OptimizationRecord(state) };
  };

  it('is written before the first commit, and cleared by an optimization', async () => {
    const { events, addEvent, record } = createRecord();
    await record.runCommit(addEvent('one'));
    await record.runCommit(addEvent('two'));
    await record.runOptimization(addEvent('indexed'));
    await record.runCommit(addEvent('three'));
    expect(events).toEqual(['unoptimized', 'one', 'two', 'indexed', 'optimized', 'unoptimized', 'three']);
  });

  it('stays if a commit ends during the optimization, until the next one', async () => {
    const { events, addEvent, record } = createRecord();
    const committed = Promise.withResolvers<undefined>();
    const commit = record.runCommit(() => committed.promise);
    await record.runOptimization(async () => {
      committed.resolve(undefined);
      await commit;
    });
    expect(events).toEqual(['unoptimized']);
    await record.runOptimization(addEvent('indexed'));
    expect(events).toEqual(['unoptimized', 'indexed', 'optimized']);
  });

  it('stays if a commit begins during the optimization, or the optimization fails', async () => {
    const { events, addEvent, record } = createRecord();
    await record.runCommit(addEvent('one'));
    await record.runOptimization(() => record.runCommit(addEvent('two')));
    await expect(record.runOptimization(() => Promise.reject(new Error('disk full')))).rejects.toThrow('disk full');
    expect(events).toEqual(['unoptimized', 'one', 'two']);
  });

  it('is written by the next commit if it could not be written', async () => {
    const { events, addEvent } = createRecord();
    const outcomes = [Promise.reject(new Error('disk full')), Promise.resolve()];
    const recordUnoptimized = (): Promise<void> => outcomes.shift() ?? Promise.reject(new Error('written too often'));
    const record = new OptimizationRecord({ recordUnoptimized, recordOptimized: addEvent('optimized') });
    await expect(record.runCommit(addEvent('one'))).rejects.toThrow('disk full');
    await record.runCommit(addEvent('two'));
    await record.runCommit(addEvent('three'));
    expect(events).toEqual(['two', 'three']);
  });
});
