const TIMEOUT_MS = 2_000;

/**
 * Resolves if another service responds to `GET /health/<state>` with 200.
 *
 * @throws Error with the reason if the service responds otherwise or not at all
 */
export async function pingService(url: string, state: 'live' | 'ready'): Promise<void> {
  const response = await fetch(new URL(`/health/${state}`, url), {
    signal: AbortSignal.timeout(TIMEOUT_MS),
    redirect: 'error',
  }).catch((error: unknown) => {
    // An error of `fetch` contains the reason in its cause, and not in its message.
    throw error instanceof TypeError && error.cause instanceof Error ? error.cause : error;
  });
  await response.body?.cancel();
  if (!response.ok)
    throw new Error(`expected GET /health/${state} to respond with 200, found status ${response.status}`);
}
