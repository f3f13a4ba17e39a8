/** Names of the preferences that the browser stores. public/appearance.js reads them before the first paint. */
export type PreferenceName = 'quarry.theme' | 'quarry.language' | 'quarry.sidebar' | 'quarry.queries';

/** Reads a preference. Returns null if it is not set, or if the browser refuses storage. */
export function readPreference(name: PreferenceName): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Stores a preference. Undefined removes it. Without storage, it lasts until the page is closed. */
export function writePreference(name: PreferenceName, value: string | undefined): void {
  try {
    if (value === undefined) localStorage.removeItem(name);
    else localStorage.setItem(name, value);
  } catch {
    // The browser refuses storage, such as in a private window.
  }
}
