import { useState, type ReactNode } from 'react';
import { Select } from '../../components/select.js';
import type { FieldProblem } from '../../components/find-field-error.js';
import { TextField } from '../../components/text-field.js';
import { useMessages } from '../../language/language-context.js';
import { findSchedulePreset, PRESET_NAMES, PRESETS, scheduleMessages } from './schedule-texts.js';

export interface ScheduleFieldProps {
  readonly label: string;
  readonly hint?: string;
  /** The schedule in the format of the API, such as `every 1h`. Empty: the default schedule. */
  readonly value: string;
  readonly error?: FieldProblem | undefined;
  readonly onChange: (schedule: string) => void;
}

/** Shows the field for the schedule of a datasource: a common interval, or any schedule that the API accepts. */
export function ScheduleField({ label, hint, value, error, onChange }: ScheduleFieldProps): ReactNode {
  const messages = useMessages(scheduleMessages);
  const preset = findSchedulePreset(value);
  const isOtherSchedule = preset === undefined && value !== '';
  const [isTyped, setIsTyped] = useState(isOtherSchedule);
  const isCustom = isTyped || isOtherSchedule;
  const chosen = isCustom ? 'custom' : (preset ?? 'default');
  const names = ['default', ...PRESET_NAMES, 'custom'] as const;
  return (
    <>
      <Select
        {...(hint === undefined ? {} : { hint })}
        error={isCustom ? undefined : error}
        label={label}
        onChange={(name) => {
          setIsTyped(name === 'custom');
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
          onChange={(text) => {
            setIsTyped(true);
            onChange(text);
          }}
          value={value}
        />
      )}
    </>
  );
}
