/**
 * Maximum number of times that an attempt is repeated if it fails after the browser has come online. One attempt may
 * not suffice, because browsers emit `online` before requests succeed.
 */
const MAX_RETRIES = 5;
const RETRY_MS = 300;

type Browser = Pick<Window, 'addEventListener'> & { readonly navigator: Pick<Navigator, 'onLine'> };

/**
 * Calls a function that loads code. If it fails while the browser is offline, waits for the network and calls it again.
 */
export async function loadWhenOnline<Loaded>(load: () => Promise<Loaded>, browser: Browser): Promise<Loaded> {
  // An attempt that started offline may fail after the browser has come online, so retries are allowed.
  let retries = browser.navigator.onLine ? 0 : MAX_RETRIES;
  for (;;) {
    try {
      return await load();
    } catch (error) {
      if (!browser.navigator.onLine) {
        retries = MAX_RETRIES;
        await waitForNetwork(browser);
      } else {
        if (retries === 0) throw error;
        retries -= 1;
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }
}

async function waitForNetwork(browser: Browser): Promise<void> {
  await new Promise<void>((resolve) => {
    browser.addEventListener('online', () => resolve(), { once: true });
  });
}
