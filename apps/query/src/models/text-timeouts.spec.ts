import { describe, expect, it } from 'vitest';
import { chatCall, readModel } from '../testing/read-model.js';
import { scriptedModel, SILENCE } from '../testing/scripted-model.js';
import { withTextTimeouts } from './text-timeouts.js';

describe('a model with timeouts', () => {
  it('answers without a change if its text arrives in time', async () => {
    const usage = { promptTokens: 3, completionTokens: 2 };
    const model = withTextTimeouts(scriptedModel(['one ', 'two', { usage }]), {
      firstTextMs: 5_000,
      nextTextMs: 5_000,
    });
    expect(await readModel(model, chatCall('x'))).toEqual({ texts: ['one ', 'two'], usage, notes: [] });
  });

  it('fails if no text arrives', async () => {
    const model = withTextTimeouts(scriptedModel([SILENCE]), { firstTextMs: 10, nextTextMs: 5_000 });
    await expect(readModel(model, chatCall('x'))).rejects.toMatchObject({
      code: 'model_timeout',
      isRetryable: false,
      message: 'test/scripted sent no text for 10 ms',
    });
  });

  it('fails if the text stalls', async () => {
    const model = withTextTimeouts(scriptedModel(['one ', SILENCE]), { firstTextMs: 5_000, nextTextMs: 10 });
    const texts: unknown[] = [];
    const reading = (async () => {
      for await (const piece of model.generate(chatCall('x'))) texts.push(piece);
    })();
    await expect(reading).rejects.toMatchObject({
      code: 'model_interrupted',
      message: 'test/scripted sent no text for 10 ms',
    });
    expect(texts).toEqual([{ text: 'one ' }]);
  });

  it('does not time out because its reader is slow', async () => {
    const model = withTextTimeouts(scriptedModel(['one ', 'two', 'three']), { firstTextMs: 5_000, nextTextMs: 20 });
    const texts: unknown[] = [];
    for await (const piece of model.generate(chatCall('x'))) {
      texts.push(piece);
      await new Promise((resolve) => setTimeout(resolve, 60));
    }
    expect(texts).toHaveLength(3);
  });

  it('ends with the caller’s abort reason', async () => {
    const signal = AbortSignal.abort(new Error('the caller left'));
    const model = withTextTimeouts(scriptedModel([SILENCE]), { firstTextMs: 5_000, nextTextMs: 5_000 });
    await expect(readModel(model, chatCall('x', { signal }))).rejects.toThrow('the caller left');
  });
});
