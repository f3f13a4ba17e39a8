import type { ModelConnection } from '@quarry/client';
import type { ReactNode } from 'react';
import { ConfirmDialog } from '../../components/confirm-dialog.js';
import { useToasts } from '../../components/toasts.js';
import { useLastDefined } from '../../components/use-last-defined.js';
import { useMessages } from '../../language/language-context.js';
import { modelsMessages } from './messages.js';
import { getProviderName } from './provider-name.js';
import { useDisconnectModel } from './use-models.js';

interface DisconnectDialogProps {
  /** The connection to delete. Undefined: the dialog is closed. */
  readonly connection: ModelConnection | undefined;
  readonly onClose: () => void;
}

/** Asks for confirmation before a connection is deleted with its key. */
export function DisconnectDialog({ connection, onClose }: DisconnectDialogProps): ReactNode {
  const messages = useMessages(modelsMessages);
  const { showToast } = useToasts();
  const { mutate, isPending, error, reset } = useDisconnectModel();
  const shown = useLastDefined(connection);
  const name = shown === undefined ? '' : getProviderName(shown.provider, messages);
  const close = (): void => {
    reset();
    onClose();
  };
  const disconnect = (): void => {
    if (connection === undefined) return;
    mutate(connection, {
      onSuccess: () => {
        showToast({ text: (language) => modelsMessages[language].disconnected(name) });
        close();
      },
    });
  };
  return (
    <ConfirmDialog
      action={messages.disconnect}
      error={error}
      isBusy={isPending}
      isOpen={connection !== undefined}
      onClose={close}
      onConfirm={disconnect}
      title={messages.disconnectTitle(name)}
    >
      {messages.disconnectText(name)}
    </ConfirmDialog>
  );
}
