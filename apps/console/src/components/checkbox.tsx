import { useId, type ReactNode } from 'react';
import './field.css';
import { joinClasses } from './join-classes.js';

export interface CheckboxProps {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly isChecked: boolean;
  /** True for the mixed state: only some of the items that the checkbox represents are selected. */
  readonly isMixed?: boolean;
  readonly isDisabled?: boolean;
  /** True to hide the label visually, such as in the first column of a table. Screen readers still announce it. */
  readonly isLabelHidden?: boolean;
  /** @param hasShift true if the user held the Shift key, for example to select a range of rows */
  readonly onChange: (isChecked: boolean, hasShift: boolean) => void;
}

/** Shows a checkbox: a choice that is sent with its form. */
export function Checkbox(props: CheckboxProps): ReactNode {
  return <LabeledCheckbox {...props} className="checkbox" />;
}

export type SwitchProps = Omit<CheckboxProps, 'isMixed'>;

/** Shows a switch: a setting that takes effect at once. */
export function Switch(props: SwitchProps): ReactNode {
  return <LabeledCheckbox {...props} className="switch" role="switch" />;
}

interface LabeledCheckboxProps extends CheckboxProps {
  readonly className: string;
  readonly role?: 'switch';
}

function LabeledCheckbox(props: LabeledCheckboxProps): ReactNode {
  const { label, hint, isChecked, isMixed = false, isDisabled = false, isLabelHidden = false, ...rest } = props;
  const id = useId();
  return (
    <div className="choice">
      <input
        {...(rest.role === undefined ? {} : { role: rest.role })}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        checked={isChecked}
        className={rest.className}
        disabled={isDisabled}
        id={id}
        onChange={({ target, nativeEvent }) => {
          // Browsers also emit a click when the keyboard changes a checkbox, so the native event is a `MouseEvent` in
          // both cases.
          rest.onChange(target.checked, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey);
        }}
        ref={(input) => {
          if (input !== null) input.indeterminate = isMixed;
        }}
        type="checkbox"
      />
      <label className={joinClasses(isLabelHidden && 'visually-hidden')} htmlFor={id}>
        {label}
      </label>
      {hint !== undefined && (
        <p className="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}
