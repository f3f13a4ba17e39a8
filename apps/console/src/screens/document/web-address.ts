/** Returns an address if a link may open it: only http and https. Other schemes, such as `javascript:`, could run code. */
export function getWebAddress(value: string | null | undefined): string | undefined {
  if (value === null || value === undefined || !URL.canParse(value)) return undefined;
  const { protocol, href } = new URL(value);
  return protocol === 'https:' || protocol === 'http:' ? href : undefined;
}
