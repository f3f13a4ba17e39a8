/** A letter, or another character, of such a script. */
export const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;
const BRACKETS = /[()[\]{}]/g;
const MIRRORED: Readonly<Record<string, string>> = { '(': ')', ')': '(', '[': ']', ']': '[', '{': '}', '}': '{' };
/** Around words of the other direction, one of the two may be turned and the other not. */
const CLOSES_BEFORE_WORD = /(?<=^|\s)[)\]}](?=[\p{L}\p{N}])/gu;
const OPENS_BEHIND_WORD = /(?<=[\p{L}\p{N}])[([{](?=$|[\s.,;:!?])/gu;

/**
 * In a right-to-left line a bracket is drawn as its mirror image, and some programs write down what is drawn, not what is
 * meant. Brackets that close before they open are therefore turned around, where that makes pairs of them; so are those
 * that have their other half in another line.
 */
export function withBracketsTurned(text: string): string {
  if (!RIGHT_TO_LEFT.test(text) || isPaired(text)) return text;
  const turned = text.replace(BRACKETS, mirrored);
  if (isPaired(turned)) return turned;
  const byWords = text.replace(CLOSES_BEFORE_WORD, mirrored).replace(OPENS_BEHIND_WORD, mirrored);
  return isPaired(byWords, 'in part') ? byWords : text;
}

function mirrored(bracket: string): string {
  return MIRRORED[bracket] ?? bracket;
}

/** In part: what is closed first and what is open last may have its other half elsewhere. */
function isPaired(text: string, how: 'whole' | 'in part' = 'whole'): boolean {
  const open: string[] = [];
  for (const [bracket] of text.matchAll(BRACKETS)) {
    if ('([{'.includes(bracket)) open.push(bracket);
    else if (open.length === 0 && how === 'in part') continue;
    else if (open.pop() !== MIRRORED[bracket]) return false;
  }
  return open.length === 0 || how === 'in part';
}
