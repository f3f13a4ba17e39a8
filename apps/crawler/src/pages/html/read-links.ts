import { parsePageUrl } from '../../urls/parse-page-url.js';

/** Maximum number of links that are read from a page. */
const MAX_LINKS = 5_000;
const LINKS = 'a[href], area[href], link[rel~="next" i][href], link[rel~="prev" i][href], frame[src], iframe[src]';

/** Returns the absolute URLs of a page's links in order, without duplicates and `nofollow` links. */
export function readLinks(document: Document, base: string): readonly string[] {
  const links = new Set<string>();
  for (const element of document.querySelectorAll(LINKS)) {
    if (links.size >= MAX_LINKS) break;
    if (isNofollow(element)) continue;
    const url = parsePageUrl(element.getAttribute('href') ?? element.getAttribute('src') ?? '', base);
    if (url !== undefined) links.add(url);
  }
  return [...links];
}

function isNofollow(element: Element): boolean {
  return /(?:^|\s)nofollow(?:\s|$)/i.test(element.getAttribute('rel') ?? '');
}
