/** Formats headers as in an HTTP request, one per line. */
export function formatHeaders(headers: Readonly<Record<string, unknown>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join('\n');
}

/** Indents an HTTP body that is JSON. Returns any other body unchanged. */
export function indentJsonBody(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), undefined, 2);
  } catch {
    return body;
  }
}
