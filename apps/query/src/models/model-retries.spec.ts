import { describe, expect, it } from 'vitest';
import { createChatCall, readModel } from '../testing/read-model.js';
import { createScriptedModel } from '../testing/scripted-model.js';
import { ModelFailed } from './chat-model.js';
import { withRetries } from './retries.js';

const UNAVAILABLE = new ModelFailed('model_unavailable', 'unavailable', { isRetryable: true });
const REFUSED = new ModelFailed('model_refused', 'no');

function createRateLimitFailure(afterMs: number): ModelFailed {
  return new ModelFailed('model_rate_limited', 'slow down', { isRetryable: true, afterMs });
}

/** Creates a wait function that resolves at once and records the requested delays in milliseconds. */
function createImmediateWait(): { readonly waits: number[]; readonly wait: (ms: number) => Promise<void> } {
  const waits: number[] = [];
  return { waits, wait: async (ms) => void waits.push(ms) };
}

describe('withRetries', () => {
  it('withRetries repeats a failed call until the model answers, with growing delays', async () => {
    const { waits, wait } = createImmediateWait();
    const model = createScriptedModel([UNAVAILABLE], [UNAVAILABLE], ['here']);
    const { texts } = await readModel(withRetries(model, { attempts: 3, wait }), createChatCall('x'));
    expect(texts).toEqual(['here']);
    expect(waits[0]).toBeGreaterThanOrEqual(150);
    expect(waits[1]).toBeGreaterThanOrEqual(300);
  });

  it('withRetries calls the model at most as often as the option `attempts` allows', async () => {
    const model = createScriptedModel([UNAVAILABLE]);
    await expect(
      readModel(withRetries(model, { attempts: 3, ...createImmediateWait() }), createChatCall('x')),
    ).rejects.toBe(UNAVAILABLE);
    expect(model.calls).toHaveLength(3);
  });

  it('withRetries repeats a call after the delay that the provider requires', async () => {
    const { waits, wait } = createImmediateWait();
    await readModel(
      withRetries(createScriptedModel([createRateLimitFailure(2_000)], ['here']), { attempts: 3, wait }),
      createChatCall('x'),
    );
    expect(waits).toEqual([2_000]);
  });

  it('withRetries waits before it repeats a call, even if the provider requires a delay of 0', async () => {
    const { waits, wait } = createImmediateWait();
    await readModel(
      withRetries(createScriptedModel([createRateLimitFailure(0)], ['here']), { attempts: 3, wait }),
      createChatCall('x'),
    );
    expect(waits[0]).toBeGreaterThanOrEqual(150);
  });

  it('withRetries does not repeat a call if the delay that the provider requires exceeds the maximum', async () => {
    const model = createScriptedModel([createRateLimitFailure(60_000)], ['too late']);
    const reading = readModel(withRetries(model, { attempts: 3, ...createImmediateWait() }), createChatCall('x'));
    await expect(reading).rejects.toThrow('slow down');
    expect(model.calls).toHaveLength(1);
  });

  it('withRetries does not repeat a call after a part of its answer was yielded', async () => {
    const model = createScriptedModel(['half an ', UNAVAILABLE], ['answer']);
    await expect(
      readModel(withRetries(model, { attempts: 3, ...createImmediateWait() }), createChatCall('x')),
    ).rejects.toBe(UNAVAILABLE);
    expect(model.calls).toHaveLength(1);
  });

  it('withRetries does not repeat a call that the provider refused', async () => {
    const model = createScriptedModel([REFUSED], ['here']);
    await expect(
      readModel(withRetries(model, { attempts: 3, ...createImmediateWait() }), createChatCall('x')),
    ).rejects.toBe(REFUSED);
    expect(model.calls).toHaveLength(1);
  });

  it('withRetries stops waiting for the next call when the caller disconnects', async () => {
    const caller = new AbortController();
    const model = createScriptedModel([createRateLimitFailure(7_000)], ['here']);
    const reading = readModel(withRetries(model, { attempts: 3 }), createChatCall('x', { signal: caller.signal }));
    caller.abort(new Error('the caller disconnected'));
    await expect(reading).rejects.toThrow('the caller disconnected');
  });
});
