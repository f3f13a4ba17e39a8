const PROBE_MS = 2_000;

/** Sends a test request. Returns true if Quarry responded to it. */
export type ProbeServer = () => Promise<boolean>;

/** Waits until Quarry responds to a test request. Sends the first one at once, and then one every two seconds. */
export async function waitUntilReachable(probe: ProbeServer = probeServer): Promise<void> {
  while (!(await probe())) await new Promise((resolve) => setTimeout(resolve, PROBE_MS));
}

/**
 * Requests the page of the console without its content. A status of 500 or more is no response of Quarry, because a
 * proxy sends it while Quarry restarts.
 */
export async function probeServer(): Promise<boolean> {
  // eslint-disable-next-line no-restricted-globals -- the page is a file, not an operation of the API
  return fetch(document.baseURI, { method: 'HEAD', cache: 'no-store', redirect: 'manual' }).then(
    ({ status }) => status < 500,
    () => false,
  );
}
