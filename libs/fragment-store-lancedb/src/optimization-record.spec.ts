import { describe, expect, it } from 'vitest';
import { OptimizationRecord } from './optimization-record.js';

describe('OptimizationRecord', () => {
  const createRecord = () => {
    const events: string[] = [];
    const addEvent = (event: string) => (): Promise<void> => Promise.resolve(void events.push(event));
    const state = { recordUnoptimized: addEvent('unoptimized'), recordOptimized: addEvent('optimized') };
    const optimize = async ({ leavesOldVersions = false } = {}): Promise<boolean> => {
      await addEvent('indexed')();
      return leavesOldVersions;
    };
    return { events, addEvent, optimize, record: new OptimizationRecord(state) };
  };

  it('OptimizationRecord records a table as unoptimized before its first commit, and as optimized after an optimization', async () => {
    const { events, addEvent, optimize, record } = createRecord();
    await record.runCommit(addEvent('one'));
    await record.runCommit(addEvent('two'));
    await record.runOptimization(optimize);
    await record.runCommit(addEvent('three'));
    expect(events).toEqual(['unoptimized', 'one', 'two', 'indexed', 'optimized', 'unoptimized', 'three']);
  });

  it('if a commit is in progress when an optimization begins, the table stays recorded as unoptimized until the next optimization', async () => {
    const { events, optimize, record } = createRecord();
    const committed = Promise.withResolvers<undefined>();
    const commit = record.runCommit(() => committed.promise);
    await record.runOptimization(async () => {
      committed.resolve(undefined);
      await commit;
      return false;
    });
    expect(events).toEqual(['unoptimized']);
    await record.runOptimization(optimize);
    expect(events).toEqual(['unoptimized', 'indexed', 'optimized']);
  });

  it('if a commit begins during an optimization, or the optimization fails, the table stays recorded as unoptimized', async () => {
    const { events, addEvent, record } = createRecord();
    await record.runCommit(addEvent('one'));
    await record.runOptimization(() => record.runCommit(addEvent('two')).then(() => false));
    await expect(record.runOptimization(() => Promise.reject(new Error('disk full')))).rejects.toThrow('disk full');
    expect(events).toEqual(['unoptimized', 'one', 'two']);
  });

  it('a table stays recorded as unoptimized while it has old versions', async () => {
    const { events, addEvent, optimize, record } = createRecord();
    await record.runCommit(addEvent('one'));
    expect(await record.runOptimization(() => optimize({ leavesOldVersions: true }))).toBe(true);
    expect(await record.runOptimization(optimize)).toBe(false);
    expect(events).toEqual(['unoptimized', 'one', 'indexed', 'indexed', 'optimized']);
  });

  it('if OptimizationRecord fails to record a table as unoptimized before a commit, it repeats the attempt before the next commit', async () => {
    const { events, addEvent } = createRecord();
    const outcomes = [Promise.reject(new Error('disk full')), Promise.resolve()];
    const recordUnoptimized = (): Promise<void> =>
      outcomes.shift() ?? Promise.reject(new Error('expected two attempts to write the record, found more'));
    const record = new OptimizationRecord({ recordUnoptimized, recordOptimized: addEvent('optimized') });
    await expect(record.runCommit(addEvent('one'))).rejects.toThrow('disk full');
    await record.runCommit(addEvent('two'));
    await record.runCommit(addEvent('three'));
    expect(events).toEqual(['two', 'three']);
  });
});
