/** The maximum length of an address, as in browsers and sitemaps. Longer ones are made by traps and by mistakes. */
const MAX_LENGTH = 2_048;

/**
 * Reads the address of a web page as it is to be requested: exactly as it was found or given, except its fragment. Relative
 * addresses are resolved and encoded as the URL Standard says. Two spellings of one page have the same `addressKey`.
 *
 * @param base the address that a relative one is relative to
 * @returns undefined for what is not the address of a web page: another scheme, a user name or password, too long, no URL
 */
export function readAddress(text: string, base?: string): string | undefined {
  const url = URL.parse(text.trim(), base);
  if (url === null || !isWeb(url) || /^\.*$/.test(url.hostname)) return undefined;
  url.hash = '';
  return url.href.length > MAX_LENGTH ? undefined : url.href;
}

function isWeb(url: URL): boolean {
  return (url.protocol === 'http:' || url.protocol === 'https:') && url.username === '' && url.password === '';
}
