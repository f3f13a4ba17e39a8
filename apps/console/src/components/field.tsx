import { useId, useState, type ReactNode } from 'react';
import { useMessages } from '../language/language-context.js';
import './field.css';
import { FieldError } from './field-error.js';
import type { FieldProblem } from './find-field-error.js';
import { joinClasses } from './join-classes.js';
import { componentMessages } from './messages.js';

/** The texts that a form field shows around its control, and options for these texts. */
export interface FieldTexts {
  readonly label: string;
  /** Text below the control that explains the expected value. */
  readonly hint?: ReactNode;
  /** The reason why the value was refused: a text of the console, or the reason of the API. */
  readonly error?: string | FieldProblem | undefined;
  readonly isOptional?: boolean;
  /**
   * True to hide the label visually. Use it if the surroundings already name the control, such as for a search field.
   */
  readonly isLabelHidden?: boolean;
}

/** The HTML attributes that connect a form control with its label, hint and error. */
export interface ControlAttributes {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': true | undefined;
}

export interface FieldProps extends FieldTexts {
  readonly children: (control: ControlAttributes) => ReactNode;
}

/** Shows a form control with its label, hint and error. */
export function Field({
  label,
  hint,
  error: given,
  isOptional = false,
  isLabelHidden = false,
  children,
}: FieldProps): ReactNode {
  const messages = useMessages(componentMessages);
  const id = useId();
  const source = typeof given === 'object' ? given.source : undefined;
  const [editedSource, setEditedSource] = useState<unknown>();
  // A reason of the API applies only to the value that was sent, so the field hides the reason after an edit.
  const error = source !== undefined && source === editedSource ? undefined : given;
  const describedBy = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`].filter(Boolean);
  return (
    <div className="field" onInput={() => setEditedSource(source)}>
      <label className={joinClasses('field-label', isLabelHidden && 'visually-hidden')} htmlFor={id}>
        {label}
        {isOptional && <span className="field-optional"> {messages.optional}</span>}
      </label>
      {children({
        id,
        'aria-describedby': describedBy.length === 0 ? undefined : describedBy.join(' '),
        'aria-invalid': error === undefined ? undefined : true,
      })}
      {hint !== undefined && (
        <p className="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error !== undefined && <FieldError error={error} id={`${id}-error`} />}
    </div>
  );
}
