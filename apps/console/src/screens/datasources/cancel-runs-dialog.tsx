import type { Datasource } from '@quarry/client';
import { useEffect, type ReactNode } from 'react';
import { ConfirmDialog } from '../../components/confirm-dialog.js';
import { useFormats, useMessages } from '../../language/language-context.js';
import { datasourcesMessages } from './messages.js';
import { hasOpenRun, useDatasourceActions } from './use-datasource-actions.js';

export interface CancelRunsDialogProps {
  /** The datasources whose runs the dialog cancels. Empty: the dialog is closed. */
  readonly datasources: readonly Datasource[];
  readonly onClose: () => void;
}

/**
 * Asks for confirmation before runs are cancelled. The dialog closes if all of these runs end before the user confirms.
 */
export function CancelRunsDialog({ datasources, onClose }: CancelRunsDialogProps): ReactNode {
  const messages = useMessages(datasourcesMessages);
  const formats = useFormats();
  const { mutate, isPending, error } = useDatasourceActions();
  const open = datasources.filter(hasOpenRun);
  const [first] = open;
  const haveEnded = datasources.length > 0 && first === undefined;
  useEffect(() => {
    // Without this call, the dialog would open again when the next run of a datasource starts.
    if (haveEnded) onClose();
  }, [haveEnded, onClose]);
  const action = formats.plural(open.length, { one: messages.cancelRun, other: messages.cancelRuns });
  const cancel = (): void => {
    mutate({ kind: 'cancel', ids: open.map(({ id }) => id) }, { onSettled: onClose });
  };
  return (
    <ConfirmDialog
      action={action}
      dismissal={messages.keepRunning}
      error={error}
      isBusy={isPending}
      isOpen={first !== undefined}
      onClose={onClose}
      onConfirm={cancel}
      title={open.length === 1 && first !== undefined ? messages.cancelRunOf(first.name) : action}
    >
      {messages.cancelText}
    </ConfirmDialog>
  );
}
