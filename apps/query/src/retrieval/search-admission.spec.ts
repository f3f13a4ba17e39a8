import { createMetrics } from '@quarry/service-kit';
import { describe, expect, it } from 'vitest';
import { createMeasurements } from '../measurements.js';
import { SearchAdmission, SearchOverloaded, type AdmissionLimits } from './search-admission.js';

const NEVER = new AbortController().signal;

/** Creates a store whose queries run until the test ends them. As in LanceDB, an aborted signal does not end them. */
function createEndlessStore() {
  const running: { readonly name: string; readonly end: () => void }[] = [];
  return {
    names: () => running.map(({ name }) => name),
    query: (name: string) => () => {
      const { promise, resolve } = Promise.withResolvers<string>();
      const end = (): void => {
        running.splice(running.indexOf(entry), 1);
        resolve(name);
      };
      const entry = { name, end };
      running.push(entry);
      return [promise];
    },
    /** Ends the oldest running query, and waits until the next queued search, if any, has started. */
    endOne: async () => {
      running[0]?.end();
      await waitUntilSettled();
    },
  };
}

const waitUntilSettled = async (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function createAdmission(limits: Partial<AdmissionLimits> = {}) {
  const metrics = createMetrics('query', { process: false });
  const all = { running: 2, waiting: 3, waitMs: 60_000, ...limits };
  return { tested: new SearchAdmission(all, createMeasurements(metrics).searches), metrics };
}

describe('SearchAdmission', () => {
  it('SearchAdmission runs searches up to the limit `running`, queues more up to the limit `waiting`, and refuses the rest', async () => {
    const { tested, metrics } = createAdmission();
    const store = createEndlessStore();
    const results = Array.from({ length: 8 }, (_, at) => tested.runSearch('o1', store.query(`q${at}`), NEVER));
    const refused = await Promise.allSettled(results.slice(5));
    expect(refused.map((one) => one.status === 'rejected' && one.reason instanceof SearchOverloaded)).toEqual([
      ...[true, true, true],
    ]);
    expect(store.names()).toEqual(['q0', 'q1']);
    const text = await metrics.registry.metrics();
    expect(text).toMatch(/quarry_searches_running\{.*\} 2/);
    expect(text).toMatch(/quarry_searches_waiting\{.*\} 3/);
    expect(text).toMatch(/quarry_searches_refused_total\{.*\} 3/);
    for (let at = 0; at < 5; at += 1) await store.endOne();
    expect((await Promise.all(results.slice(0, 5))).flat()).toEqual(['q0', 'q1', 'q2', 'q3', 'q4']);
  });

  it('if the caller of a search disconnects, SearchAdmission counts the search as running until the store has finished it', async () => {
    const { tested } = createAdmission({ waitMs: 20 });
    const store = createEndlessStore();
    const leaving = new AbortController();
    for (const name of ['a', 'b']) void tested.runSearch('o1', store.query(name), leaving.signal);
    leaving.abort(new Error('the caller disconnected'));
    await expect(tested.runSearch('o1', store.query('c'), NEVER)).rejects.toMatchObject({ retryAfterSeconds: 1 });
    expect(store.names()).toEqual(['a', 'b']);
    await store.endOne();
    const next = tested.runSearch('o1', store.query('d'), NEVER);
    expect(store.names()).toEqual(['b', 'd']);
    await store.endOne();
    await store.endOne();
    expect(await next).toEqual(['d']);
  });

  it('SearchAdmission counts a search with one failed query as running until its other query has ended', async () => {
    const { tested } = createAdmission({ running: 1, waiting: 0 });
    const store = createEndlessStore();
    const startQueries = (): Promise<string>[] => [Promise.reject(new Error('failed')), ...store.query('slow')()];
    await expect(tested.runSearch('o1', startQueries, NEVER)).rejects.toThrow('failed');
    await expect(tested.runSearch('o1', store.query('x'), NEVER)).rejects.toBeInstanceOf(SearchOverloaded);
    await store.endOne();
    const next = tested.runSearch('o1', store.query('y'), NEVER);
    expect(store.names()).toEqual(['y']);
    await store.endOne();
    await next;
  });

  it('SearchAdmission does not start a queued search after its caller disconnected', async () => {
    const { tested } = createAdmission({ running: 1 });
    const store = createEndlessStore();
    const first = tested.runSearch('o1', store.query('first'), NEVER);
    const leaving = new AbortController();
    const reason = new Error('the caller disconnected');
    const waiting = tested.runSearch('o1', store.query('left'), leaving.signal);
    leaving.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    await store.endOne();
    await first;
    expect(store.names()).toEqual([]);
    await expect(tested.runSearch('o1', store.query('late'), leaving.signal)).rejects.toBe(reason);
    expect(store.names()).toEqual([]);
  });

  it('SearchAdmission serves organizations in turn, and refuses the newest search of the organization with the most waiting searches', async () => {
    const { tested } = createAdmission({ running: 1, waiting: 4 });
    const store = createEndlessStore();
    const runSearch = (organizationId: string, name: string) =>
      tested.runSearch(organizationId, store.query(name), NEVER);
    const first = runSearch('big', 'first');
    const big = ['b1', 'b2', 'b3', 'b4'].map((name) => runSearch('big', name));
    const cut = big.pop();
    const small = [runSearch('small', 's1')];
    await expect(cut).rejects.toBeInstanceOf(SearchOverloaded);
    await expect(runSearch('big', 'b5')).rejects.toBeInstanceOf(SearchOverloaded);
    const order: string[] = [];
    for (let at = 0; at < 5; at += 1) {
      order.push(...store.names());
      await store.endOne();
    }
    await Promise.all([first, ...big, ...small]);
    expect(order).toEqual(['first', 'b1', 's1', 'b2', 'b3']);
  });

  it('SearchAdmission releases the slot of a search whose queries could not start', async () => {
    const { tested } = createAdmission({ running: 1, waiting: 0 });
    const failToStart = (): never => {
      throw new Error('broken');
    };
    await expect(tested.runSearch('o1', failToStart, NEVER)).rejects.toThrow('broken');
    await waitUntilSettled();
    expect(await tested.runSearch('o1', () => [Promise.resolve(1)], NEVER)).toEqual([1]);
  });
});
