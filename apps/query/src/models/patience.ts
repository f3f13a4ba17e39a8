import { ModelFailed, type ChatModel } from './chat-model.js';

export interface Patience {
  /** From the call to the first piece. */
  readonly firstTextMs: number;
  /** From one piece to the next. Time that the reader takes does not count. */
  readonly nextTextMs: number;
}

/** The same model, given up on when it is silent for too long. Silence is not worth another call: the wait was long already. */
export function withPatience(model: ChatModel, patience: Patience): ChatModel {
  return {
    name: model.name,
    generate: async function* (call) {
      const silence = new AbortController();
      const wait = (ms: number): NodeJS.Timeout =>
        setTimeout(() => {
          silence.abort(new ModelFailed('model_unavailable', `${model.name} was silent for ${ms} ms`));
        }, ms);
      let timer = wait(patience.firstTextMs);
      try {
        for await (const piece of model.generate({ ...call, signal: AbortSignal.any([call.signal, silence.signal]) })) {
          clearTimeout(timer);
          yield piece;
          timer = wait(patience.nextTextMs);
        }
      } finally {
        clearTimeout(timer);
      }
    },
  };
}
