import { createLog } from '@quarry/service-kit';
import { describe, expect, it } from 'vitest';
import { createChatCall, readModel } from '../testing/read-model.js';
import { createRecordingLog } from '../testing/recording-log.js';
import { createScriptedModel } from '../testing/scripted-model.js';
import { ModelFailed } from './chat-model.js';
import { listNothing, withSupportedSettings } from './supported-settings.js';

const SETTINGS = { temperature: 0.3, topP: 0.9, presencePenalty: 0.5, frequencyPenalty: 0.1, maxTokens: 50 };
const SILENT = createLog('test', 'silent');

const createRefusal = (message: string): ModelFailed => new ModelFailed('model_refused', message);

describe('withSupportedSettings', () => {
  it('withSupportedSettings passes every setting to a provider that supports all settings', async () => {
    const { log, lines } = createRecordingLog();
    const model = createScriptedModel(['yes']);
    await readModel(withSupportedSettings(model, listNothing, log), createChatCall('x', { settings: SETTINGS }));
    expect(model.calls[0]?.settings).toEqual(SETTINGS);
    expect(lines()).toBe('');
  });

  it('withSupportedSettings omits unsupported settings, and reports them in notes and in the log', async () => {
    const { log, lines } = createRecordingLog();
    const model = createScriptedModel(['yes']);
    const known = withSupportedSettings(model, () => ['presencePenalty', 'topP'], log);
    const { notes } = await readModel(known, createChatCall('x', { settings: { temperature: 0.3, topP: 0.9 } }));
    expect(notes).toEqual(['top_p_not_supported']);
    expect(model.calls[0]?.settings).toEqual({ temperature: 0.3 });
    expect(lines()).toMatch(/"model":"test\/scripted","dropped":\["topP"\]/);
  });

  it.each([
    ['Unsupported parameter: ‘max_tokens’ is not supported with this model.', ['maxTokens']],
    ['Unsupported value: ‘temperature’ does not support 0.3 with this model.', ['temperature']],
    ['Penalty is not enabled for this model', ['presencePenalty', 'frequencyPenalty']],
    ['`temperature` and `top_p` cannot both be specified', ['temperature', 'topP']],
  ])('withSupportedSettings repeats a call without the settings that the model refuses: %s', async (message, names) => {
    const { log, lines } = createRecordingLog();
    const model = createScriptedModel([createRefusal(message)], ['yes']);
    const known = withSupportedSettings(model, listNothing, log);
    expect((await readModel(known, createChatCall('x', { settings: SETTINGS }))).texts).toEqual(['yes']);
    const left = Object.fromEntries(Object.entries(SETTINGS).filter(([name]) => !names.includes(name)));
    expect(model.calls[1]?.settings).toEqual(left);
    expect(lines()).toContain(JSON.stringify(names));
  });

  it('withSupportedSettings omits a setting that the model refused in an earlier call', async () => {
    const model = createScriptedModel([createRefusal('temperature is not supported')], ['yes']);
    const known = withSupportedSettings(model, listNothing, SILENT);
    await readModel(known, createChatCall('x', { settings: SETTINGS }));
    await readModel(known, createChatCall('x', { settings: SETTINGS }));
    expect(model.calls).toHaveLength(3);
    expect(model.calls[2]?.settings).not.toHaveProperty('temperature');
  });

  it.each([
    ['refuses a setting that was not set', createRefusal('the parameter top_k is not supported')],
    ['fails for another reason', new ModelFailed('model_unavailable', 'temperature of the room is not supported')],
  ])('withSupportedSettings does not repeat a call if the provider %s', async (_, error) => {
    const model = createScriptedModel([error], ['yes']);
    const reading = readModel(
      withSupportedSettings(model, listNothing, SILENT),
      createChatCall('x', { settings: SETTINGS }),
    );
    await expect(reading).rejects.toBe(error);
    expect(model.calls).toHaveLength(1);
  });

  it.each([
    ['max_tokens is too large: 50. This model supports at most 40 completion tokens.', { maxTokens: 50 }],
    ['max_tokens: 50 > 40, which is the maximum allowed number of output tokens', { maxTokens: 50 }],
    ['it has a maxOutputTokens value of 50 but the supported range is from 1 to 41', { maxTokens: 50 }],
    ['temperature: range: 0..0.2', { temperature: 0.3 }],
  ])(
    'if a model refuses the value of a setting, withSupportedSettings reports `model_parameter_refused` with name and value: %s',
    async (message, refused) => {
      const model = createScriptedModel([createRefusal(message)], ['yes']);
      const reading = readModel(
        withSupportedSettings(model, listNothing, SILENT),
        createChatCall('x', { settings: SETTINGS }),
      );
      await expect(reading).rejects.toMatchObject({ code: 'model_parameter_refused', refused });
      expect(model.calls).toHaveLength(1);
    },
  );

  it('if `maxTokens` alone exceeds the context window, withSupportedSettings reports `maxTokens` as refused, not the prompt as too long', async () => {
    const message = "'max_tokens' is too large: 50. This model's maximum context length is 40 tokens";
    const model = createScriptedModel([new ModelFailed('context_too_long', message)]);
    const known = withSupportedSettings(model, listNothing, SILENT);
    const reading = readModel(known, createChatCall('x', { settings: SETTINGS }));
    await expect(reading).rejects.toMatchObject({ code: 'model_parameter_refused', refused: { maxTokens: 50 } });
    const unset = readModel(known, createChatCall('x', { settings: {} }));
    await expect(unset).rejects.toMatchObject({ code: 'context_too_long' });
  });

  it('withSupportedSettings does not repeat a call after a part of its answer was yielded', async () => {
    const error = createRefusal('temperature is not supported');
    const model = createScriptedModel(['half', error], ['yes']);
    const reading = readModel(
      withSupportedSettings(model, listNothing, SILENT),
      createChatCall('x', { settings: SETTINGS }),
    );
    await expect(reading).rejects.toBe(error);
  });
});
