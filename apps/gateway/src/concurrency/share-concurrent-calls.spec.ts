import { describe, expect, it } from 'vitest';
import { shareConcurrentCalls } from './share-concurrent-calls.js';

/**
 * Creates a function with `shareConcurrentCalls` that uses each input as its key.
 *
 * @returns the function, and its executions, each of which the test must end
 */
function createSharedCall() {
  const begun: { readonly input: string; readonly count: number; readonly end: PromiseWithResolvers<string> }[] = [];
  const call = shareConcurrentCalls(
    (input: string) => input,
    async (input, count) => {
      const end = Promise.withResolvers<string>();
      begun.push({ input, count, end });
      return end.promise;
    },
  );
  return { begun, call };
}

describe('shareConcurrentCalls', () => {
  it('shareConcurrentCalls executes the first call of a key immediately, and then the calls that arrived meanwhile in one execution', async () => {
    const { begun, call } = createSharedCall();
    const first = call('a');
    const others = [call('a'), call('a'), call('a')];
    expect(begun.map(({ count }) => count)).toEqual([1]);
    begun[0]?.end.resolve('old');
    expect(await first).toBe('old');
    expect(begun.map(({ count }) => count)).toEqual([1, 3]);
    begun[1]?.end.resolve('new');
    expect(await Promise.all(others)).toEqual(['new', 'new', 'new']);
    void call('a');
    expect(begun.map(({ count }) => count)).toEqual([1, 3, 1]);
  });

  it('shareConcurrentCalls does not make a call wait for calls with other keys', () => {
    const { begun, call } = createSharedCall();
    void call('a');
    void call('b');
    expect(begun.map(({ input }) => input)).toEqual(['a', 'b']);
  });

  it('if an execution fails, shareConcurrentCalls rejects the calls that share this execution, and no other calls', async () => {
    const { begun, call } = createSharedCall();
    const first = call('a');
    const second = call('a');
    const third = call('a');
    begun[0]?.end.reject(new Error('failed'));
    await expect(first).rejects.toThrow('failed');
    const fourth = call('a');
    begun[1]?.end.reject(new Error('failed again'));
    const shared = await Promise.allSettled([second, third]);
    expect(shared.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    begun[2]?.end.resolve('done');
    expect(await fourth).toBe('done');
  });
});
