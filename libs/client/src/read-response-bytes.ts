/**
 * Yields the chunks of a response body. Leaving the loop early ends the request. This function exists because not all
 * browsers can iterate `body` itself.
 */
export async function* readResponseBytes({ body }: Response): AsyncGenerator<Uint8Array> {
  if (body === null) return;
  const reader = body.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
