import { createLog } from '@quarry/service-kit';
import { describe, expect, it } from 'vitest';
import { chatCall, readModel } from '../testing/read-model.js';
import { recordingLog } from '../testing/recording-log.js';
import { scriptedModel } from '../testing/scripted-model.js';
import { ModelFailed } from './chat-model.js';
import { lacksNothing, withKnownSettings } from './known-settings.js';

const SETTINGS = { temperature: 0.3, topP: 0.9, presencePenalty: 0.5, frequencyPenalty: 0.1, maxTokens: 50 };
const SILENT = createLog('test', 'silent');

const refusal = (message: string): ModelFailed => new ModelFailed('model_refused', message);

describe('a model that is given what its provider has', () => {
  it('is called with every setting that it has', async () => {
    const { log, lines } = recordingLog();
    const model = scriptedModel(['yes']);
    await readModel(withKnownSettings(model, lacksNothing, log), chatCall('x', { settings: SETTINGS }));
    expect(model.calls[0]?.settings).toEqual(SETTINGS);
    expect(lines()).toBe('');
  });

  it('is called without what its provider lacks, which note and log report', async () => {
    const { log, lines } = recordingLog();
    const model = scriptedModel(['yes']);
    const known = withKnownSettings(model, () => ['presencePenalty', 'topP'], log);
    const { notes } = await readModel(known, chatCall('x', { settings: { temperature: 0.3, topP: 0.9 } }));
    expect(notes).toEqual(['top_p_not_supported']);
    expect(model.calls[0]?.settings).toEqual({ temperature: 0.3 });
    expect(lines()).toMatch(/"model":"test\/scripted","dropped":\["topP"\]/);
  });

  it.each([
    ['Unsupported parameter: ‘max_tokens’ is not supported with this model.', ['maxTokens']],
    ['Unsupported value: ‘temperature’ does not support 0.3 with this model.', ['temperature']],
    ['Penalty is not enabled for this model', ['presencePenalty', 'frequencyPenalty']],
    ['`temperature` and `top_p` cannot both be specified', ['temperature', 'topP']],
  ])('is called again without what it refuses: %s', async (message, names) => {
    const { log, lines } = recordingLog();
    const model = scriptedModel([refusal(message)], ['yes']);
    const known = withKnownSettings(model, lacksNothing, log);
    expect((await readModel(known, chatCall('x', { settings: SETTINGS }))).texts).toEqual(['yes']);
    const left = Object.fromEntries(Object.entries(SETTINGS).filter(([name]) => !names.includes(name)));
    expect(model.calls[1]?.settings).toEqual(left);
    expect(lines()).toContain(JSON.stringify(names));
  });

  it('is not asked again for what it has refused once', async () => {
    const model = scriptedModel([refusal('temperature is not supported')], ['yes']);
    const known = withKnownSettings(model, lacksNothing, SILENT);
    await readModel(known, chatCall('x', { settings: SETTINGS }));
    await readModel(known, chatCall('x', { settings: SETTINGS }));
    expect(model.calls).toHaveLength(3);
    expect(model.calls[2]?.settings).not.toHaveProperty('temperature');
  });

  it.each([
    ['refuses what was not given', refusal('the parameter top_k is not supported')],
    ['fails for another reason', new ModelFailed('model_unavailable', 'temperature of the room is not supported')],
  ])('fails where it %s', async (_, error) => {
    const model = scriptedModel([error], ['yes']);
    const reading = readModel(withKnownSettings(model, lacksNothing, SILENT), chatCall('x', { settings: SETTINGS }));
    await expect(reading).rejects.toBe(error);
    expect(model.calls).toHaveLength(1);
  });

  it.each([
    ['max_tokens is too large: 50. This model supports at most 40 completion tokens.', { maxTokens: 50 }],
    ['max_tokens: 50 > 40, which is the maximum allowed number of output tokens', { maxTokens: 50 }],
    ['it has a maxOutputTokens value of 50 but the supported range is from 1 to 41', { maxTokens: 50 }],
    ['temperature: range: 0..0.2', { temperature: 0.3 }],
  ])('reports a refused value with its name: %s', async (message, refused) => {
    const model = scriptedModel([refusal(message)], ['yes']);
    const reading = readModel(withKnownSettings(model, lacksNothing, SILENT), chatCall('x', { settings: SETTINGS }));
    await expect(reading).rejects.toMatchObject({ code: 'model_parameter_refused', refused });
    expect(model.calls).toHaveLength(1);
  });

  it('reports maxTokens, and not the prompt, where it alone is more than the model can read', async () => {
    const message = "'max_tokens' is too large: 50. This model's maximum context length is 40 tokens";
    const model = scriptedModel([new ModelFailed('context_too_long', message)]);
    const known = withKnownSettings(model, lacksNothing, SILENT);
    const reading = readModel(known, chatCall('x', { settings: SETTINGS }));
    await expect(reading).rejects.toMatchObject({ code: 'model_parameter_refused', refused: { maxTokens: 50 } });
    const unset = readModel(known, chatCall('x', { settings: {} }));
    await expect(unset).rejects.toMatchObject({ code: 'context_too_long' });
  });

  it('is not called again once a part of its answer was passed on', async () => {
    const error = refusal('temperature is not supported');
    const model = scriptedModel(['half', error], ['yes']);
    const reading = readModel(withKnownSettings(model, lacksNothing, SILENT), chatCall('x', { settings: SETTINGS }));
    await expect(reading).rejects.toBe(error);
  });
});
