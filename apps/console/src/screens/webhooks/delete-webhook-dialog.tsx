import type { Webhook } from '@quarry/client';
import type { ReactNode } from 'react';
import { ConfirmDialog } from '../../components/confirm-dialog.js';
import { useToasts } from '../../components/toasts.js';
import { useMessages } from '../../language/language-context.js';
import { useOpenScreen } from '../../routing/screen-link.js';
import { webhooksMessages } from './messages.js';
import { useDeleteWebhook } from './use-webhooks.js';

interface DeleteWebhookDialogProps {
  readonly webhook: Webhook;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Asks for confirmation before a webhook is deleted, and opens the list of webhooks after the deletion. */
export function DeleteWebhookDialog({ webhook, isOpen, onClose }: DeleteWebhookDialogProps): ReactNode {
  const messages = useMessages(webhooksMessages);
  const { showToast } = useToasts();
  const openScreen = useOpenScreen();
  const { mutate, isPending, error } = useDeleteWebhook();
  const remove = (): void => {
    mutate(webhook, {
      onSuccess: () => {
        showToast({ text: (language) => webhooksMessages[language].removed });
        openScreen({ to: 'webhooks', isReplacing: true });
      },
    });
  };
  return (
    <ConfirmDialog
      action={messages.removeTitle}
      error={error}
      isBusy={isPending}
      isOpen={isOpen}
      onClose={onClose}
      onConfirm={remove}
      title={messages.removeTitle}
    >
      {messages.removeText(webhook.url)}
    </ConfirmDialog>
  );
}
