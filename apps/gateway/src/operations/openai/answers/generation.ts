import type { StoredGenerationSettings } from '../../../database/tables/agents.js';

/** Settings of text generation with their names in OpenAI's API. */
interface ClientSettings {
  readonly temperature?: number;
  readonly top_p?: number;
  readonly max_completion_tokens?: number;
  readonly max_output_tokens?: number;
  readonly max_tokens?: number;
  readonly presence_penalty?: number;
  readonly frequency_penalty?: number;
}

/** Converts settings of text generation from OpenAI's API. The result overrides the settings of an agent. */
export function buildGenerationSettings(settings: ClientSettings): StoredGenerationSettings {
  const maxTokens = settings.max_output_tokens ?? settings.max_completion_tokens ?? settings.max_tokens;
  const { temperature, top_p: topP, presence_penalty: presence, frequency_penalty: frequency } = settings;
  return {
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { topP }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(presence === undefined ? {} : { presencePenalty: presence }),
    ...(frequency === undefined ? {} : { frequencyPenalty: frequency }),
  };
}
