import { yieldToEventLoop, type NewFragment } from '@quarry/fragment-store';

const MAX_POINTS = 500;

/** Maximum size of a request in bytes: a quarter of the default limit of the server. */
const MAX_BYTES = 8 << 20;

/** Maximum size in JSON of one element of a vector, including the comma, in bytes. */
const NUMBER_BYTES = 11;
/** Maximum size in JSON of one term of a sparse vector, that is, of its index and weight, in bytes. */
const TERM_BYTES = 32;
/** Estimated size in JSON of all fields of a point except text, context and vectors, in bytes. */
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
 * Estimates the size of a point in JSON, in bytes. The estimate is rather too high than too low. It assumes at most one
 * term per two characters, and six bytes per character, because a character may be escaped.
 */
function estimatePointBytes({ text, context, vector }: NewFragment): number {
  const characters = text.length + context.length;
  return FIELDS_BYTES + characters * 6 + (vector?.length ?? 0) * NUMBER_BYTES + (characters / 2) * TERM_BYTES;
}
