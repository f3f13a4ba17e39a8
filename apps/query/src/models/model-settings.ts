import type { ModelName } from '@quarry/contracts';

export const PROVIDERS = ['openai', 'openrouter', 'anthropic', 'google', 'deepseek', 'custom'] as const;
export type ProviderName = (typeof PROVIDERS)[number];

export interface ProviderSettings {
  /** OpenAI-compatible providers: up to and with `/v1`. Others: without a version. */
  readonly baseUrl: string;
  /** Undefined: a local server that wants none. */
  readonly apiKey: string | undefined;
}

/** A model as one provider knows it. */
export interface ProvidedModel {
  readonly provider: ProviderName;
  readonly model: string;
}

export interface ModelLimits {
  /** From the call to the first piece of text. */
  readonly firstTextMs: number;
  /** From one piece of text to the next. */
  readonly nextTextMs: number;
  /** Calls in all, the first included. */
  readonly attempts: number;
}

/** What is configured of models and their providers. */
export interface ModelSettings {
  readonly providers: Partial<Readonly<Record<ProviderName, ProviderSettings>>>;
  /** Where a name of the specification is to lead other than the table says. Their providers are configured. */
  readonly overrides: Partial<Readonly<Record<ModelName, ProvidedModel>>>;
  /** The model of the provider `custom`, which is the default while `defaultModel` is not given. */
  readonly customModel: string | undefined;
  readonly defaultModel: ModelName | undefined;
  readonly limits: ModelLimits;
}

export const DEFAULT_LIMITS: ModelLimits = { firstTextMs: 60_000, nextTextMs: 30_000, attempts: 3 };
