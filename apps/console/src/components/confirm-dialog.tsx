import { useState, type ReactNode } from 'react';
import { useMessages } from '../language/language-context.js';
import { Button } from './button.js';
import { Dialog, DialogActions } from './dialog.js';
import { ErrorNotice } from './error-notice.js';
import { componentMessages } from './messages.js';
import { TextField } from './text-field.js';

export interface ConfirmDialogProps {
  readonly title: string;
  /** Text that lists what else the action removes, and states that the action cannot be undone. */
  readonly children: ReactNode;
  /** The text of the button that confirms the action, such as `Delete datastore`. */
  readonly action: string;
  /** The text of the button that closes the dialog without the action. Default: `Cancel`. */
  readonly dismissal?: string;
  /**
   * The text that the user must type before the action is enabled, such as the name of the deleted item. Absent: the
   * action is enabled at once.
   */
  readonly typedName?: string;
  readonly isOpen: boolean;
  readonly isBusy: boolean;
  readonly error?: unknown;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks for confirmation of an action that cannot be undone. */
export function ConfirmDialog({ isOpen, ...props }: ConfirmDialogProps): ReactNode {
  return (
    <Dialog isOpen={isOpen} onClose={props.onClose} title={props.title} width="narrow">
      <ConfirmForm {...props} />
    </Dialog>
  );
}

/**
 * Shows the content of the dialog. Each opening mounts this component again, so that the field for the name starts
 * empty.
 */
function ConfirmForm(props: Omit<ConfirmDialogProps, 'isOpen'>): ReactNode {
  const { children, action, dismissal, typedName, isBusy, error, onConfirm, onClose } = props;
  const messages = useMessages(componentMessages);
  const [typed, setTyped] = useState('');
  const isConfirmed = typedName === undefined || typed.trim() === typedName.trim();
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (isConfirmed && !isBusy) onConfirm();
      }}
    >
      <div className="muted">{children}</div>
      {typedName !== undefined && (
        <TextField label={messages.typeToConfirm(typedName)} onChange={setTyped} value={typed} />
      )}
      {error !== undefined && error !== null && <ErrorNotice error={error} />}
      <DialogActions>
        <Button onClick={onClose}>{dismissal ?? messages.cancel}</Button>
        <Button disabled={!isConfirmed} isBusy={isBusy} kind="danger" type="submit">
          {action}
        </Button>
      </DialogActions>
    </form>
  );
}
