import { ModelFailed, type ChatModel } from './chat-model.js';

export interface TextTimeouts {
  /** From the call to the first piece. */
  readonly firstTextMs: number;
  /** From one piece to the next. The reader's own time does not count. */
  readonly nextTextMs: number;
}

/**
 * Ends a model's answer when no text arrives in time: with `model_timeout` before the first piece, with `model_interrupted`
 * after it. Neither is retried: the user has waited long enough.
 */
export function withTextTimeouts(model: ChatModel, { firstTextMs, nextTextMs }: TextTimeouts): ChatModel {
  return {
    name: model.name,
    generate: async function* (call) {
      const silence = new AbortController();
      const startTimer = (code: 'model_timeout' | 'model_interrupted', ms: number): NodeJS.Timeout =>
        setTimeout(() => {
          silence.abort(new ModelFailed(code, `${model.name} was silent for ${ms} ms`));
        }, ms);
      let timer = startTimer('model_timeout', firstTextMs);
      try {
        for await (const piece of model.generate({ ...call, signal: AbortSignal.any([call.signal, silence.signal]) })) {
          clearTimeout(timer);
          yield piece;
          timer = startTimer('model_interrupted', nextTextMs);
        }
      } finally {
        clearTimeout(timer);
      }
    },
  };
}
