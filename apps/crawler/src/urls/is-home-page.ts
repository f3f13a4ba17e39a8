/** Returns whether a URL is the address of the home page of a site. */
export function isHomePage(url: string): boolean {
  const parsed = URL.parse(url);
  return parsed?.pathname === '/' && parsed.search === '';
}
