/**
 * Returns the one-time code in the address of a sign-in link, `/signin#code=…`. Returns undefined for other addresses.
 * Also removes the code from the address, so that the code does not stay in the history of the browser.
 */
export function readSignInCode(page: Pick<Window, 'location' | 'history'>, basePath: string): string | undefined {
  const { location, history } = page;
  if (location.pathname !== `${basePath}signin`) return undefined;
  const code = new URLSearchParams(location.hash.slice(1)).get('code') ?? '';
  history.replaceState(null, '', basePath);
  return code === '' ? undefined : code;
}
