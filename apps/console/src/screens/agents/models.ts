import type { Agent } from '@quarry/client';

export type ModelName = NonNullable<Agent['modelName']>;

/** The models that the API accepts, with their display names. */
export const MODELS: Readonly<Record<ModelName, string>> = {
  gpt_4o_mini: 'GPT-4o mini',
  gpt_4o: 'GPT-4o',
  gpt_4_1_mini: 'GPT-4.1 mini',
  gpt_4_1: 'GPT-4.1',
  claude_sonnet_4: 'Claude Sonnet 4',
  gemini_flash_2: 'Gemini Flash 2',
  gemini_flash_2_lite: 'Gemini Flash 2 Lite',
  deepseek_v3: 'DeepSeek V3',
};
