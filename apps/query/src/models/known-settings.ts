import type { AnswerNote } from '@quarry/contracts';
import type { Log } from '@quarry/service-kit';
import { ModelFailed, type ChatModel, type ChatSettings } from './chat-model.js';

export type ChatSetting = keyof ChatSettings;

/** Returns which of a call's settings a provider lacks. */
export type LackedSettings = (settings: ChatSettings) => readonly ChatSetting[];

/** For providers that have all settings. What one of their models lacks, its refusal says. */
export const lacksNothing: LackedSettings = () => [];

/** How the providers name a setting when they refuse it. */
const NAMES: readonly (readonly [ChatSetting, RegExp])[] = [
  ['temperature', /temperature/i],
  ['topP', /\btop_?p\b/i],
  ['maxTokens', /max_?(?:completion_?|output_?)?tokens/i],
  ['presencePenalty', /presence_?penalty|penalty is not/i],
  ['frequencyPenalty', /frequency_?penalty|penalty is not/i],
];
/** The setting does not exist, whatever its value. */
const NOT_THERE =
  /unsupported|not supported|does not support|not enabled|not permitted|unrecognized|unknown|unexpected|cannot both|deprecated/i;
/** The value is the fault, although it also makes the prompt too long: vLLM. */
const TOO_MANY_TOKENS = /max_?(?:completion_?|output_?)?tokens\W.{0,60}too large/i;

const NOTES: Readonly<Record<ChatSetting, AnswerNote>> = {
  temperature: 'temperature_not_supported',
  topP: 'top_p_not_supported',
  maxTokens: 'max_tokens_not_supported',
  presencePenalty: 'presence_penalty_not_supported',
  frequencyPenalty: 'frequency_penalty_not_supported',
};

/**
 * Returns the same model without the settings that its provider lacks: they are left out, and notes and log report which. What
 * only the refusal of one model shows is left out from then on, and the call is made again. A refused value is
 * `model_parameter_refused`.
 */
export function withKnownSettings(model: ChatModel, lacks: LackedSettings, log: Log): ChatModel {
  const lacking = new Set<ChatSetting>();
  return {
    name: model.name,
    generate: async function* (call) {
      for (;;) {
        const dropped = givenOf(call.settings, [...lacks(call.settings), ...lacking]);
        if (dropped.length > 0)
          log.info({ model: model.name, dropped }, 'the model does not have these settings; it is called without them');
        const settings = without(call.settings, dropped);
        let started = false;
        try {
          for await (const piece of model.generate({ ...call, settings })) {
            started = true;
            yield piece;
          }
          for (const name of dropped) yield { note: NOTES[name] };
          return;
        } catch (error) {
          const named = started ? [] : givenOf(settings, settingsNamedBy(error));
          if (named.length === 0) throw error;
          if (!isLacking(error)) throw toParameterRefused(error, settings, named);
          for (const name of named) lacking.add(name);
        }
      }
    },
  };
}

function givenOf(settings: ChatSettings, names: readonly ChatSetting[]): readonly ChatSetting[] {
  return [...new Set(names)].filter((name) => settings[name] !== undefined);
}

function without(settings: ChatSettings, dropped: readonly ChatSetting[]): ChatSettings {
  // The keys of the settings are these names, which Object.entries widens to string.
  return Object.fromEntries(Object.entries(settings).filter(([name]) => !dropped.includes(name as ChatSetting)));
}

function settingsNamedBy(error: unknown): readonly ChatSetting[] {
  if (!(error instanceof ModelFailed)) return [];
  if (error.code === 'context_too_long') return TOO_MANY_TOKENS.test(error.message) ? ['maxTokens'] : [];
  if (error.code !== 'model_refused') return [];
  return NAMES.flatMap(([name, pattern]) => (pattern.test(error.message) ? [name] : []));
}

function isLacking(error: unknown): boolean {
  return error instanceof ModelFailed && error.code === 'model_refused' && NOT_THERE.test(error.message);
}

function toParameterRefused(cause: unknown, settings: ChatSettings, names: readonly ChatSetting[]): ModelFailed {
  const message = cause instanceof Error ? cause.message : String(cause);
  const refused = Object.fromEntries(names.map((name) => [name, settings[name]]));
  return new ModelFailed('model_parameter_refused', message, { cause, refused });
}
