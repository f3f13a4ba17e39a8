import { describe, expect, it } from 'vitest';
import { chatCall, readModel } from '../testing/read-model.js';
import { scriptedModel, SILENCE } from '../testing/scripted-model.js';
import { withTextTimeouts } from './text-timeouts.js';

describe('a model with timeouts', () => {
  it('answers as it does without', async () => {
    const usage = { promptTokens: 3, completionTokens: 2 };
    const model = withTextTimeouts(scriptedModel(['one ', 'two', { usage }]), {
      firstTextMs: 5_000,
      nextTextMs: 5_000,
    });
    expect(await readModel(model, chatCall('x'))).toEqual({ texts: ['one ', 'two'], usage, notes: [] });
  });

  it('is given up on when it says nothing', async () => {
    const model = withTextTimeouts(scriptedModel([SILENCE]), { firstTextMs: 10, nextTextMs: 5_000 });
    await expect(readModel(model, chatCall('x'))).rejects.toMatchObject({
      code: 'model_timeout',
      again: false,
      message: 'test/scripted was silent for 10 ms',
    });
  });

  it('is given up on when it stops in the middle', async () => {
    const model = withTextTimeouts(scriptedModel(['one ', SILENCE]), { firstTextMs: 5_000, nextTextMs: 10 });
    const texts: unknown[] = [];
    const reading = (async () => {
      for await (const piece of model.generate(chatCall('x'))) texts.push(piece);
    })();
    await expect(reading).rejects.toMatchObject({
      code: 'model_interrupted',
      message: 'test/scripted was silent for 10 ms',
    });
    expect(texts).toEqual([{ text: 'one ' }]);
  });

  it('is not given up on because its reader is slow', async () => {
    const model = withTextTimeouts(scriptedModel(['one ', 'two', 'three']), { firstTextMs: 5_000, nextTextMs: 20 });
    const texts: unknown[] = [];
    for await (const piece of model.generate(chatCall('x'))) {
      texts.push(piece);
      await new Promise((resolve) => setTimeout(resolve, 60));
    }
    expect(texts).toHaveLength(3);
  });

  it('ends with the reason of a caller that leaves', async () => {
    const signal = AbortSignal.abort(new Error('the caller left'));
    const model = withTextTimeouts(scriptedModel([SILENCE]), { firstTextMs: 5_000, nextTextMs: 5_000 });
    await expect(readModel(model, chatCall('x', { signal }))).rejects.toThrow('the caller left');
  });
});
