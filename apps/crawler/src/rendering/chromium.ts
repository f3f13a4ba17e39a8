import { tmpdir } from 'node:os';
import { chromium, type Browser } from 'playwright-core';

export interface ChromiumSettings {
  /** The path of the Chromium executable. */
  readonly executable: string;
  /** Enables the sandbox of Chromium, which does not work for root and in some containers. */
  readonly sandbox: boolean;
}

/**
 * Lists the arguments that disable the network of the browser, in case a page bypasses the interception of its
 * requests. Host names are not resolved, and all traffic goes to a proxy that does not exist.
 */
const OFFLINE_ARGS = [
  '--host-resolver-rules=MAP * ~NOTFOUND',
  '--proxy-server=http://proxy.invalid:1',
  '--proxy-bypass-list=<-loopback>',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-background-networking',
  '--dns-prefetch-disable',
  '--disable-quic',
];

/** Starts a browser. It is killed when this process exits. @throws Error with the reason if it does not start */
export async function launchChromium({ executable, sandbox }: ChromiumSettings): Promise<Browser> {
  try {
    return await chromium.launch({
      executablePath: executable,
      chromiumSandbox: sandbox,
      args: OFFLINE_ARGS,
      // The browser does not inherit an environment, which can contain secrets.
      env: { HOME: tmpdir() },
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
    });
  } catch (cause) {
    const found = describeChromiumStartError(cause);
    throw new Error(`expected the browser ${executable} to start, found: ${found}`, { cause });
  }
}

/** A part of the message that Chromium prints if it cannot create a sandbox. */
const NO_SANDBOX_MESSAGE = 'No usable sandbox';

function describeChromiumStartError(cause: unknown): string {
  const message = String(cause instanceof Error ? cause.message : cause);
  if (message.includes(NO_SANDBOX_MESSAGE))
    return 'the system permits no sandbox; set QUARRY_CHROMIUM_SANDBOX to false, or allow user namespaces';
  return message.split('\n')[0] ?? '';
}
