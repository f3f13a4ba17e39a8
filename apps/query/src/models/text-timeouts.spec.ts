import { describe, expect, it } from 'vitest';
import { createChatCall, readModel } from '../testing/read-model.js';
import { createScriptedModel, SILENCE } from '../testing/scripted-model.js';
import { withTextTimeouts } from './text-timeouts.js';

describe('withTextTimeouts', () => {
  it('withTextTimeouts returns an answer unchanged if its text arrives in time', async () => {
    const usage = { promptTokens: 3, completionTokens: 2 };
    const model = withTextTimeouts(createScriptedModel(['one ', 'two', { usage }]), {
      firstTextMs: 5_000,
      nextTextMs: 5_000,
    });
    expect(await readModel(model, createChatCall('x'))).toEqual({ texts: ['one ', 'two'], usage, notes: [] });
  });

  it('withTextTimeouts throws `model_timeout` if no text arrives in time', async () => {
    const model = withTextTimeouts(createScriptedModel([SILENCE]), { firstTextMs: 10, nextTextMs: 5_000 });
    await expect(readModel(model, createChatCall('x'))).rejects.toMatchObject({
      code: 'model_timeout',
      isRetryable: false,
      message: 'test/scripted sent no text for 10 ms',
    });
  });

  it('withTextTimeouts throws `model_interrupted` if no further text arrives in time', async () => {
    const model = withTextTimeouts(createScriptedModel(['one ', SILENCE]), { firstTextMs: 5_000, nextTextMs: 10 });
    const texts: unknown[] = [];
    const reading = (async () => {
      for await (const piece of model.generate(createChatCall('x'))) texts.push(piece);
    })();
    await expect(reading).rejects.toMatchObject({
      code: 'model_interrupted',
      message: 'test/scripted sent no text for 10 ms',
    });
    expect(texts).toEqual([{ text: 'one ' }]);
  });

  it('withTextTimeouts does not count the time that a slow reader takes', async () => {
    const model = withTextTimeouts(createScriptedModel(['one ', 'two', 'three']), {
      firstTextMs: 5_000,
      nextTextMs: 20,
    });
    const texts: unknown[] = [];
    for await (const piece of model.generate(createChatCall('x'))) {
      texts.push(piece);
      await new Promise((resolve) => setTimeout(resolve, 60));
    }
    expect(texts).toHaveLength(3);
  });

  it('withTextTimeouts throws the caller’s abort reason', async () => {
    const signal = AbortSignal.abort(new Error('the caller disconnected'));
    const model = withTextTimeouts(createScriptedModel([SILENCE]), { firstTextMs: 5_000, nextTextMs: 5_000 });
    await expect(readModel(model, createChatCall('x', { signal }))).rejects.toThrow('the caller disconnected');
  });
});
