const LEADS_SOMEWHERE = /^(?:https?|mailto|tel):/i;

/** Makes the addresses of links and pictures whole. A link within the page, or by script, becomes its words. */
export function absoluteAddresses(root: Element, base: string): void {
  for (const link of root.querySelectorAll('a')) {
    const href = link.getAttribute('href')?.trim() ?? '';
    const address = href.startsWith('#') ? undefined : URL.parse(href, base)?.href;
    if (address !== undefined && href !== '' && LEADS_SOMEWHERE.test(address)) link.setAttribute('href', address);
    else link.replaceWith(...link.childNodes);
  }
  for (const image of root.querySelectorAll('img')) {
    const source = image.getAttribute('src') ?? image.getAttribute('data-src') ?? '';
    image.setAttribute('src', source === '' ? '' : (URL.parse(source, base)?.href ?? ''));
  }
}
