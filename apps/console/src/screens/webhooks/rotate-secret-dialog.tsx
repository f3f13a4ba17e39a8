import { useState, type ReactNode } from 'react';
import { Button } from '../../components/button.js';
import { Checkbox } from '../../components/checkbox.js';
import { Dialog, DialogActions } from '../../components/dialog.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { componentMessages } from '../../components/messages.js';
import { useMessages } from '../../language/language-context.js';
import { webhooksMessages } from './messages.js';
import { SecretDialog } from './secret-dialog.js';
import { useRotateSecret, type ShownSecret } from './use-webhooks.js';

interface RotateSecretDialogProps {
  readonly webhookId: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Shows a dialog that replaces the secret of a webhook, and then shows the new secret. */
export function RotateSecretDialog({ webhookId, isOpen, onClose }: RotateSecretDialogProps): ReactNode {
  const messages = useMessages(webhooksMessages);
  const [secret, setSecret] = useState<ShownSecret>();
  if (secret !== undefined) {
    return <SecretDialog isOpen={isOpen} onClose={onClose} onClosed={() => setSecret(undefined)} shown={secret} />;
  }
  return (
    <Dialog description={messages.rotateText} isOpen={isOpen} onClose={onClose} title={messages.rotate}>
      <RotateForm onClose={onClose} onRotated={setSecret} webhookId={webhookId} />
    </Dialog>
  );
}

interface RotateFormProps {
  readonly webhookId: string;
  readonly onRotated: (secret: ShownSecret) => void;
  readonly onClose: () => void;
}

function RotateForm({ webhookId, onRotated, onClose }: RotateFormProps): ReactNode {
  const messages = useMessages(webhooksMessages);
  const { cancel } = useMessages(componentMessages);
  const [revokesPrevious, setRevokesPrevious] = useState(false);
  const { mutate, isPending, error } = useRotateSecret(webhookId);
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isPending) mutate({ revokesPrevious }, { onSuccess: onRotated });
      }}
    >
      <Checkbox
        hint={messages.rotateRevokeHint}
        isChecked={revokesPrevious}
        label={messages.rotateRevoke}
        onChange={setRevokesPrevious}
      />
      {error !== null && <ErrorNotice error={error} />}
      <DialogActions>
        <Button onClick={onClose}>{cancel}</Button>
        <Button isBusy={isPending} kind={revokesPrevious ? 'danger' : 'primary'} type="submit">
          {messages.rotate}
        </Button>
      </DialogActions>
    </form>
  );
}
