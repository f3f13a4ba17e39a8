import { tmpdir } from 'node:os';
import type { Browser, BrowserServer } from 'playwright-core';
import { RenderingFailed } from './renderer.js';

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

/** Provides a connection to a running browser process. */
export interface Chromium {
  readonly browser: Browser;
  /** Kills the process. Never throws. */
  stop(): Promise<void>;
}

/** Starts a browser process. @throws RenderingFailed if it does not start */
export async function startChromium({ executable, sandbox }: ChromiumSettings): Promise<Chromium> {
  // Imported here, because most crawlers do not render.
  const { chromium } = await import('playwright-core');
  let started: BrowserServer | undefined;
  try {
    const server = await chromium.launchServer({
      executablePath: executable,
      chromiumSandbox: sandbox,
      args: OFFLINE_ARGS,
      // The browser does not inherit the environment of the crawler, which contains secrets.
      env: { HOME: tmpdir() },
      host: '127.0.0.1',
    });
    started = server;
    return { browser: await chromium.connect(server.wsEndpoint()), stop: () => server.kill().catch(() => undefined) };
  } catch (cause) {
    await started?.kill().catch(() => undefined);
    throw new RenderingFailed(
      `expected the browser ${executable} to start, found: ${describeChromiumStartError(cause)}`,
      {
        cause,
      },
    );
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
