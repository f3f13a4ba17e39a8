import { describe, expect, it } from 'vitest';
import { yieldToEventLoop } from './yield-to-event-loop.js';

/** Blocks the event loop for the given time. */
function blockEventLoop(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

describe('yieldToEventLoop', () => {
  it('yieldToEventLoop iterates over every item in order', async () => {
    const items = Array.from({ length: 1_000 }, (_, at) => at);
    const yielded: number[] = [];
    for await (const item of yieldToEventLoop(items)) yielded.push(item);
    expect(yielded).toEqual(items);
  });

  it('yieldToEventLoop lets other tasks run between items that take long to process', async () => {
    const seen: (number | string)[] = [];
    setImmediate(() => seen.push('another'));
    for await (const item of yieldToEventLoop([1, 2])) {
      seen.push(item);
      blockEventLoop(25);
    }
    expect(seen).toEqual([1, 'another', 2]);
  });
});
