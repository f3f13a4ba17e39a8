import { describe, expect, it } from 'vitest';
import { Frontier } from './frontier.js';
import { ParkedCrawls, SiteState } from './site-state.js';

describe('ParkedCrawls', () => {
  it('ParkedCrawls returns the state of a run once, to the next start of its job', () => {
    const parked = new ParkedCrawls();
    const state = parked.unparkState('run', 1);
    parked.parkState('run', 1, state);
    expect(parked.unparkState('run', 2)).toBe(state);
    expect(state.isRestart).toBe(false);
    expect(parked.unparkState('run', 3)).not.toBe(state);
  });

  it.each([
    ['another process worked on the run meanwhile', 1, 3],
    ['the job was lost and enqueued again', 2, 1],
  ])('ParkedCrawls marks the stored state of a crawl as restarted if %s', (_why, parkedBy, takenBy) => {
    const parked = new ParkedCrawls();
    parked.parkState('run', parkedBy, new SiteState(false));
    expect(parked.unparkState('run', takenBy).isRestart).toBe(true);
  });

  it('ParkedCrawls marks a new state as restarted unless the job starts for the first time', () => {
    expect([1, 2].map((starts) => new ParkedCrawls().unparkState('run', starts).isRestart)).toEqual([false, true]);
  });

  it('ParkedCrawls discards the oldest states if it holds more states than the limit', () => {
    const parked = new ParkedCrawls();
    const states = Array.from({ length: 501 }, () => new SiteState(false));
    for (const [n, state] of states.entries()) parked.parkState(`run-${n}`, 1, state);
    expect(parked.unparkState('run-0', 2)).not.toBe(states[0]);
    expect(parked.unparkState('run-1', 2)).toBe(states[1]);
  });
});

describe('a frontier to which pages were returned', () => {
  const addPages = (): Frontier => {
    const frontier = new Frontier({ maxPages: 10, maxDepth: 1 });
    for (const path of ['a', 'b', 'c', 'd'])
      frontier.addPage({ requestUrl: `http://x.example/${path}`, depth: 0, redirects: 0 });
    return frontier;
  };
  const takeAllEntries = (frontier: Frontier): readonly string[] => {
    const paths: string[] = [];
    for (let next = frontier.dequeuePage(); next !== undefined; next = frontier.dequeuePage())
      paths.push(next.requestUrl.slice(-1));
    return paths;
  };

  it('a frontier puts pages back at the front and pages to repeat at the end, and counts each page once', () => {
    const frontier = addPages();
    const [a, b, c] = [frontier.dequeuePage(), frontier.dequeuePage(), frontier.dequeuePage()];
    if (a === undefined || b === undefined || c === undefined) throw new Error('expected three pages, found fewer');
    frontier.repeatPage(a);
    frontier.putBackPages([b, c]);
    expect(frontier.dequeuedCount).toBe(0);
    expect(takeAllEntries(frontier)).toEqual(['b', 'c', 'd', 'a']);
    expect([frontier.dequeuedCount, frontier.pageCount]).toEqual([4, 4]);
  });
});
