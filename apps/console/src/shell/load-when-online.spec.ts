import { describe, expect, it } from 'vitest';
import { loadWhenOnline } from './load-when-online.js';

/** A browser window that is offline until its event `online`. */
class OfflineWindow extends EventTarget {
  readonly navigator = { onLine: false };
}

describe('loadWhenOnline', () => {
  it('tries again when the network is back', async () => {
    const browser = new OfflineWindow();
    let tries = 0;
    const loaded = loadWhenOnline(
      async () => {
        tries += 1;
        if (tries === 1) throw new TypeError('Failed to fetch');
        return 'screen';
      },
      browser as unknown as Window,
    ); // only these parts are used
    await Promise.resolve();
    await Promise.resolve();
    browser.dispatchEvent(new Event('online'));
    expect(await loaded).toBe('screen');
  });

  it('reports a failure that has another cause', async () => {
    const browser = Object.assign(new EventTarget(), { navigator: { onLine: true } });
    const load = async (): Promise<never> => Promise.reject(new Error('broken'));
    await expect(loadWhenOnline(load, browser as unknown as Window)).rejects.toThrow('broken');
  });
});
