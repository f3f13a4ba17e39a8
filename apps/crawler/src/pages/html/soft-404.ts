import { getNormalizedText } from './parse-document.js';

/** Maximum text length of an error page. Articles about errors are longer. */
const MAX_LENGTH = 800;
const NOT_FOUND_PATTERNS = [
  /^(?:error\s*|http\s*|status\s*|fehler\s*)*404\b/i,
  /\b(?:404|error|page|url|address|document|content|resource)\b.{0,40}\b(?:not|cannot be|can't be|can’t be|couldn't be|couldn’t be) found\b/i,
  /^(?:page |file |error:? )?not found\b/i,
  /\bpage\b.{0,40}\b(?:does not|doesn't|doesn’t|no longer) exist/i,
  /\bcan(?:'|’)?t find (?:that|the|this|your) page\b/i,
  /\bseite\b.{0,40}\b(?:nicht gefunden|existiert nicht)/i,
  /\bpage\b.{0,20}\b(?:introuvable|non trouvée|n(?:'|’)existe pas)/i,
  /\bpágina\b.{0,20}\bno (?:encontrada|existe)|página não (?:encontrada|existe)/i,
  /\bpagina\b.{0,20}\b(?:non trovata|niet gevonden|no trobada)/i,
  /strona nie (?:została znaleziona|istnieje)|nie znaleziono strony/i,
  /sidan (?:hittades inte|kunde inte hittas)|siden (?:ble ikke funnet|blev ikke fundet)|sivua ei löyt/i,
  /страница не найдена|сторінку не знайдено/i,
  /(?:ページ|頁).{0,12}(?:見つかりません|存在しません)|页面不存在|找不到.{0,6}(?:页面|网页|頁面|網頁)|페이지를 찾을 수 없/,
];

/** Returns whether a page is an error page with the status 200: short, with a title or heading such as "Page not found". */
export function isSoft404(title: string | undefined, root: Element): boolean {
  if (getNormalizedText(root).length > MAX_LENGTH) return false;
  const heading = root.ownerDocument.querySelector('h1, h2');
  return [title ?? '', getNormalizedText(heading)].some((words) =>
    NOT_FOUND_PATTERNS.some((pattern) => pattern.test(words)),
  );
}
