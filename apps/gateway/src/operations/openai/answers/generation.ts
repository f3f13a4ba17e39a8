import type { StoredGenerationSettings } from '../../../database/tables/agents.js';

/** The settings of text generation under the names of OpenAI. */
interface ClientSettings {
  readonly temperature?: number;
  readonly top_p?: number;
  readonly max_completion_tokens?: number;
  readonly max_output_tokens?: number;
  readonly max_tokens?: number;
  readonly presence_penalty?: number;
  readonly frequency_penalty?: number;
}

/** Converts the settings of text generation. They override those of an agent. */
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
