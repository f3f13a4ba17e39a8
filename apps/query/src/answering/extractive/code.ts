const SYMBOLS = /[{}[\]<>()$\\=_"'`/#@&%~^;]/g;
/**
 * Maximum share of symbols among the characters of prose. It is greater than 0, because prose can contain quotations,
 * links and brackets.
 */
const MAX_SYMBOL_SHARE = 0.12;

/**
 * Returns whether a text is probably a command, a program or data instead of prose. Decides by the share of symbols.
 */
export function isLikelyCode(text: string): boolean {
  const letters = text.replaceAll(/\s/g, '').length;
  return letters > 0 && (text.match(SYMBOLS)?.length ?? 0) / letters > MAX_SYMBOL_SHARE;
}

const OPENING = '([{';
const CLOSING = ')]}';

/**
 * Returns whether a piece of code opens and closes the same brackets. If it does not, it is probably only a part of
 * longer code.
 */
export function hasBalancedBrackets(code: string): boolean {
  const open: string[] = [];
  for (const character of code) {
    if (OPENING.includes(character)) open.push(character);
    else if (CLOSING.includes(character) && open.pop() !== OPENING[CLOSING.indexOf(character)]) return false;
  }
  return open.length === 0;
}
