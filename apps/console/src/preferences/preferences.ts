/**
 * Names of the preferences in the local storage of the browser. The script public/appearance.js also reads the theme
 * and the language, before the first paint.
 */
export type PreferenceName =
  'quarry.theme' | 'quarry.language' | 'quarry.sidebar' | 'quarry.queries' | 'quarry.first-steps';

/** Reads a preference. Returns null if it is not set, or if the browser refuses access to its storage. */
export function readPreference(name: PreferenceName): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/**
 * Stores a preference, or removes it if the value is undefined. Has no effect if the browser refuses access to its
 * storage.
 */
export function writePreference(name: PreferenceName, value: string | undefined): void {
  try {
    if (value === undefined) localStorage.removeItem(name);
    else localStorage.setItem(name, value);
  } catch {
    // Browsers refuse storage in some modes, such as private windows.
  }
}
