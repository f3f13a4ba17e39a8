/** Pause before each test request, in milliseconds. */
const PROBE_MS = 2_000;
/** Time after which a test request counts as failed, in milliseconds. */
const PROBE_TIMEOUT_MS = 5_000;

/** Sends a test request. Returns true if Quarry responded to it. */
export type ProbeServer = () => Promise<boolean>;

/**
 * Waits until Quarry responds to a test request. Sends one every two seconds. The first one also follows a pause: if
 * only the request of the caller fails, the caller would otherwise repeat it without a pause.
 */
export async function waitUntilReachable(probe: ProbeServer = probeServer): Promise<void> {
  do await new Promise((resolve) => setTimeout(resolve, PROBE_MS));
  while (!(await probe()));
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
 * problem documents (RFC 9457), those of proxies are pages or other JSON.
 */
export function isProxyFailure({ status, headers }: Response): boolean {
  return status >= 500 && !/problem\+json/i.test(headers.get('content-type') ?? '');
}
