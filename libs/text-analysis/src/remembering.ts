/**
 * The same function, with what it found lately kept: most words of a text have stood in it before.
 *
 * @param compute gives the same for the same key, always
 * @param most results to keep; twice as many are held at the most, so that those in use outlive those that are not
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
