import { linkSignals } from '@quarry/cancellation';
import { redactSecretInError } from '@quarry/encrypted-secrets';
import { type ChatCall, type ChatModel, type ChatPiece, ModelFailed } from './chat-model.js';
import { toModelFailed } from './to-model-failed.js';

/** Holds a part of a provider's response. Providers send the fields in different parts, so each field may be absent. */
export interface ResponsePart {
  readonly text?: string;
  /** Number of prompt tokens. The numbers of all parts of a response are added. */
  readonly promptTokens?: number;
  readonly completionTokens?: number;
  /** Reason why the answer ended, in the provider's own terms, such as `stop` or `MAX_TOKENS`. */
  readonly finishReason?: string | undefined;
  /** Reason why the provider refused the prompt, in the provider's own terms; absent if it did not refuse. */
  readonly blockReason?: string | undefined;
}

/**
 * Sends a call to a provider, and yields the parts of its response as they arrive. After `call.signal` aborts, the
 * request ends, and the iteration rejects soon.
 */
export type OpenResponse = (call: ChatCall) => AsyncIterator<ResponsePart, undefined>;

/**
 * Holds what a call has received so far: whether there is text other than white space, why the answer ended, and its
 * token usage.
 */
interface Received {
  hasText: boolean;
  finishReason: string | undefined;
  blockReason: string | undefined;
  promptTokens: number;
  completionTokens: number;
}

/**
 * Creates a `ChatModel` that fulfils the guarantees of that interface, given a function that sends calls to a provider.
 *
 * @param name provider and model, for logs
 * @param apiKey key of the provider, which is removed from error messages, because some providers quote it
 */
export function createProviderModel(name: string, openResponse: OpenResponse, apiKey?: string): ChatModel {
  return {
    name,
    generate: async function* (call) {
      const request = linkSignals(call.signal);
      const received: Received = {
        ...{ hasText: false, finishReason: undefined, blockReason: undefined },
        ...{ promptTokens: 0, completionTokens: 0 },
      };
      try {
        call.signal.throwIfAborted();
        const parts = openResponse({ ...call, signal: request.signal });
        yield* streamTexts(parts, received, () => {
          request.abort(new Error('the reader stopped reading the answer'));
        });
        yield* finishAnswer(name, received);
      } catch (error) {
        call.signal.throwIfAborted();
        redactSecretInError(error, apiKey);
        const failure = toModelFailed(name, error);
        throw received.hasText ? toInterrupted(failure) : failure;
      } finally {
        request.release();
      }
    },
  };
}

async function* streamTexts(
  parts: AsyncIterator<ResponsePart, undefined>,
  received: Received,
  abortRequest: () => void,
): AsyncGenerator<ChatPiece> {
  let isComplete = false;
  // White space before the first word waits for this word, because an answer of only white space is a failure.
  let pending = '';
  try {
    // A for…of loop would await the provider's next part after the reader stops, before the request can be aborted.
    for (let next = await parts.next(); next.done !== true; next = await parts.next()) {
      const { text = '', promptTokens = 0, completionTokens = 0, finishReason, blockReason } = next.value;
      received.promptTokens += promptTokens;
      received.completionTokens += completionTokens;
      received.finishReason = finishReason ?? received.finishReason;
      received.blockReason ??= blockReason;
      pending += text;
      received.hasText ||= text.trim() !== '';
      if (!received.hasText || pending === '') continue;
      yield { text: pending };
      pending = '';
    }
    isComplete = true;
  } finally {
    // The connection of a complete response can be used again.
    if (!isComplete) abortRequest();
  }
}

/**
 * Yields the notes and usage of a finished answer.
 *
 * @throws ModelFailed unless the model ended the answer itself or at its token limit
 */
function* finishAnswer(name: string, received: Received): Generator<ChatPiece> {
  const { hasText, finishReason, blockReason, promptTokens, completionTokens } = received;
  const ending = blockReason === undefined ? toEnding(finishReason) : 'refused';
  const reason = finishReason ?? blockReason ?? 'no finish reason';
  if (ending === 'refused') throw new ModelFailed('model_refused', `${name} stopped: ${reason}`);
  if (!hasText) {
    const details = { isRetryable: ending === 'interrupted', hasReachedTokenLimit: ending === 'truncated' };
    throw new ModelFailed('model_invalid_response', `${name} ended without text: ${reason}`, details);
  }
  if (ending === 'interrupted')
    throw new ModelFailed('model_interrupted', `${name} stopped before the end of its answer: ${reason}`);
  if (ending === 'truncated') yield { note: 'answer_truncated' };
  if (promptTokens + completionTokens > 0) yield { usage: { promptTokens, completionTokens } };
}

/** Converts a failure that occurred after the first text to `model_interrupted`, unless it is a refusal. */
function toInterrupted(failure: ModelFailed): ModelFailed {
  if (failure.code === 'model_refused' || failure.code === 'model_interrupted') return failure;
  return new ModelFailed('model_interrupted', failure.message, { cause: failure });
}

/** Describes how an answer ended. */
type Ending =
  /** The answer is complete. */
  | 'complete'
  /** The answer reached the token limit. */
  | 'truncated'
  /** A filter or the model refused the question or the answer. */
  | 'refused'
  /** The provider stopped before the end of the answer. */
  | 'interrupted';

/** Maps the finish reasons of all providers to endings. Every other reason means `complete`. */
const ENDINGS: ReadonlyMap<string, Ending> = new Map<string, Ending>([
  ...mapReasonsToEnding('truncated', ['length', 'max_tokens', 'MAX_TOKENS']),
  ...mapReasonsToEnding('truncated', ['model_context_window_exceeded', 'model_length']),
  ...mapReasonsToEnding('refused', ['content_filter', 'refusal', 'SAFETY', 'RECITATION', 'LANGUAGE', 'BLOCKLIST']),
  ...mapReasonsToEnding('refused', ['PROHIBITED_CONTENT', 'SPII']),
  ...mapReasonsToEnding('interrupted', ['error', 'abort', 'insufficient_system_resource']),
  ...mapReasonsToEnding('interrupted', ['OTHER', 'FINISH_REASON_UNSPECIFIED']),
]);

/** Returns the map entries that assign an ending to each of the finish reasons. */
function mapReasonsToEnding(ending: Ending, reasons: readonly string[]): (readonly [string, Ending])[] {
  return reasons.map((reason) => [reason, ending]);
}

/** Converts a provider's finish reason to an ending. `undefined` becomes `interrupted`: the connection closed early. */
function toEnding(reason: string | undefined): Ending {
  return reason === undefined ? 'interrupted' : (ENDINGS.get(reason) ?? 'complete');
}
