import { describe, expect, it } from 'vitest';
import { chatCall, readModel } from '../testing/read-model.js';
import { scriptedModel } from '../testing/scripted-model.js';
import { ModelFailed } from './chat-model.js';
import { withRetries } from './retries.js';

const AWAY = new ModelFailed('model_unavailable', 'away', { again: true });
const REFUSED = new ModelFailed('model_refused', 'no');

function limited(afterMs: number): ModelFailed {
  return new ModelFailed('model_rate_limited', 'slow down', { again: true, afterMs });
}

/** Waits for nothing, and writes down how long it was to wait. */
function noWait(): { readonly waits: number[]; readonly wait: (ms: number) => Promise<void> } {
  const waits: number[] = [];
  return { waits, wait: async (ms) => void waits.push(ms) };
}

describe('a model with retries', () => {
  it('is called again until it answers, with growing waits', async () => {
    const { waits, wait } = noWait();
    const model = scriptedModel([AWAY], [AWAY], ['here']);
    const { texts } = await readModel(withRetries(model, { attempts: 3, wait }), chatCall('x'));
    expect(texts).toEqual(['here']);
    expect(waits[0]).toBeGreaterThanOrEqual(150);
    expect(waits[1]).toBeGreaterThanOrEqual(300);
  });

  it('is called no more often than it may be', async () => {
    const model = scriptedModel([AWAY]);
    await expect(readModel(withRetries(model, { attempts: 3, ...noWait() }), chatCall('x'))).rejects.toBe(AWAY);
    expect(model.calls).toHaveLength(3);
  });

  it('is called again when the provider said it would be ready', async () => {
    const { waits, wait } = noWait();
    await readModel(withRetries(scriptedModel([limited(2_000)], ['here']), { attempts: 3, wait }), chatCall('x'));
    expect(waits).toEqual([2_000]);
  });

  it('is not waited for longer than somebody waits for an answer', async () => {
    const model = scriptedModel([limited(60_000)], ['too late']);
    const reading = readModel(withRetries(model, { attempts: 3, ...noWait() }), chatCall('x'));
    await expect(reading).rejects.toThrow('slow down');
    expect(model.calls).toHaveLength(1);
  });

  it('is not called again once a part of its answer was passed on', async () => {
    const model = scriptedModel(['half an ', AWAY], ['answer']);
    await expect(readModel(withRetries(model, { attempts: 3, ...noWait() }), chatCall('x'))).rejects.toBe(AWAY);
    expect(model.calls).toHaveLength(1);
  });

  it('is not called again after a refusal', async () => {
    const model = scriptedModel([REFUSED], ['here']);
    await expect(readModel(withRetries(model, { attempts: 3, ...noWait() }), chatCall('x'))).rejects.toBe(REFUSED);
    expect(model.calls).toHaveLength(1);
  });

  it('is not waited for when the caller leaves meanwhile', async () => {
    const caller = new AbortController();
    const model = scriptedModel([limited(7_000)], ['here']);
    const reading = readModel(withRetries(model, { attempts: 3 }), chatCall('x', { signal: caller.signal }));
    caller.abort(new Error('the caller left'));
    await expect(reading).rejects.toThrow('the caller left');
  });
});
