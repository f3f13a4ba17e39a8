import type { ModelConnection, ModelConnectionFields, ModelProvider } from '@quarry/client';

/** The contents of the form's fields. */
export interface ConnectionInputs {
  readonly apiKey: string;
  readonly baseUrl: string;
  readonly model: string;
}

/**
 * Builds a connection from the fields of the form. Only the provider `custom` has an address and a model. An empty key
 * keeps the stored key of the same address, or else means that the server needs no key.
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

/** Returns true if the form contains the fields that the provider requires. The API validates their values. */
export function hasRequiredFields(
  provider: ModelProvider,
  { apiKey, baseUrl, model }: ConnectionInputs,
  stored: unknown,
): boolean {
  if (provider === 'custom') return baseUrl.trim() !== '' && model.trim() !== '';
  return apiKey.trim() !== '' || stored !== undefined;
}
