import { useSyncExternalStore } from 'react';
import { readPreference, writePreference } from '../preferences/preferences.js';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** Returns the theme that the user has chosen, `system` by default, and a function that changes it. */
export function useTheme(): readonly [Theme, (theme: Theme) => void] {
  return [useSyncExternalStore(subscribeToTheme, readTheme), setTheme];
}

const DARK = '(prefers-color-scheme: dark)';

/** Returns the current color scheme: that of the theme, or that of the operating system for the theme `system`. */
export function useColorScheme(): 'light' | 'dark' {
  const isDark = useSyncExternalStore(subscribeToColorScheme, () => matchMedia(DARK).matches);
  const [theme] = useTheme();
  if (theme !== 'system') return theme;
  return isDark ? 'dark' : 'light';
}

function subscribeToColorScheme(listener: () => void): () => void {
  const query = matchMedia(DARK);
  query.addEventListener('change', listener);
  return () => {
    query.removeEventListener('change', listener);
  };
}

/**
 * Name of the window event that reports that the user changed the theme in this browser tab. The event `storage`
 * reports changes in other tabs.
 */
const CHANGED = 'quarry-theme';

function subscribeToTheme(listener: () => void): () => void {
  const handleStorage = ({ key }: StorageEvent): void => {
    if (key !== 'quarry.theme') return;
    applyThemeToDocument(parseTheme(readPreference('quarry.theme')));
    listener();
  };
  addEventListener(CHANGED, listener);
  addEventListener('storage', handleStorage);
  return () => {
    removeEventListener(CHANGED, listener);
    removeEventListener('storage', handleStorage);
  };
}

function readTheme(): Theme {
  return parseTheme(document.documentElement.dataset['theme']);
}

function parseTheme(name: string | null | undefined): Theme {
  return THEMES.find((theme) => theme === name) ?? 'system';
}

function setTheme(theme: Theme): void {
  writePreference('quarry.theme', theme === 'system' ? undefined : theme);
  applyThemeToDocument(theme);
  dispatchEvent(new Event(CHANGED));
}

function applyThemeToDocument(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}
