import type { Language } from '../../language/define-messages.js';

/** The choices for the expiry of a new key: `never`, or a number of days. */
export const EXPIRIES = ['never', '7', '30', '90', '365'] as const;
export type Expiry = (typeof EXPIRIES)[number];

const DAY_MS = 86_400_000;

/** Computes the time at which a key expires, in ISO 8601. Returns null for `never`. */
export function computeExpiryTime(expiry: Expiry, now: Date): string | null {
  return expiry === 'never' ? null : new Date(now.getTime() + Number(expiry) * DAY_MS).toISOString();
}

/** Formats a number of days, such as `30 days`. The German text is in the dative case, as after “in”. */
export function formatDays(language: Language, days: number): string {
  const text = new Intl.NumberFormat(language, { style: 'unit', unit: 'day', unitDisplay: 'long' }).format(days);
  return language === 'de' ? text.replace(/Tage$/, 'Tagen') : text;
}
