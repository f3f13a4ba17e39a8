/** Chooses one of the options, and returns it. */
export type Choose = (options: readonly number[]) => number;

interface Choice {
  readonly options: readonly number[];
  readonly index: number;
}

/**
 * Yields one choosing function for each path through a tree of choices, depth first. Use a function before you request
 * the next one, because the next path depends on the choices of the previous function.
 */
export function* enumeratePaths(): Generator<Choose> {
  for (let planned: readonly number[] | undefined = []; planned !== undefined;) {
    const path: Choice[] = [];
    const plan: readonly number[] = planned;
    yield (options) => {
      const index = plan[path.length] ?? 0;
      path.push({ options, index });
      return options[index] ?? 0;
    };
    planned = planNextPath(path);
  }
}

/** Yields `count` functions that choose randomly, each for one path through the tree. Equal seeds yield equal paths. */
export function* samplePaths(seed: number, count: number): Generator<Choose> {
  let state = seed;
  // The pseudo-random number generator Mulberry32.
  const drawNumber = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  for (let path = 0; path < count; path += 1)
    yield (options) => options[Math.floor(drawNumber() * options.length)] ?? 0;
}

/**
 * Returns the option indexes with which the next path begins. On the rest of the path, the first options are chosen.
 * Returns undefined after the last path.
 */
function planNextPath(path: readonly Choice[]): readonly number[] | undefined {
  const last = path.findLastIndex(({ options, index }) => index + 1 < options.length);
  if (last === -1) return undefined;
  return path.slice(0, last + 1).map(({ index }, at) => (at === last ? index + 1 : index));
}
