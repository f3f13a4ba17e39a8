import { listCitationMarks } from '@quarry/text-analysis/citation-marks';

/** A piece of an answer: text, or the number of a source that a citation mark cites, starting at 1. */
export type AnswerPiece = { readonly text: string } | { readonly citation: number };

/**
 * Splits a text at its citation marks, such as `[2]`, `[2, 3]` or `[1-3]`, and removes the spaces before them. A mark
 * with a number greater than `sourceCount` stays text.
 */
export function splitAtCitations(text: string, sourceCount: number): readonly AnswerPiece[] {
  const pieces: AnswerPiece[] = [];
  let end = 0;
  for (const mark of listCitationMarks(text, sourceCount)) {
    const before = text.slice(end, mark.start).trimEnd();
    if (before !== '') pieces.push({ text: before });
    pieces.push(...mark.numbers.map((citation) => ({ citation })));
    end = mark.end;
  }
  if (end < text.length) pieces.push({ text: text.slice(end) });
  return pieces;
}
