/** Completes an address as browsers do: adds `https://` to an address without a scheme. */
export function completeAddress(text: string): string {
  const address = text.trim();
  return address === '' || /^[a-z][a-z0-9+.-]*:\/\//i.test(address) ? address : `https://${address}`;
}
