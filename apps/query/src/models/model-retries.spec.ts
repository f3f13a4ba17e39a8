import { describe, expect, it } from 'vitest';
import { chatCall, readModel } from '../testing/read-model.js';
import { scriptedModel } from '../testing/scripted-model.js';
import { ModelFailed } from './chat-model.js';
import { withRetries } from './retries.js';

const UNAVAILABLE = new ModelFailed('model_unavailable', 'unavailable', { isRetryable: true });
const REFUSED = new ModelFailed('model_refused', 'no');

function limited(afterMs: number): ModelFailed {
  return new ModelFailed('model_rate_limited', 'slow down', { isRetryable: true, afterMs });
}

/** Returns a wait function that resolves at once and records the requested delays. */
function noWait(): { readonly waits: number[]; readonly wait: (ms: number) => Promise<void> } {
  const waits: number[] = [];
  return { waits, wait: async (ms) => void waits.push(ms) };
}

describe('a model with retries', () => {
  it('is retried until it answers, with growing delays', async () => {
    const { waits, wait } = noWait();
    const model = scriptedModel([UNAVAILABLE], [UNAVAILABLE], ['here']);
    const { texts } = await readModel(withRetries(model, { attempts: 3, wait }), chatCall('x'));
    expect(texts).toEqual(['here']);
    expect(waits[0]).toBeGreaterThanOrEqual(150);
    expect(waits[1]).toBeGreaterThanOrEqual(300);
  });

  it('is called at most as often as configured', async () => {
    const model = scriptedModel([UNAVAILABLE]);
    await expect(readModel(withRetries(model, { attempts: 3, ...noWait() }), chatCall('x'))).rejects.toBe(UNAVAILABLE);
    expect(model.calls).toHaveLength(3);
  });

  it('is retried after the delay that the provider requires', async () => {
    const { waits, wait } = noWait();
    await readModel(withRetries(scriptedModel([limited(2_000)], ['here']), { attempts: 3, wait }), chatCall('x'));
    expect(waits).toEqual([2_000]);
  });

  it('is not retried if the required delay exceeds the maximum', async () => {
    const model = scriptedModel([limited(60_000)], ['too late']);
    const reading = readModel(withRetries(model, { attempts: 3, ...noWait() }), chatCall('x'));
    await expect(reading).rejects.toThrow('slow down');
    expect(model.calls).toHaveLength(1);
  });

  it('is not retried after a part of its answer was yielded', async () => {
    const model = scriptedModel(['half an ', UNAVAILABLE], ['answer']);
    await expect(readModel(withRetries(model, { attempts: 3, ...noWait() }), chatCall('x'))).rejects.toBe(UNAVAILABLE);
    expect(model.calls).toHaveLength(1);
  });

  it('is not retried after a refusal', async () => {
    const model = scriptedModel([REFUSED], ['here']);
    await expect(readModel(withRetries(model, { attempts: 3, ...noWait() }), chatCall('x'))).rejects.toBe(REFUSED);
    expect(model.calls).toHaveLength(1);
  });

  it('stops waiting when the caller disconnects', async () => {
    const caller = new AbortController();
    const model = scriptedModel([limited(7_000)], ['here']);
    const reading = readModel(withRetries(model, { attempts: 3 }), chatCall('x', { signal: caller.signal }));
    caller.abort(new Error('the caller left'));
    await expect(reading).rejects.toThrow('the caller left');
  });
});
