/** A letter, or another character, of such a script. */
export const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;
const BRACKETS = /[()[\]{}]/g;
const MIRRORED: Readonly<Record<string, string>> = { '(': ')', ')': '(', '[': ']', ']': '[', '{': '}', '}': '{' };

/**
 * In a right-to-left line a bracket is drawn as its mirror image, and some programs write down what is drawn, not what is
 * meant. Brackets that close before they open are therefore turned around, where that makes pairs of them.
 */
export function withBracketsTurned(text: string): string {
  if (!RIGHT_TO_LEFT.test(text) || isPaired(text)) return text;
  const turned = text.replace(BRACKETS, (bracket) => MIRRORED[bracket] ?? bracket);
  return isPaired(turned) ? turned : text;
}

function isPaired(text: string): boolean {
  const open: string[] = [];
  for (const [bracket] of text.matchAll(BRACKETS)) {
    if ('([{'.includes(bracket)) open.push(bracket);
    else if (open.pop() !== MIRRORED[bracket]) return false;
  }
  return open.length === 0;
}
