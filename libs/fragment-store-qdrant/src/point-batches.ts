import { yieldToEventLoop, type NewFragment } from '@quarry/fragment-store';

const MAX_POINTS = 500;

/** Maximum size of a request in bytes: a quarter of the default limit of the server. */
const MAX_BYTES = 8 << 20;

/**
 * Sizes in JSON, in bytes: a number with its comma, a term with its index and weight, and all other fields of a point
 * together.
 */
const NUMBER_BYTES = 11;
const TERM_BYTES = 32;
const FIELDS_BYTES = 600;

/**
 * Yields points in batches, one batch per request. Points are built on demand, so that the points of a large document
 * are never in memory all at once.
 */
export async function* buildPointBatches<P>(
  fragments: readonly NewFragment[],
  buildPoint: (fragment: NewFragment, ordinal: number) => P,
): AsyncGenerator<P[]> {
  let points: P[] = [];
  let bytes = 0;
  for await (const [ordinal, fragment] of yieldToEventLoop(fragments.entries())) {
    const size = estimatePointBytes(fragment);
    if (points.length >= MAX_POINTS || (points.length > 0 && bytes + size > MAX_BYTES)) {
      yield points;
      points = [];
      bytes = 0;
    }
    points.push(buildPoint(fragment, ordinal));
    bytes += size;
  }
  if (points.length > 0) yield points;
}

/**
 * Returns an upper bound of the size of a point in JSON, in bytes. It assumes at most one term per two characters, and
 * six bytes per character, because a character may be escaped.
 */
function estimatePointBytes({ text, context, vector }: NewFragment): number {
  const characters = text.length + context.length;
  return FIELDS_BYTES + characters * 6 + (vector?.length ?? 0) * NUMBER_BYTES + (characters / 2) * TERM_BYTES;
}
