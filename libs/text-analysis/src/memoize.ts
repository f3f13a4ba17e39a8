/**
 * Returns a function that caches the results of `compute` in a bounded cache, because most words of a text occur
 * repeatedly.
 *
 * @param compute is a pure function of the key
 * @param maxResults number of results per generation of the cache; a full generation is retained until the next one is
 * full, so that recently used results survive
 */
export function memoizeFunction<Found extends object>(
  compute: (key: string) => Found,
  maxResults: number,
): (key: string) => Found {
  let recent = new Map<string, Found>();
  let before = new Map<string, Found>();
  return (key) => {
    const cached = recent.get(key);
    if (cached !== undefined) return cached;
    const found = before.get(key) ?? compute(key);
    if (recent.size >= maxResults) {
      before = recent;
      recent = new Map();
    }
    recent.set(key, found);
    return found;
  };
}
