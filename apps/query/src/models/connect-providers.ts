import type { ConfiguredProvider, ConnectedProvider, ModelListResponse } from '@quarry/contracts';
import { chooseModel, listConfiguredModels } from './choose-model.js';
import { PROVIDERS, type ModelSettings, type ProviderSettings } from './model-settings.js';

/**
 * Adds the providers of connections to settings. A connection is ignored if `settings` already has its provider, or if
 * it is custom and lacks an HTTP address or a model.
 */
export function connectProviders(settings: ModelSettings, connections: readonly ConnectedProvider[]): ModelSettings {
  const added = connections.flatMap((connection) => {
    const opened = toProvider(settings, connection);
    const isConfigured = settings.providers[connection.provider] !== undefined;
    return opened === undefined || isConfigured ? [] : [{ connection, opened }];
  });
  const custom = added.find(({ connection }) => connection.provider === 'custom')?.connection;
  return {
    ...settings,
    providers: {
      ...settings.providers,
      ...Object.fromEntries(added.map(({ connection, opened }) => [connection.provider, opened])),
    },
    customModel: settings.customModel ?? custom?.model,
  };
}

function toProvider(
  { baseUrls }: ModelSettings,
  { provider, apiKey: sentKey, baseUrl, model }: ConnectedProvider,
): ProviderSettings | undefined {
  const apiKey = sentKey ?? undefined; // an absent field may be null in JSON
  if (provider !== 'custom') return { baseUrl: baseUrls[provider], apiKey };
  if (!isHttpAddress(baseUrl) || model === undefined) return undefined;
  return { baseUrl, apiKey };
}

function isHttpAddress(text: string | null | undefined): text is string {
  return /^https?:$/.test(URL.parse(text ?? '')?.protocol ?? '');
}

/**
 * Lists the providers that environment variables and connections configure, the models that these providers offer, and
 * the model for requests that name no model.
 */
export function listProviders(
  environment: ModelSettings,
  connections: readonly ConnectedProvider[],
): ModelListResponse {
  const settings = connectProviders(environment, connections);
  const standard = chooseModel(settings, undefined);
  return {
    defaultModel: standard === undefined ? null : `${standard.provider}/${standard.model}`,
    models: listConfiguredModels(settings),
    providers: PROVIDERS.flatMap((provider): readonly ConfiguredProvider[] => {
      const found = settings.providers[provider];
      if (found === undefined) return [];
      const source = environment.providers[provider] === undefined ? 'api' : 'environment';
      const model = provider === 'custom' ? (settings.customModel ?? null) : null;
      return [{ provider, source, baseUrl: found.baseUrl, model }];
    }),
  };
}
