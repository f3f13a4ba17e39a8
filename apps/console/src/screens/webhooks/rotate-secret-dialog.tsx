import { useState, type ReactNode } from 'react';
import { Button } from '../../components/button.js';
import { Checkbox } from '../../components/checkbox.js';
import { Dialog, DialogActions } from '../../components/dialog.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { componentMessages } from '../../components/messages.js';
import { useMessages } from '../../language/language-context.js';
import { webhooksMessages } from './messages.js';
import { SecretDialog } from './secret-dialog.js';
import { useRotateSecret } from './use-webhooks.js';

interface RotateSecretDialogProps {
  readonly webhookId: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Shows a dialog that replaces the secret of a webhook, and then shows the new secret. */
export function RotateSecretDialog({ webhookId, isOpen, onClose }: RotateSecretDialogProps): ReactNode {
  const messages = useMessages(webhooksMessages);
  const rotation = useRotateSecret(webhookId);
  if (rotation.data !== undefined) {
    return <SecretDialog isOpen={isOpen} onClose={onClose} onClosed={rotation.reset} shown={rotation.data} />;
  }
  return (
    <Dialog
      description={messages.rotateText}
      isOpen={isOpen}
      // The response contains the secret, which is shown only once.
      isPersistent={rotation.isPending}
      onClose={onClose}
      onClosed={rotation.reset}
      title={messages.rotate}
    >
      <RotateForm onClose={onClose} rotation={rotation} />
    </Dialog>
  );
}

interface RotateFormProps {
  readonly rotation: ReturnType<typeof useRotateSecret>;
  readonly onClose: () => void;
}

function RotateForm({ rotation, onClose }: RotateFormProps): ReactNode {
  const messages = useMessages(webhooksMessages);
  const { cancel } = useMessages(componentMessages);
  const [revokesPrevious, setRevokesPrevious] = useState(false);
  const { mutate, isPending, error } = rotation;
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isPending) mutate({ revokesPrevious });
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
        <Button disabled={isPending} onClick={onClose}>
          {cancel}
        </Button>
        <Button isBusy={isPending} kind={revokesPrevious ? 'danger' : 'primary'} type="submit">
          {messages.rotate}
        </Button>
      </DialogActions>
    </form>
  );
}
