/**
 * Creates a function that calls `load` in its first call and returns the loaded value in all calls. If `load` rejects,
 * the next call repeats it.
 */
export function loadOnce<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let loaded: Promise<Value> | undefined;
  return async () => {
    loaded ??= load().catch((error: unknown) => {
      loaded = undefined;
      throw error;
    });
    return loaded;
  };
}
