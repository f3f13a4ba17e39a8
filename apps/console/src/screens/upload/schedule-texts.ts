import type { Datasource } from '@quarry/client';
import { defineMessages, type Language } from '../../language/define-messages.js';

export const scheduleMessages = defineMessages({
  en: {
    default: (schedule: string) => `Default (${schedule})`,
    never: 'Only by hand',
    quarter: 'Every 15 minutes',
    hour: 'Every hour',
    day: 'Every day',
    week: 'Every week',
    custom: 'Another schedule',
    customLabel: 'Schedule',
    customHint: '“every 30m”, “every 6h”, “every 2d”, or a cron expression with five fields in UTC.',
  },
  de: {
    default: (schedule: string) => `Voreinstellung (${schedule})`,
    never: 'Nur von Hand',
    quarter: 'Alle 15 Minuten',
    hour: 'Jede Stunde',
    day: 'Jeden Tag',
    week: 'Jede Woche',
    custom: 'Anderer Zeitplan',
    customLabel: 'Zeitplan',
    customHint: '„every 30m“, „every 6h“, „every 2d“ oder ein Cron-Ausdruck mit fünf Feldern in UTC.',
  },
});

/** The schedules that forms offer as named choices. */
export const PRESETS = {
  never: 'never',
  quarter: 'every 15m',
  hour: 'every 1h',
  day: 'every 1d',
  week: 'every 7d',
} as const;
export type Preset = keyof typeof PRESETS;
export const PRESET_NAMES = Object.keys(PRESETS) as readonly Preset[]; // the table has no other keys

/** Returns the key of a schedule in `PRESETS`; undefined if `PRESETS` does not contain the schedule. */
export function findSchedulePreset(schedule: string): Preset | undefined {
  return PRESET_NAMES.find((name) => PRESETS[name] === schedule);
}

/** Returns the name of a schedule of `PRESETS` in a language. Returns any other schedule unchanged. */
export function describeSchedule(schedule: string, language: Language): string {
  const preset = findSchedulePreset(schedule);
  return preset === undefined ? schedule : scheduleMessages[language][preset];
}

/** The schedules of a datasource, keyed by their configuration fields. */
interface DefaultSchedules {
  readonly schedule: Preset;
  readonly full_sync_every: Preset;
}

/**
 * Returns the schedules that the API uses for configuration fields without a value. The rules are those of
 * `getSchedules` in apps/gateway/src/schedule/schedule.ts.
 *
 * @param schedule the value of the field `schedule`; empty for its default
 */
export function getDefaultSchedules(type: Datasource['type'], schedule: string): DefaultSchedules {
  if (type !== 'item_listing') return { schedule: 'never', full_sync_every: 'never' };
  return { schedule: 'quarter', full_sync_every: schedule.trim() === PRESETS.never ? 'never' : 'day' };
}

/** Returns the name of the choice of a default schedule in a language, such as `Default (every day)`. */
export function describeDefaultSchedule(schedule: Preset, language: Language): string {
  const messages = scheduleMessages[language];
  const name = messages[schedule];
  return messages.default(`${name.charAt(0).toLowerCase()}${name.slice(1)}`);
}
