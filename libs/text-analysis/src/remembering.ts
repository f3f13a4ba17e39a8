/**
 * Memoizes a function with a bounded cache, because most words of a text occur repeatedly.
 *
 * @param compute is a pure function of the key
 * @param most number of results per generation; two generations are cached, so that recently used results survive
 */
export function remembering<Found extends object>(
  compute: (key: string) => Found,
  most: number,
): (key: string) => Found {
  let recent = new Map<string, Found>();
  let before = new Map<string, Found>();
  return (key) => {
    const known = recent.get(key);
    if (known !== undefined) return known;
    const found = before.get(key) ?? compute(key);
    if (recent.size >= most) {
      before = recent;
      recent = new Map();
    }
    recent.set(key, found);
    return found;
  };
}
