import type { ModelConnection, ModelConnectionFields, ModelProvider } from '@quarry/client';

/** The texts in the fields of the form that connects a provider of language models. */
export interface ConnectionInputs {
  readonly apiKey: string;
  readonly baseUrl: string;
  readonly model: string;
}

/**
 * Builds the fields of a connection from the form. Only the provider `custom` has an address and a model. An empty key
 * keeps the stored key; for `custom` only if the address is unchanged, otherwise the connection gets no key.
 *
 * @param stored the connection that is replaced; undefined for a new connection
 */
export function buildConnectionFields(
  provider: ModelProvider,
  inputs: ConnectionInputs,
  stored: Pick<ModelConnection, 'baseUrl'> | undefined,
): ModelConnectionFields {
  const apiKey = inputs.apiKey.trim();
  if (provider !== 'custom') return apiKey === '' ? {} : { apiKey };
  const baseUrl = inputs.baseUrl.trim();
  const isKeyKept = apiKey === '' && stored?.baseUrl === baseUrl;
  return { baseUrl, model: inputs.model.trim(), ...(isKeyKept ? {} : { apiKey: apiKey === '' ? null : apiKey }) };
}

/**
 * Returns true if the form can be sent: the fields that the provider requires are filled. An empty key suffices if a
 * connection is stored.
 */
export function hasRequiredFields(
  provider: ModelProvider,
  { apiKey, baseUrl, model }: ConnectionInputs,
  stored: unknown,
): boolean {
  if (provider === 'custom') return baseUrl.trim() !== '' && model.trim() !== '';
  return apiKey.trim() !== '' || stored !== undefined;
}
