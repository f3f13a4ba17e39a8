const SYMBOLS = /[{}[\]<>()$\\=_"'`/#@&%~^;]/g;
/** Prose with quotations, links and brackets has less. */
const MOST_IN_PROSE = 0.12;

/** Whether a text is a command, a program or data rather than something that is said: too much of it is symbols. */
export function looksLikeCode(text: string): boolean {
  const letters = text.replaceAll(/\s/g, '').length;
  return letters > 0 && (text.match(SYMBOLS)?.length ?? 0) / letters > MOST_IN_PROSE;
}
