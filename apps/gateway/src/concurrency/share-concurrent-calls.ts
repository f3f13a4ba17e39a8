/** The calls with the same key that wait until the execution in progress has ended. */
interface WaitingCalls<Result> extends PromiseWithResolvers<Result> {
  count: number;
}

/**
 * Creates a function that makes concurrent calls with the same key share one execution of `work`. One execution per key
 * is in progress at a time. Calls that arrive during an execution wait until it ends. Then they share the next
 * execution, whose result contains everything that was committed before they arrived. If no execution is in progress, a
 * call starts one at once.
 *
 * @param getKey returns the same key for inputs that have the same result
 * @param work receives the number of calls that share it
 */
export function shareConcurrentCalls<Input, Result>(
  getKey: (input: Input) => string,
  work: (input: Input, count: number) => Promise<Result>,
): (input: Input) => Promise<Result> {
  /** Maps each key whose execution is in progress to the calls that wait for its end. Undefined: no call waits. */
  const waiting = new Map<string, WaitingCalls<Result> | undefined>();
  const startCall = async (key: string, input: Input, count: number): Promise<Result> => {
    waiting.set(key, undefined);
    try {
      return await work(input, count);
    } finally {
      const next = waiting.get(key);
      if (next === undefined) waiting.delete(key);
      else next.resolve(startCall(key, input, next.count));
    }
  };
  return async (input) => {
    const key = getKey(input);
    if (!waiting.has(key)) return startCall(key, input, 1);
    const calls = waiting.get(key) ?? { ...Promise.withResolvers<Result>(), count: 0 };
    waiting.set(key, calls);
    calls.count += 1;
    return calls.promise;
  };
}
