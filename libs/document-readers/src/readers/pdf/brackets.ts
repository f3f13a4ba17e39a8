/** Matches a character of a right-to-left script. */
export const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;
const BRACKETS = /[()[\]{}]/g;
const MIRRORED: Readonly<Record<string, string>> = { '(': ')', ')': '(', '[': ']', ']': '[', '{': '}', '}': '{' };
/**
 * Matches a closing bracket before a word, that is, a mirrored opening bracket. Next to left-to-right words, often only
 * one bracket of a pair is mirrored.
 */
const CLOSING_BEFORE_WORD = /(?<=^|\s)[)\]}](?=[\p{L}\p{N}])/gu;
const OPENING_AFTER_WORD = /(?<=[\p{L}\p{N}])[([{](?=$|[\s.,;:!?])/gu;

/**
 * Repairs a right-to-left line whose brackets are stored as displayed, that is, mirrored. Replaces opening brackets by
 * closing brackets and vice versa: all of them if the brackets form pairs only after the replacement. Otherwise,
 * replaces only closing brackets before a word and opening brackets after a word, because some brackets have their
 * partner in another line.
 */
export function fixMirroredBrackets(text: string): string {
  if (!RIGHT_TO_LEFT.test(text) || areBracketsBalanced(text)) return text;
  const mirrored = text.replace(BRACKETS, mirrorBracket);
  if (areBracketsBalanced(mirrored)) return mirrored;
  const turnedByWord = text.replace(CLOSING_BEFORE_WORD, mirrorBracket).replace(OPENING_AFTER_WORD, mirrorBracket);
  return areBracketsBalanced(turnedByWord, 'partial') ? turnedByWord : text;
}

function mirrorBracket(bracket: string): string {
  return MIRRORED[bracket] ?? bracket;
}

/**
 * Returns whether all brackets are paired. In mode `whole`, both brackets of a pair must be in the text. In mode
 * `partial`, one of them can be in another line.
 */
function areBracketsBalanced(text: string, mode: 'whole' | 'partial' = 'whole'): boolean {
  const open: string[] = [];
  for (const [bracket] of text.matchAll(BRACKETS)) {
    if ('([{'.includes(bracket)) open.push(bracket);
    else if (open.length === 0 && mode === 'partial') continue;
    else if (open.pop() !== MIRRORED[bracket]) return false;
  }
  return open.length === 0 || mode === 'partial';
}
