import type { ModelTestResponse } from '@quarry/contracts';

/**
 * Returns an explanation of why the test of a connection to a model provider failed, with the next step for the user.
 * The explanation contains no text of the provider.
 */
export function describeTestFailure({ model, failure, status, networkError }: ModelTestResponse): string {
  const found = `Expected text from ${model}, found`;
  if (status === 401) return `${found} status 401: the provider refuses the key. Check that it is complete and valid.`;
  if (status === 403) return `${found} status 403: the key is not permitted to use this model. Check its permissions.`;
  if (status === 404)
    return `${found} status 404: the server does not offer this model or path. Check model and baseUrl.`;
  if (status === 402) return `${found} status 402: the account has no credit. Add credit at the provider.`;
  if (failure === 'model_rate_limited') {
    return `${found} status 429: the rate or the quota of the account is exhausted. Check its credit, or test again later.`;
  }
  if (failure === 'model_timeout') {
    return `${found} none within 25 seconds. If the server was loading the model, test again; otherwise check baseUrl.`;
  }
  if (networkError !== null) {
    return `${found} no connection (${networkError}). Check baseUrl, and that the query service can reach the server.`;
  }
  if (failure === 'model_invalid_response') {
    return `${found} another format or no text. Check that baseUrl is that of an OpenAI-compatible API, and ends with /v1.`;
  }
  if (status !== null) return `${found} status ${status}. Check the settings, or test again later.`;
  return `${found} no complete response (${failure ?? 'unknown'}). Check the address, or test again later.`;
}
