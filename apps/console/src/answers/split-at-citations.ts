/** A piece of an answer: text, or a citation mark with the number of its source, starting at 1. */
export type AnswerPiece = { readonly text: string } | { readonly citation: number };

const MARK = /\s?\[(\d{1,3})\]/g;

/** Splits a text at its citation marks, such as `[2]`. A mark whose number is greater than `sourceCount` stays text. */
export function splitAtCitations(text: string, sourceCount: number): readonly AnswerPiece[] {
  const pieces: AnswerPiece[] = [];
  let end = 0;
  for (const mark of text.matchAll(MARK)) {
    const citation = Number(mark[1]);
    if (citation < 1 || citation > sourceCount) continue;
    if (mark.index > end) pieces.push({ text: text.slice(end, mark.index) });
    pieces.push({ citation });
    end = mark.index + mark[0].length;
  }
  if (end < text.length) pieces.push({ text: text.slice(end) });
  return pieces;
}
