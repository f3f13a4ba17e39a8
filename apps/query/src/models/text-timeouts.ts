import { linkSignals } from '@quarry/cancellation';
import { ModelFailed, type ChatModel } from './chat-model.js';

export interface TextTimeouts {
  /** Maximum time from the call to the first piece, in milliseconds. */
  readonly firstTextMs: number;
  /** Maximum time between two pieces, in milliseconds, without the time that the reader takes. */
  readonly nextTextMs: number;
}

/**
 * Fails an answer if its text arrives too late: with `model_timeout` before the first piece and with `model_interrupted` after
 * it. Neither failure is retried, because the user has already waited for the whole timeout.
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
