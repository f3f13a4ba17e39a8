import type { ConnectedProvider, ModelTestResponse } from '@quarry/contracts';
import type { Log } from '@quarry/service-kit';
import { ModelFailed, type ChatModel } from './chat-model.js';
import { connectProviders } from './connect-providers.js';
import type { ModelSettings } from './model-settings.js';
import { openModels } from './open-models.js';

/**
 * Time limits of a test, in milliseconds. The limits allow a local server to load a model for the first call, and are
 * shorter than the timeout of the gateway.
 */
const LIMITS = { firstTextMs: 25_000, nextTextMs: 25_000, attempts: 1 };
/** Maximum number of generated tokens. Most models that reason need fewer before their first word. */
const MAX_TOKENS = 256;

const NO_RESPONSE = { status: null, networkError: null };

/**
 * Calls a model of a provider with a minimal prompt, and ends the call after the first text. The test also succeeds if
 * the model reaches the token limit before its first text.
 */
export async function testProvider(
  settings: ModelSettings,
  connection: ConnectedProvider,
  { log, signal }: { readonly log: Log; readonly signal: AbortSignal },
): Promise<ModelTestResponse> {
  const bare = { ...settings, providers: {}, overrides: {}, customModel: undefined, defaultModel: undefined };
  const models = await openModels({ ...connectProviders(bare, [connection]), limits: LIMITS }, log);
  const model = models.choose(undefined);
  if (model === undefined) {
    return { model: connection.provider, durationMs: 0, failure: 'model_not_configured', ...NO_RESPONSE };
  }
  const startedAt = performance.now();
  const failure = await findModelFailure(model, signal);
  signal.throwIfAborted();
  const durationMs = Math.round(performance.now() - startedAt);
  return {
    model: model.name,
    durationMs,
    failure: failure?.code ?? null,
    status: failure?.status ?? null,
    networkError: failure === undefined ? null : (findNetworkError(failure) ?? null),
  };
}

async function findModelFailure(model: ChatModel, signal: AbortSignal): Promise<ModelFailed | undefined> {
  const call = {
    system: undefined,
    messages: [{ role: 'user' as const, text: 'Reply with the word OK.' }],
    settings: { maxTokens: MAX_TOKENS },
    signal,
  };
  try {
    for await (const piece of model.generate(call)) {
      if ('text' in piece) return undefined;
    }
    return undefined;
  } catch (error) {
    if (!(error instanceof ModelFailed)) throw error;
    // The connection works: the model used all tokens to reason.
    return error.hasReachedTokenLimit ? undefined : error;
  }
}

/** Finds the code of the network error that caused a failure, such as `ECONNREFUSED`. */
function findNetworkError(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code } = error as { readonly code?: unknown }; // Node.js adds the code of a system error
  const isSystemCode = typeof code === 'string' && /^[A-Z][A-Z\d_]+$/.test(code);
  return isSystemCode ? code : findNetworkError(error.cause);
}
