import type { AnswerEvent } from '@quarry/contracts';
import { buildCompletedEvent } from './fake-query-service.js';
import type { TestGateway } from './start-test-gateway.js';

/** An answer whose text a test sends piece by piece. */
export interface Script {
  send(text: string): void;
  complete(): void;
  fail(): void;
  /** Resolves when the gateway has aborted the answer. */
  readonly aborted: Promise<unknown>;
}

/**
 * Makes the fake query service of a gateway answer the next questions with the text that the test passes to `send` of
 * the returned script.
 */
export function scriptAnswers(gateway: TestGateway): Script {
  const events: AnswerEvent[] = [];
  let answer = '';
  let added = Promise.withResolvers<undefined>();
  const aborted = Promise.withResolvers<undefined>();
  const add = (event: AnswerEvent): void => {
    events.push(event);
    added.resolve(undefined);
    added = Promise.withResolvers<undefined>();
  };
  gateway.query.answer = async function* (_request, signal) {
    signal.addEventListener('abort', () => {
      aborted.resolve(undefined);
      added.resolve(undefined);
    });
    for (let at = 0; !signal.aborted; at += 1) {
      const next = added.promise;
      if (at >= events.length) await next;
      const event = events[at];
      if (event === undefined) return;
      yield event;
      if (event.type !== 'delta') return;
    }
  };
  return {
    send: (text) => {
      answer += text;
      add({ type: 'delta', text });
    },
    complete: () => {
      add(buildCompletedEvent(answer));
    },
    fail: () => {
      add({ type: 'failed', code: 'model_unavailable', message: 'Gone.' });
    },
    aborted: aborted.promise,
  };
}
