import type { AnswerNote } from '@quarry/contracts';
import type { Log } from '@quarry/service-kit';
import { ModelFailed, type ChatModel, type ChatSettings } from './chat-model.js';

export type ChatSetting = keyof ChatSettings;

/** Lists the settings of a call that a provider does not support. */
export type ListUnsupportedSettings = (settings: ChatSettings) => readonly ChatSetting[];

/** Lists no settings, for providers that support all of them. An individual model may still refuse a setting. */
export const listNothing: ListUnsupportedSettings = () => [];

/** Lists, per setting, a pattern that matches its names in providers' error messages. */
const NAMES: readonly (readonly [ChatSetting, RegExp])[] = [
  ['temperature', /temperature/i],
  ['topP', /\btop_?p\b/i],
  ['maxTokens', /max_?(?:completion_?|output_?)?tokens/i],
  ['presencePenalty', /presence_?penalty|penalty is not/i],
  ['frequencyPenalty', /frequency_?penalty|penalty is not/i],
];
/** Matches an error message that refuses a setting regardless of its value, rather than only its current value. */
const UNSUPPORTED =
  /unsupported|not supported|does not support|not enabled|not permitted|unrecognized|unknown|unexpected|cannot both|deprecated/i;
/** Matches vLLM's refusal of a large `maxTokens`, which vLLM reports as a prompt that is too long. */
const TOO_MANY_TOKENS = /max_?(?:completion_?|output_?)?tokens\W.{0,60}too large/i;

const NOTES: Readonly<Record<ChatSetting, AnswerNote>> = {
  temperature: 'temperature_not_supported',
  topP: 'top_p_not_supported',
  maxTokens: 'max_tokens_not_supported',
  presencePenalty: 'presence_penalty_not_supported',
  frequencyPenalty: 'frequency_penalty_not_supported',
};

/**
 * Omits unsupported settings from the calls of a model, and reports each of them with a note and in the log. If the
 * model refuses a setting, the call is repeated without that setting, and later calls omit it. If the model refuses
 * only the value of a setting, the call fails with `model_parameter_refused`.
 */
export function withSupportedSettings(model: ChatModel, listUnsupported: ListUnsupportedSettings, log: Log): ChatModel {
  const unsupported = new Set<ChatSetting>();
  return {
    name: model.name,
    generate: async function* (call) {
      for (;;) {
        const dropped = selectPresentSettings(call.settings, [...listUnsupported(call.settings), ...unsupported]);
        if (dropped.length > 0)
          log.info({ model: model.name, dropped }, 'the model does not support these settings; they are omitted');
        const settings = omitSettings(call.settings, dropped);
        let hasStarted = false;
        try {
          for await (const piece of model.generate({ ...call, settings })) {
            hasStarted = true;
            yield piece;
          }
          for (const name of dropped) yield { note: NOTES[name] };
          return;
        } catch (error) {
          const named = hasStarted ? [] : selectPresentSettings(settings, findSettingsInError(error));
          if (named.length === 0) throw error;
          if (!reportsUnsupportedSetting(error)) throw toParameterRefused(error, settings, named);
          for (const name of named) unsupported.add(name);
        }
      }
    },
  };
}

function selectPresentSettings(settings: ChatSettings, names: readonly ChatSetting[]): readonly ChatSetting[] {
  return [...new Set(names)].filter((name) => settings[name] !== undefined);
}

function omitSettings(settings: ChatSettings, dropped: readonly ChatSetting[]): ChatSettings {
  // The settings have these keys only; Object.entries widens them to string.
  return Object.fromEntries(Object.entries(settings).filter(([name]) => !dropped.includes(name as ChatSetting)));
}

function findSettingsInError(error: unknown): readonly ChatSetting[] {
  if (!(error instanceof ModelFailed)) return [];
  if (error.code === 'context_too_long') return TOO_MANY_TOKENS.test(error.message) ? ['maxTokens'] : [];
  if (error.code !== 'model_refused') return [];
  return NAMES.flatMap(([name, pattern]) => (pattern.test(error.message) ? [name] : []));
}

function reportsUnsupportedSetting(error: unknown): boolean {
  return error instanceof ModelFailed && error.code === 'model_refused' && UNSUPPORTED.test(error.message);
}

function toParameterRefused(cause: unknown, settings: ChatSettings, names: readonly ChatSetting[]): ModelFailed {
  const message = cause instanceof Error ? cause.message : String(cause);
  const refused = Object.fromEntries(names.map((name) => [name, settings[name]]));
  return new ModelFailed('model_parameter_refused', message, { cause, refused });
}
