import type { Agent } from '@quarry/client';
import type { ReactNode } from 'react';
import { ConfirmDialog } from '../../components/confirm-dialog.js';
import { useToasts } from '../../components/toasts.js';
import { useLastDefined } from '../../components/use-last-defined.js';
import { useMessages } from '../../language/language-context.js';
import { agentsMessages } from './messages.js';
import { useDeleteAgent } from './use-agents.js';

interface DeleteAgentDialogProps {
  readonly agent: Agent | undefined;
  readonly onClose: () => void;
}

/** Asks before an agent is deleted with its conversations. */
export function DeleteAgentDialog({ agent, onClose }: DeleteAgentDialogProps): ReactNode {
  const messages = useMessages(agentsMessages);
  const { showToast } = useToasts();
  const shown = useLastDefined(agent);
  const { mutate, isPending, error, reset } = useDeleteAgent();
  const close = (): void => {
    reset();
    onClose();
  };
  const remove = (): void => {
    if (agent === undefined) return;
    mutate(agent, {
      onSuccess: () => {
        showToast({ text: messages.removed(agent.name) });
        close();
      },
    });
  };
  return (
    <ConfirmDialog
      action={messages.removeTitle}
      error={error}
      isBusy={isPending}
      isOpen={agent !== undefined}
      onClose={close}
      onConfirm={remove}
      title={messages.removeTitle}
    >
      {messages.removeText(shown?.name ?? '')}
    </ConfirmDialog>
  );
}
