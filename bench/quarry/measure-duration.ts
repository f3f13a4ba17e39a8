/** Runs a function. Returns its result and the elapsed milliseconds. */
export async function measureDuration<T>(
  work: () => T | Promise<T>,
): Promise<{ readonly result: T; readonly ms: number }> {
  const begun = performance.now();
  const result = await work();
  return { result, ms: performance.now() - begun };
}
