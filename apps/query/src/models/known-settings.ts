import type { Log } from '@quarry/service-kit';
import { ModelFailed, type ChatModel, type ChatSettings } from './chat-model.js';

export type ChatSetting = keyof ChatSettings;

/** Which of the settings of a call a provider does not have. */
export type LackedSettings = (settings: ChatSettings) => readonly ChatSetting[];

/** For providers that have all of them. What one of their models lacks, its refusal says. */
export const lacksNothing: LackedSettings = () => [];

/** How the providers name a setting when they refuse it. */
const NAMES: readonly (readonly [ChatSetting, RegExp])[] = [
  ['temperature', /temperature/i],
  ['topP', /\btop_?p\b/i],
  ['maxTokens', /max_?(?:completion_?|output_?)?tokens/i],
  ['presencePenalty', /presence_?penalty|penalty is not/i],
  ['frequencyPenalty', /frequency_?penalty|penalty is not/i],
];
/** That a setting is not there, and not that its value is wrong: a wrong value is for the caller to know. */
const NOT_THERE =
  /unsupported|not supported|does not support|not enabled|not permitted|unrecognized|unknown|unexpected|cannot both|deprecated/i;

/**
 * The same model, without the settings that its provider does not have: they are left out, and the log says which. What only
 * the refusal of one model shows is left out from then on, and the call is made again.
 */
export function withKnownSettings(model: ChatModel, lacks: LackedSettings, log: Log): ChatModel {
  const refused = new Set<ChatSetting>();
  return {
    name: model.name,
    generate: async function* (call) {
      for (;;) {
        const dropped = unknownOf(call.settings, [...lacks(call.settings), ...refused]);
        if (dropped.length > 0)
          log.info({ model: model.name, dropped }, 'the model does not have these settings; it is called without them');
        let spoke = false;
        try {
          for await (const piece of model.generate({ ...call, settings: without(call.settings, dropped) })) {
            spoke = true;
            yield piece;
          }
          return;
        } catch (error) {
          const named = spoke
            ? []
            : refusedBy(error).filter((name) => isGiven(call.settings, name) && !dropped.includes(name));
          if (named.length === 0) throw error;
          for (const name of named) refused.add(name);
        }
      }
    },
  };
}

function unknownOf(settings: ChatSettings, names: readonly ChatSetting[]): readonly ChatSetting[] {
  return [...new Set(names)].filter((name) => isGiven(settings, name));
}

function isGiven(settings: ChatSettings, name: ChatSetting): boolean {
  return settings[name] !== undefined;
}

function without(settings: ChatSettings, dropped: readonly ChatSetting[]): ChatSettings {
  // The keys of the settings are these names, which Object.entries widens to string.
  return Object.fromEntries(Object.entries(settings).filter(([name]) => !dropped.includes(name as ChatSetting)));
}

function refusedBy(error: unknown): readonly ChatSetting[] {
  if (!(error instanceof ModelFailed) || error.code !== 'model_refused' || !NOT_THERE.test(error.message)) return [];
  return NAMES.flatMap(([name, pattern]) => (pattern.test(error.message) ? [name] : []));
}
