import type { ApiKey } from '@quarry/client';
import type { ReactNode } from 'react';
import { ConfirmDialog } from '../../components/confirm-dialog.js';
import { useToasts } from '../../components/toasts.js';
import { useLastDefined } from '../../components/use-last-defined.js';
import { useMessages } from '../../language/language-context.js';
import { useSession } from '../../session/use-session.js';
import { keysMessages } from './messages.js';
import { useRevokeKey } from './use-keys.js';

interface RevokeKeyDialogProps {
  /** The key to revoke. Undefined: the dialog is closed. */
  readonly apiKey: ApiKey | undefined;
  readonly onClose: () => void;
}

/** Asks for confirmation before a key is revoked. */
export function RevokeKeyDialog({ apiKey, onClose }: RevokeKeyDialogProps): ReactNode {
  const messages = useMessages(keysMessages);
  const { showToast } = useToasts();
  const session = useSession();
  const { mutate, isPending, error, reset } = useRevokeKey();
  const shown = useLastDefined(apiKey);
  const name = shown?.name ?? '';
  const close = (): void => {
    reset();
    onClose();
  };
  const revoke = (): void => {
    if (apiKey === undefined) return;
    mutate(apiKey, {
      onSuccess: () => {
        showToast({ text: (language) => keysMessages[language].revokedNotice(name) });
        close();
      },
    });
  };
  return (
    <ConfirmDialog
      action={messages.revoke}
      error={error}
      isBusy={isPending}
      isOpen={apiKey !== undefined}
      onClose={close}
      onConfirm={revoke}
      title={messages.revokeTitle}
    >
      <p>{messages.revokeText(name)}</p>
      {session.key.id === shown?.id && <p>{messages.revokeSelf}</p>}
    </ConfirmDialog>
  );
}
