import type { ReactNode } from 'react';
import { ConfirmDialog } from '../../components/confirm-dialog.js';
import { useToasts } from '../../components/toasts.js';
import { useMessages } from '../../language/language-context.js';
import { useOpenScreen } from '../../routing/screen-link.js';
import { conversationsMessages } from './messages.js';
import { useDeleteConversation } from './use-conversations.js';

interface DeleteConversationDialogProps {
  readonly conversationId: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Asks for confirmation before a conversation is deleted, and opens the list of conversations after the deletion. */
export function DeleteConversationDialog({
  conversationId,
  isOpen,
  onClose,
}: DeleteConversationDialogProps): ReactNode {
  const messages = useMessages(conversationsMessages);
  const { showToast } = useToasts();
  const openScreen = useOpenScreen();
  const { mutate, isPending, error } = useDeleteConversation();
  const remove = (): void =>
    mutate(conversationId, {
      onSuccess: () => {
        showToast({ text: (language) => conversationsMessages[language].removed });
        openScreen({ to: 'conversations', isReplacing: true });
      },
    });
  return (
    <ConfirmDialog
      action={messages.remove}
      error={error}
      isBusy={isPending}
      isOpen={isOpen}
      onClose={onClose}
      onConfirm={remove}
      title={messages.remove}
    >
      {messages.removeText}
    </ConfirmDialog>
  );
}
