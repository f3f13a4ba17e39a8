const SYMBOLS = /[{}[\]<>()$\\=_"'`/#@&%~^;]/g;
/** Maximum share of symbols among the characters of prose, which can contain quotations, links and brackets. */
const MAX_SYMBOL_SHARE = 0.12;

/** Returns whether a text is probably a command, a program or data instead of prose. Decides by the share of symbols. */
export function isLikelyCode(text: string): boolean {
  const letters = text.replaceAll(/\s/g, '').length;
  return letters > 0 && (text.match(SYMBOLS)?.length ?? 0) / letters > MAX_SYMBOL_SHARE;
}
