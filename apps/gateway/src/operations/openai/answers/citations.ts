import type { AnswerSource } from '@quarry/contracts';
import { listCitationMarks } from '@quarry/text-analysis/citation-marks';
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

/**
 * Lists the citations of an answer in the order of its text. A mark such as `[2, 3]` has one citation per source. In an
 * answer without citation marks, each cited source has one citation, for the whole text.
 */
export function listCitations(
  apiUrl: string,
  { answer, sources }: { readonly answer: string; readonly sources: readonly AnswerSource[] },
): readonly Citation[] {
  const toCitation = (source: AnswerSource, start: number, end: number): Citation => {
    const isFile = source.source === buildOriginalAddress(apiUrl, source.datasource_id);
    return { source, start, end, isFile };
  };
  const marked = listCitationMarks(answer, sources.length).flatMap(({ start, end, numbers }) => {
    const found = numbers.flatMap((number) => sources[number - 1] ?? []);
    return found.filter(({ cited }) => cited).map((source) => toCitation(source, start, end));
  });
  if (marked.length > 0) return marked;
  return sources.filter(({ cited }) => cited).map((source) => toCitation(source, 0, answer.length));
}
