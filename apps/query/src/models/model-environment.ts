import { MODEL_NAMES, type ModelName } from '@quarry/contracts';
import { ConfigurationError, parseEnvironment } from '@quarry/service-kit';
import { IntegerFromText, IsIn, IsNotEmpty, IsOptional, IsString, IsUrl, Matches } from '@quarry/validation';
import {
  DEFAULT_BASE_URLS,
  DEFAULT_LIMITS,
  PROVIDERS,
  type ModelSettings,
  type ProvidedModel,
  type ProviderName,
  type ProviderSettings,
} from './model-settings.js';
import { getOverrideVariable, PROVIDER_VARIABLES } from './model-table.js';

const ADDRESS = { require_tld: false, protocols: ['http', 'https'], require_protocol: true };
const OVERRIDE = new RegExp(`^(${PROVIDERS.join('|')})/(.+)$`);
const OVERRIDE_MESSAGE = { message: `must be <provider>/<model> where <provider> is one of ${PROVIDERS.join(', ')}` };

/**
 * Declares the environment variables of the model providers. Without a provider, answers consist of sentences of the
 * sources.
 */
class Environment {
  @IsOptional()
  @IsString()
  readonly OPENAI_API_KEY?: string;

  /** Base URL of OpenAI, including `/v1`. */
  @IsUrl(ADDRESS)
  readonly OPENAI_BASE_URL: string = DEFAULT_BASE_URLS.openai;

  /** Key of OpenRouter, which offers all models. It is used for models whose own provider has no key. */
  @IsOptional()
  @IsString()
  readonly OPENROUTER_API_KEY?: string;

  @IsOptional()
  @IsString()
  readonly ANTHROPIC_API_KEY?: string;

  @IsOptional()
  @IsString()
  readonly GOOGLE_API_KEY?: string;

  @IsOptional()
  @IsString()
  readonly DEEPSEEK_API_KEY?: string;

  /** Base URL of any OpenAI-compatible server, including `/v1`, such as Ollama's `http://localhost:11434/v1`. */
  @IsOptional()
  @IsUrl(ADDRESS)
  readonly QUARRY_MODEL_BASE_URL?: string;

  /** Model of the server at `QUARRY_MODEL_BASE_URL`, and the default model unless `QUARRY_DEFAULT_MODEL` is usable. */
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  readonly QUARRY_MODEL?: string;

  @IsOptional()
  @IsString()
  readonly QUARRY_MODEL_API_KEY?: string;

  /** Model for requests that name no model. Used only if a provider of this model is configured. */
  @IsOptional()
  @IsIn(MODEL_NAMES)
  readonly QUARRY_DEFAULT_MODEL?: ModelName;

  /** Maximum time from the call of a model to the first piece of its answer, in milliseconds. */
  @IntegerFromText({ min: 100, max: 3_600_000 })
  readonly QUARRY_MODEL_FIRST_TEXT_MS: number = DEFAULT_LIMITS.firstTextMs;

  /** Maximum time between two pieces of an answer, in milliseconds. */
  @IntegerFromText({ min: 100, max: 3_600_000 })
  readonly QUARRY_MODEL_NEXT_TEXT_MS: number = DEFAULT_LIMITS.nextTextMs;

  @IsOptional()
  @Matches(OVERRIDE, OVERRIDE_MESSAGE)
  readonly QUARRY_MODEL_GPT_4O_MINI?: string;

  @IsOptional()
  @Matches(OVERRIDE, OVERRIDE_MESSAGE)
  readonly QUARRY_MODEL_GPT_4O?: string;

  @IsOptional()
  @Matches(OVERRIDE, OVERRIDE_MESSAGE)
  readonly QUARRY_MODEL_GPT_4_1_MINI?: string;

  @IsOptional()
  @Matches(OVERRIDE, OVERRIDE_MESSAGE)
  readonly QUARRY_MODEL_GPT_4_1?: string;

  @IsOptional()
  @Matches(OVERRIDE, OVERRIDE_MESSAGE)
  readonly QUARRY_MODEL_CLAUDE_SONNET_4?: string;

  @IsOptional()
  @Matches(OVERRIDE, OVERRIDE_MESSAGE)
  readonly QUARRY_MODEL_GEMINI_FLASH_2?: string;

  @IsOptional()
  @Matches(OVERRIDE, OVERRIDE_MESSAGE)
  readonly QUARRY_MODEL_GEMINI_FLASH_2_LITE?: string;

  @IsOptional()
  @Matches(OVERRIDE, OVERRIDE_MESSAGE)
  readonly QUARRY_MODEL_DEEPSEEK_V3?: string;
}

/** Reads the settings of the models from the environment. @throws ConfigurationError with all problems at once */
export function readModelSettings(environment: NodeJS.ProcessEnv): ModelSettings {
  const variables = parseEnvironment(Environment, environment);
  const baseUrls = { ...DEFAULT_BASE_URLS, openai: variables.OPENAI_BASE_URL };
  const providers = readProviders(variables, baseUrls);
  const overrides = readOverrides(variables);
  const problems = [...findCustomModelProblems(variables), ...findOverrideProblems(overrides, providers)];
  if (problems.length > 0) throw new ConfigurationError(problems);
  return {
    baseUrls,
    providers,
    overrides: Object.fromEntries(overrides),
    customModel: providers.custom === undefined ? undefined : variables.QUARRY_MODEL,
    defaultModel: variables.QUARRY_DEFAULT_MODEL,
    limits: {
      ...DEFAULT_LIMITS,
      firstTextMs: variables.QUARRY_MODEL_FIRST_TEXT_MS,
      nextTextMs: variables.QUARRY_MODEL_NEXT_TEXT_MS,
    },
  };
}

function readProviders(variables: Environment, baseUrls: ModelSettings['baseUrls']): ModelSettings['providers'] {
  const custom = variables.QUARRY_MODEL_BASE_URL;
  return {
    ...readProvider('openai', baseUrls.openai, variables.OPENAI_API_KEY),
    ...readProvider('openrouter', baseUrls.openrouter, variables.OPENROUTER_API_KEY),
    ...readProvider('anthropic', baseUrls.anthropic, variables.ANTHROPIC_API_KEY),
    ...readProvider('google', baseUrls.google, variables.GOOGLE_API_KEY),
    ...readProvider('deepseek', baseUrls.deepseek, variables.DEEPSEEK_API_KEY),
    ...(custom === undefined ? {} : { custom: { baseUrl: custom, apiKey: variables.QUARRY_MODEL_API_KEY } }),
  };
}

function readProvider(
  name: ProviderName,
  baseUrl: string,
  apiKey: string | undefined,
): Partial<Record<ProviderName, ProviderSettings>> {
  return apiKey === undefined ? {} : { [name]: { baseUrl, apiKey } };
}

function readOverrides(variables: Environment): (readonly [ModelName, ProvidedModel])[] {
  const byVariable = new Map<string, unknown>(Object.entries(variables));
  return MODEL_NAMES.flatMap((name) => {
    const value = byVariable.get(getOverrideVariable(name));
    const [, found, model] = OVERRIDE.exec(typeof value === 'string' ? value : '') ?? [];
    const providerName = PROVIDERS.find((known) => known === found);
    return providerName === undefined || model === undefined
      ? []
      : [[name, { provider: providerName, model }] as const];
  });
}

function findCustomModelProblems(variables: Environment): string[] {
  if ((variables.QUARRY_MODEL_BASE_URL === undefined) === (variables.QUARRY_MODEL === undefined)) return [];
  return [
    'QUARRY_MODEL_BASE_URL and QUARRY_MODEL must be set together: the base URL of the server and the name of its model',
  ];
}

function findOverrideProblems(
  overrides: readonly (readonly [ModelName, ProvidedModel])[],
  providers: ModelSettings['providers'],
): string[] {
  return overrides
    .filter(([, { provider: name }]) => providers[name] === undefined)
    .map(([name, { provider: missing }]) => {
      return `${getOverrideVariable(name)} names the provider ${missing}, which needs ${PROVIDER_VARIABLES[missing]}`;
    });
}
