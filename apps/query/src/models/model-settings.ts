import { MODEL_PROVIDERS, type ModelName, type ModelProvider } from '@quarry/contracts';

export const PROVIDERS = MODEL_PROVIDERS;
export type ProviderName = ModelProvider;

export interface ProviderSettings {
  /** Base URL of the API, with `/v1` for OpenAI-compatible providers and without a version for Anthropic and Google. */
  readonly baseUrl: string;
  /** API key; undefined for a local server without authentication. */
  readonly apiKey: string | undefined;
}

/** Identifies a model by the name that its provider uses. */
export interface ProvidedModel {
  readonly provider: ProviderName;
  readonly model: string;
}

export interface ModelLimits {
  /** Maximum time from the call to the first piece of text, in milliseconds. */
  readonly firstTextMs: number;
  /** Maximum time between two pieces of text, in milliseconds. */
  readonly nextTextMs: number;
  /** Maximum number of calls of a model per answer, including the first call. */
  readonly attempts: number;
}

/** Holds the configuration of the models and their providers. */
export interface ModelSettings {
  /** Base URLs of all providers except `custom`, including those that are not configured. */
  readonly baseUrls: Readonly<Record<Exclude<ProviderName, 'custom'>, string>>;
  readonly providers: Partial<Readonly<Record<ProviderName, ProviderSettings>>>;
  /** Models that replace entries of `MODEL_TABLE`, keyed by public model name. All their providers are configured. */
  readonly overrides: Partial<Readonly<Record<ModelName, ProvidedModel>>>;
  /** Model of the provider `custom`, which is the default if `defaultModel` is not set. */
  readonly customModel: string | undefined;
  readonly defaultModel: ModelName | undefined;
  readonly limits: ModelLimits;
}

export const DEFAULT_BASE_URLS: ModelSettings['baseUrls'] = {
  openai: 'https://api.openai.com/v1',
  openrouter: 'https://openrouter.ai/api/v1',
  anthropic: 'https://api.anthropic.com',
  google: 'https://generativelanguage.googleapis.com',
  deepseek: 'https://api.deepseek.com/v1',
};

export const DEFAULT_LIMITS: ModelLimits = { firstTextMs: 60_000, nextTextMs: 30_000, attempts: 3 };
