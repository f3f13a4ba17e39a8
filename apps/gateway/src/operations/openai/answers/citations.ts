import type { AnswerSource } from '@quarry/contracts';
import { buildOriginalAddress } from '../../../source-addresses/source-address.js';

/**
 * A passage in an answer, and the source that supports the passage. `start` and `end` are positions in the text, in
 * UTF-16 code units.
 */
export interface Citation {
  readonly source: AnswerSource;
  readonly start: number;
  readonly end: number;
  /** True if the source is a file in Quarry. False if the source has an address of its own, such as a web page. */
  readonly isFile: boolean;
}

/** Matches a citation mark, such as `[2]` for the second source. */
const MARK = /\[(\d{1,3})\]/g;

/**
 * Lists the citations of an answer in the order of its text. In an answer without citation marks, each cited source has
 * one citation, for the whole text.
 */
export function listCitations(
  apiUrl: string,
  { answer, sources }: { readonly answer: string; readonly sources: readonly AnswerSource[] },
): readonly Citation[] {
  const toCitation = (source: AnswerSource, start: number, end: number): Citation => {
    const isFile = source.source === buildOriginalAddress(apiUrl, source.datasource_id);
    return { source, start, end, isFile };
  };
  const marked = [...answer.matchAll(MARK)].flatMap(({ 0: mark, 1: number, index }) => {
    const source = sources[Number(number) - 1];
    return source?.cited === true ? [toCitation(source, index, index + mark.length)] : [];
  });
  if (marked.length > 0) return marked;
  return sources.filter(({ cited }) => cited).map((source) => toCitation(source, 0, answer.length));
}
