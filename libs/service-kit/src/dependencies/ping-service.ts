const TIMEOUT_MS = 2_000;

/** Resolves when another service answers `GET /health/<state>` with 200. @throws with what it answered instead */
export async function pingService(url: string, state: 'live' | 'ready'): Promise<void> {
  const response = await fetch(new URL(`/health/${state}`, url), {
    signal: AbortSignal.timeout(TIMEOUT_MS),
    redirect: 'error',
  }).catch((error: unknown) => {
    // Of fetch itself, the message says only that it failed.
    throw error instanceof TypeError && error.cause instanceof Error ? error.cause : error;
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`it is expected to be ${state}, and answers ${response.status}`);
}
