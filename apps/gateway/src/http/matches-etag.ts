/** Returns true if the header `If-None-Match` contains the tag `etag` or `*`. Source: RFC 9110, section 13.1.2. */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  const tags = header?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? [];
  return tags.includes(etag) || tags.includes('*');
}
