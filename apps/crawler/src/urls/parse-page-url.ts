/** Maximum length of a URL, as in browsers and sitemaps. Longer URLs come from crawler traps and errors. */
const MAX_LENGTH = 2_048;

/**
 * Parses the URL of a web page. Returns the URL to request: exactly as it was found, without its fragment. Relative URLs are
 * resolved and encoded according to the URL Standard. `normalizeUrl` detects spellings of the same page.
 *
 * @param base the base of a relative URL
 * @returns undefined for another scheme, a URL with credentials, a URL that is too long, and text that is no URL
 */
export function parsePageUrl(text: string, base?: string): string | undefined {
  const url = URL.parse(text.trim(), base);
  if (url === null || !isWebUrl(url) || /^\.*$/.test(url.hostname)) return undefined;
  url.hash = '';
  return url.href.length > MAX_LENGTH ? undefined : url.href;
}

function isWebUrl(url: URL): boolean {
  return (url.protocol === 'http:' || url.protocol === 'https:') && url.username === '' && url.password === '';
}
