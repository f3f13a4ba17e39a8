/**
 * Returns an address if its scheme is http or https; otherwise undefined. Links with other schemes, such as
 * `javascript:`, could run code.
 */
export function parseWebAddress(value: string | null | undefined): string | undefined {
  if (value === null || value === undefined || !URL.canParse(value)) return undefined;
  const { protocol, href } = new URL(value);
  return protocol === 'https:' || protocol === 'http:' ? href : undefined;
}
