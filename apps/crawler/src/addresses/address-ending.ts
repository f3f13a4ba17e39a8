/** The last segment of the address's path, decoded: `report 2026.pdf`. Empty for a directory. */
export function fileNameOf(address: string): string {
  const segment = new URL(address).pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** In lower case, without its dot. */
export function endingOf(address: string): string {
  return /\.([a-z0-9]+)$/i.exec(fileNameOf(address))?.[1]?.toLowerCase() ?? '';
}
