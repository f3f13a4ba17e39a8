import type { Datastore } from '@quarry/client';
import type { ReactNode } from 'react';
import { ConfirmDialog } from '../../components/confirm-dialog.js';
import { useToasts } from '../../components/toasts.js';
import { useLastDefined } from '../../components/use-last-defined.js';
import { useMessages } from '../../language/language-context.js';
import { datastoresMessages } from './messages.js';
import { useDeleteDatastore } from './use-datastores.js';

interface DeleteDatastoreDialogProps {
  /** Undefined: the dialog is closed. */
  readonly datastore: Datastore | undefined;
  readonly onClose: () => void;
}

/** Asks for the name of the datastore before it is deleted with its content. */
export function DeleteDatastoreDialog({ datastore, onClose }: DeleteDatastoreDialogProps): ReactNode {
  const messages = useMessages(datastoresMessages);
  const { showToast } = useToasts();
  const { mutate, isPending, error, reset } = useDeleteDatastore();
  const name = useLastDefined(datastore)?.name ?? '';
  const close = (): void => {
    reset();
    onClose();
  };
  const remove = (): void => {
    if (datastore === undefined) return;
    mutate(datastore, {
      onSuccess: () => {
        showToast({ text: messages.removed(name) });
        close();
      },
    });
  };
  return (
    <ConfirmDialog
      action={messages.removeTitle}
      error={error}
      isBusy={isPending}
      isOpen={datastore !== undefined}
      onClose={close}
      onConfirm={remove}
      title={messages.removeTitle}
      typedName={name}
    >
      {messages.removeText(name)}
    </ConfirmDialog>
  );
}
