const PROBE_MS = 2_000;
/** Time after which a test request counts as failed, in milliseconds. */
const PROBE_TIMEOUT_MS = 5_000;

/** Sends a test request. Returns true if Quarry responded to it. */
export type ProbeServer = () => Promise<boolean>;

/** Waits until Quarry responds to a test request. Sends the first one at once, and then one every two seconds. */
export async function waitUntilReachable(probe: ProbeServer = probeServer): Promise<void> {
  while (!(await probe())) await new Promise((resolve) => setTimeout(resolve, PROBE_MS));
}

/** Requests the session without its content. Each response of Quarry counts, also without a session. */
export async function probeServer(): Promise<boolean> {
  const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS);
  const options: RequestInit = { method: 'HEAD', cache: 'no-store', redirect: 'manual', signal };
  // eslint-disable-next-line no-restricted-globals -- modules that load screens have no API client
  return fetch(new URL('api/session', document.baseURI), options).then(
    (response) => !isProxyFailure(response),
    () => false,
  );
}

/**
 * Returns true if a proxy responded instead of Quarry, such as while Quarry restarts. The error responses of Quarry are
 * JSON, those of proxies are pages.
 */
export function isProxyFailure({ status, headers }: Response): boolean {
  return status >= 500 && !/json/i.test(headers.get('content-type') ?? '');
}
