import { useState, type ReactNode } from 'react';
import { Select } from '../../components/select.js';
import type { FieldProblem } from '../../components/find-field-error.js';
import { TextField } from '../../components/text-field.js';
import { useLanguage, useMessages } from '../../language/language-context.js';
import {
  describeDefaultSchedule,
  findSchedulePreset,
  PRESET_NAMES,
  PRESETS,
  scheduleMessages,
  type Preset,
} from './schedule-texts.js';

export interface ScheduleFieldProps {
  readonly label: string;
  readonly hint?: string;
  /** The schedule in the format of the API, such as `every 1h`. Empty: the default schedule. */
  readonly value: string;
  /** The schedule that an empty value stands for. */
  readonly defaultSchedule: Preset;
  readonly error?: FieldProblem | undefined;
  readonly onChange: (schedule: string) => void;
}

/** Shows the field for the schedule of a datasource: a common interval, or any schedule that the API accepts. */
export function ScheduleField({ label, hint, value, defaultSchedule, error, onChange }: ScheduleFieldProps): ReactNode {
  const messages = useMessages(scheduleMessages);
  const { language } = useLanguage();
  const preset = findSchedulePreset(value);
  const isOtherSchedule = preset === undefined && value !== '';
  const [isTyped, setIsTyped] = useState(isOtherSchedule);
  const isCustom = isTyped || isOtherSchedule;
  const chosen = isCustom ? 'custom' : (preset ?? 'default');
  const names = [...PRESET_NAMES, 'custom'] as const;
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
        options={[
          { value: 'default', label: describeDefaultSchedule(defaultSchedule, language) },
          ...names.map((name) => ({ value: name, label: messages[name] })),
        ]}
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
