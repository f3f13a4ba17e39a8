import { tmpdir } from 'node:os';
import type { Browser, BrowserServer } from 'playwright-core';
import { RenderingFailed } from './renderer.js';

export interface ChromiumSettings {
  /** The program. */
  readonly executable: string;
  /** Keeps what pages do inside the browser. Root cannot have it, nor some containers. */
  readonly sandbox: boolean;
}

/**
 * Whatever a page finds to get past the interception of its requests ends here: no name resolves, the proxy has one, and nothing
 * is sent around the proxy.
 */
const CUT_OFF = [
  '--host-resolver-rules=MAP * ~NOTFOUND',
  '--proxy-server=http://proxy.invalid:1',
  '--proxy-bypass-list=<-loopback>',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-background-networking',
  '--dns-prefetch-disable',
  '--disable-quic',
];

/** A browser process of our own, which can be ended at any moment. */
export interface Chromium {
  readonly browser: Browser;
  /** Never throws. */
  end(): Promise<void>;
}

/** @throws RenderingFailed when it does not start */
export async function startChromium({ executable, sandbox }: ChromiumSettings): Promise<Chromium> {
  // Loaded by those alone who render.
  const { chromium } = await import('playwright-core');
  let started: BrowserServer | undefined;
  try {
    const server = await chromium.launchServer({
      executablePath: executable,
      chromiumSandbox: sandbox,
      args: CUT_OFF,
      // The crawler's own environment holds what no page may come by.
      env: { HOME: tmpdir() },
      host: '127.0.0.1',
    });
    started = server;
    return { browser: await chromium.connect(server.wsEndpoint()), end: () => server.kill().catch(() => undefined) };
  } catch (cause) {
    await started?.kill().catch(() => undefined);
    throw new RenderingFailed(`the browser ${executable} could not be started: ${reasonOf(cause)}`, { cause });
  }
}

/** Chromium says it in the middle of what it prints. */
const NO_SANDBOX = 'No usable sandbox';

function reasonOf(cause: unknown): string {
  const message = String(cause instanceof Error ? cause.message : cause);
  if (message.includes(NO_SANDBOX))
    return 'nothing here lets it build its sandbox, which QUARRY_CHROMIUM_SANDBOX asks for';
  return message.split('\n')[0] ?? '';
}
