import { yieldToEventLoop, type NewFragment } from '@quarry/fragment-store';

const MAX_POINTS = 500;

/** A quarter of what the server takes in one request unless it is told otherwise. */
const MAX_BYTES = 8 << 20;

/** Of a number in JSON, with its comma; of a term's index and weight; of all other fields together. */
const NUMBER_BYTES = 11;
const TERM_BYTES = 32;
const FIELDS_BYTES = 600;

/** Points for one request after the other, made when their turn comes, so that a large document is not in memory twice. */
export async function* batches<P>(
  fragments: readonly NewFragment[],
  pointOf: (fragment: NewFragment, ordinal: number) => P,
): AsyncGenerator<P[]> {
  let points: P[] = [];
  let bytes = 0;
  for await (const [ordinal, fragment] of yieldToEventLoop(fragments.entries())) {
    const size = bytesOf(fragment);
    if (points.length >= MAX_POINTS || (points.length > 0 && bytes + size > MAX_BYTES)) {
      yield points;
      points = [];
      bytes = 0;
    }
    points.push(pointOf(fragment, ordinal));
    bytes += size;
  }
  if (points.length > 0) yield points;
}

/** At most: a term for every character of text is more than any text has, an escaped character takes six bytes. */
function bytesOf({ text, context, vector }: NewFragment): number {
  const characters = text.length + context.length;
  return FIELDS_BYTES + characters * 6 + (vector?.length ?? 0) * NUMBER_BYTES + (characters / 2) * TERM_BYTES;
}
