import type { Webhook } from '@quarry/client';
import type { ReactNode } from 'react';
import { Dialog } from '../../components/dialog.js';
import { useToasts } from '../../components/toasts.js';
import { useMessages } from '../../language/language-context.js';
import { webhooksMessages } from './messages.js';
import { SecretDialog } from './secret-dialog.js';
import { useSaveWebhook, type ShownSecret } from './use-webhooks.js';
import { WebhookForm } from './webhook-form.js';

interface WebhookDialogProps {
  /** The webhook to edit. Undefined: the dialog creates a webhook and shows its secret. */
  readonly webhook?: Webhook;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Shows a dialog that creates or edits a webhook. */
export function WebhookDialog({ webhook, isOpen, onClose }: WebhookDialogProps): ReactNode {
  const messages = useMessages(webhooksMessages);
  const { showToast } = useToasts();
  const save = useSaveWebhook(webhook);
  const finish = (shown: ShownSecret | undefined): void => {
    if (shown !== undefined) return;
    showToast({ text: (language) => webhooksMessages[language].saved });
    onClose();
  };
  if (save.data !== undefined) {
    return <SecretDialog isOpen={isOpen} onClose={onClose} onClosed={save.reset} shown={save.data} />;
  }
  return (
    <Dialog
      isOpen={isOpen}
      // The response contains the secret, which is shown only once.
      isPersistent={save.isPending}
      onClose={onClose}
      onClosed={save.reset}
      title={webhook === undefined ? messages.create : messages.editTitle}
    >
      <WebhookForm onClose={onClose} onSaved={finish} save={save} webhook={webhook} />
    </Dialog>
  );
}
