/** What some work gives, and how long it takes in milliseconds. */
export async function timed<T>(work: () => T | Promise<T>): Promise<{ readonly result: T; readonly ms: number }> {
  const begun = performance.now();
  const result = await work();
  return { result, ms: performance.now() - begun };
}
