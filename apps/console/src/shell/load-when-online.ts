/** Loads code. If the browser is offline, waits for the network and tries again. */
export async function loadWhenOnline<Loaded>(
  load: () => Promise<Loaded>,
  browser: Pick<Window, 'addEventListener'> & { readonly navigator: Pick<Navigator, 'onLine'> },
): Promise<Loaded> {
  try {
    return await load();
  } catch (error) {
    if (browser.navigator.onLine) throw error;
    await new Promise<void>((resolve) => {
      browser.addEventListener('online', () => resolve(), { once: true });
    });
    return loadWhenOnline(load, browser);
  }
}
