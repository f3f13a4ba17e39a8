import { useState, type ReactNode } from 'react';
import { Select } from '../../components/select.js';
import type { FieldProblem } from '../../components/find-field-error.js';
import { TextField } from '../../components/text-field.js';
import { defineMessages } from '../../language/define-messages.js';
import { useMessages } from '../../language/language-context.js';

const scheduleMessages = defineMessages({
  en: {
    default: 'Default',
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
    default: 'Voreinstellung',
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

const PRESETS = { never: 'never', quarter: 'every 15m', hour: 'every 1h', day: 'every 1d', week: 'every 7d' } as const;
type Preset = keyof typeof PRESETS;
const PRESET_NAMES = Object.keys(PRESETS) as readonly Preset[]; // the table has no other keys

export interface ScheduleFieldProps {
  readonly label: string;
  readonly hint?: string;
  /** The schedule in the format of the API. Empty: the default. */
  readonly value: string;
  readonly error?: FieldProblem | undefined;
  readonly onChange: (schedule: string) => void;
}

/** Shows the field for the schedule of a datasource: a common interval, or any schedule that the API accepts. */
export function ScheduleField({ label, hint, value, error, onChange }: ScheduleFieldProps): ReactNode {
  const messages = useMessages(scheduleMessages);
  const preset = PRESET_NAMES.find((name) => PRESETS[name] === value);
  const [isCustom, setIsCustom] = useState(preset === undefined && value !== '');
  const chosen = isCustom ? 'custom' : (preset ?? 'default');
  const names = ['default', ...PRESET_NAMES, 'custom'] as const;
  return (
    <>
      <Select
        {...(hint === undefined ? {} : { hint })}
        error={isCustom ? undefined : error}
        label={label}
        onChange={(name) => {
          setIsCustom(name === 'custom');
          if (name !== 'custom') onChange(name === 'default' ? '' : PRESETS[name]);
        }}
        options={names.map((name) => ({ value: name, label: messages[name] }))}
        value={chosen}
      />
      {isCustom && (
        <TextField
          error={error}
          hint={messages.customHint}
          isCode
          label={messages.customLabel}
          maxLength={100}
          onChange={onChange}
          value={value}
        />
      )}
    </>
  );
}
