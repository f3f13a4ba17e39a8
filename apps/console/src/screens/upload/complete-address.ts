/** Completes an address like browsers: without a scheme, it is an address of HTTPS. */
export function completeAddress(text: string): string {
  const address = text.trim();
  return address === '' || /^[a-z][a-z0-9+.-]*:\/\//i.test(address) ? address : `https://${address}`;
}
