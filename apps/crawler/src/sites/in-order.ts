/**
 * Does work on several things at a time, and takes in what came of it one by one in the things' order, so that the outcome is
 * the same however long each took.
 *
 * @param next the next thing; undefined when there is none now. Asked again after each that was taken in, which may bring more
 * @param width at the same time
 * @throws what `work` or `takeIn` throws, after everything that was begun has ended
 */
export async function inOrder<Thing, Result>(
  next: () => Thing | undefined,
  width: number,
  work: (thing: Thing, signal: AbortSignal) => Promise<Result>,
  takeIn: (result: Result, thing: Thing) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  const begun: { readonly thing: Thing; readonly result: Promise<Result> }[] = [];
  try {
    for (;;) {
      signal.throwIfAborted();
      while (begun.length < width) {
        const thing = next();
        if (thing === undefined) break;
        const result = work(thing, either);
        // Its turn to be awaited may come after it has failed.
        result.catch(() => undefined);
        begun.push({ thing, result });
      }
      const first = begun.shift();
      if (first === undefined) return;
      await takeIn(await first.result, first.thing);
    }
  } finally {
    stop.abort();
    await Promise.allSettled(begun.map(({ result }) => result));
  }
}
