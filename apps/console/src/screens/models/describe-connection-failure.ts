import { QuarryError, type ModelProvider } from '@quarry/client';
import type { ModelsMessages } from './messages.js';
import { getProviderName } from './provider-name.js';

type FailureName =
  | 'keyRefused'
  | 'keyForbidden'
  | 'modelMissing'
  | 'noCredit'
  | 'quotaExhausted'
  | 'tooSlow'
  | 'unreachable'
  | 'otherFormat'
  | 'requestRefused'
  | 'otherStatus';

/** Matches the English explanations of apps/gateway/src/model-connections/describe-test-failure.ts. */
const FAILURES: readonly (readonly [RegExp, FailureName])[] = [
  [/found status 401/, 'keyRefused'],
  [/found status 403/, 'keyForbidden'],
  [/found status 404/, 'modelMissing'],
  [/found status 402/, 'noCredit'],
  [/found status 429/, 'quotaExhausted'],
  [/found none within/, 'tooSlow'],
  [/found no connection/, 'unreachable'],
  [/found another format/, 'otherFormat'],
  [/found status 4/, 'requestRefused'],
  [/found status \d+/, 'otherStatus'],
];
/** Failures whose cause can be the address or the model of the user's own server. */
const ADDRESS_FAILURES: readonly FailureName[] = [
  'modelMissing',
  'tooSlow',
  'unreachable',
  'otherFormat',
  'requestRefused',
];

/**
 * Describes why the test of a connection to a provider failed, and what to do, in terms of the form. Returns undefined
 * for another error.
 */
export function describeConnectionFailure(
  error: unknown,
  provider: ModelProvider,
  messages: ModelsMessages,
): string | undefined {
  if (!(error instanceof QuarryError) || error.code !== 'model_connection_failed') return undefined;
  const failure = findFailure(error.detail, provider);
  if (failure === undefined) return undefined;
  const name = provider === 'custom' ? messages.server : getProviderName(provider, messages);
  return `${messages[failure](name)} ${getNextStep(failure, provider, messages)}`;
}

function findFailure(detail: string, provider: ModelProvider): FailureName | undefined {
  const [, failure] = FAILURES.find(([pattern]) => pattern.test(detail)) ?? [];
  // Only the form for an own server has a field for the model.
  return failure === 'modelMissing' && provider !== 'custom' ? 'requestRefused' : failure;
}

function getNextStep(failure: FailureName, provider: ModelProvider, messages: ModelsMessages): string {
  if (failure === 'keyRefused' || failure === 'keyForbidden') return messages.checkKey;
  if (failure === 'noCredit' || failure === 'quotaExhausted') return messages.checkCredit;
  if (provider === 'custom' && ADDRESS_FAILURES.includes(failure)) return messages.checkServer;
  // Google reports an invalid key with the status 400.
  if (failure === 'requestRefused') return messages.checkKey;
  return failure === 'unreachable' ? messages.checkInternet : messages.testLater;
}
