import { linkSignals } from '@quarry/cancellation';
import { ModelFailed, type ChatModel } from './chat-model.js';

export interface TextTimeouts {
  /** Maximum time from the call of a model to the first piece of its answer, in milliseconds. */
  readonly firstTextMs: number;
  /** Maximum time between two pieces of an answer, in milliseconds, without the consumer's processing time. */
  readonly nextTextMs: number;
}

/**
 * Adds timeouts to a model. If the first piece of an answer is late, the answer fails with `model_timeout`; if a later
 * piece is late, with `model_interrupted`. Neither failure is retried, because the user has already waited so long.
 */
export function withTextTimeouts(model: ChatModel, { firstTextMs, nextTextMs }: TextTimeouts): ChatModel {
  return {
    name: model.name,
    generate: async function* (call) {
      const timeout = linkSignals(call.signal);
      const startTimer = (code: 'model_timeout' | 'model_interrupted', ms: number): NodeJS.Timeout =>
        setTimeout(() => {
          timeout.abort(new ModelFailed(code, `${model.name} sent no text for ${ms} ms`));
        }, ms);
      let timer = startTimer('model_timeout', firstTextMs);
      try {
        for await (const piece of model.generate({ ...call, signal: timeout.signal })) {
          clearTimeout(timer);
          yield piece;
          timer = startTimer('model_interrupted', nextTextMs);
        }
      } finally {
        clearTimeout(timer);
        timeout.release();
      }
    },
  };
}
