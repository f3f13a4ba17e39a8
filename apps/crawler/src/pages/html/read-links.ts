import { readAddress } from '../../addresses/read-address.js';

/** A page with more links than this is a machine's. */
const MAX_LINKS = 5_000;
const LINKS = 'a[href], area[href], link[rel~="next" i][href], link[rel~="prev" i][href], frame[src], iframe[src]';

/** Returns the addresses that a page links to, as it writes them, once each, in their order; none that it asks not to be followed. */
export function readLinks(document: Document, base: string): readonly string[] {
  const links = new Set<string>();
  for (const element of document.querySelectorAll(LINKS)) {
    if (links.size >= MAX_LINKS) break;
    if (isNofollow(element)) continue;
    const address = readAddress(element.getAttribute('href') ?? element.getAttribute('src') ?? '', base);
    if (address !== undefined) links.add(address);
  }
  return [...links];
}

function isNofollow(element: Element): boolean {
  return /(?:^|\s)nofollow(?:\s|$)/i.test(element.getAttribute('rel') ?? '');
}
