import type { Evaluation } from '@quarry/client';
import { useState, type ReactNode } from 'react';
import { Button } from '../../components/button.js';
import { ConfirmDialog } from '../../components/confirm-dialog.js';
import { TrashIcon } from '../../components/icons.js';
import { useToasts } from '../../components/toasts.js';
import { useMessages } from '../../language/language-context.js';
import { useOpenScreen } from '../../routing/screen-link.js';
import { evaluationsMessages } from './messages.js';
import { isInProgress, useCancelEvaluation, useDeleteEvaluation } from './use-evaluations.js';

interface EvaluationActionsProps {
  readonly evaluation: Evaluation;
}

/** Shows the button that cancels an evaluation while it is in progress, and the button that deletes it. */
export function EvaluationActions({ evaluation }: EvaluationActionsProps): ReactNode {
  return (
    <>
      <CancelEvaluationAction evaluation={evaluation} />
      <DeleteEvaluationAction evaluation={evaluation} />
    </>
  );
}

/**
 * Shows the button that cancels an evaluation in progress. The component stays mounted after the evaluation has ended,
 * because only a mounted component can report a successful cancellation.
 */
function CancelEvaluationAction({ evaluation }: EvaluationActionsProps): ReactNode {
  const messages = useMessages(evaluationsMessages);
  const { showToast } = useToasts();
  const [isOpen, setIsOpen] = useState(false);
  const { mutate, isPending, error, reset } = useCancelEvaluation();
  const close = (): void => {
    reset();
    setIsOpen(false);
  };
  const cancel = (): void => {
    mutate(evaluation.id, {
      onSuccess: () => {
        showToast({ text: (language) => evaluationsMessages[language].cancelledNotice });
        close();
      },
    });
  };
  return (
    <>
      {isInProgress(evaluation) && <Button onClick={() => setIsOpen(true)}>{messages.cancel}</Button>}
      <ConfirmDialog
        action={messages.cancelTitle}
        dismissal={messages.keepRunning}
        error={error}
        isBusy={isPending}
        isOpen={isOpen && isInProgress(evaluation)}
        onClose={close}
        onConfirm={cancel}
        title={messages.cancelTitle}
      >
        {messages.cancelText(evaluation.name)}
      </ConfirmDialog>
    </>
  );
}

function DeleteEvaluationAction({ evaluation }: EvaluationActionsProps): ReactNode {
  const messages = useMessages(evaluationsMessages);
  const { showToast } = useToasts();
  const openScreen = useOpenScreen();
  const [isOpen, setIsOpen] = useState(false);
  const { mutate, isPending, error } = useDeleteEvaluation();
  const remove = (): void => {
    mutate(evaluation.id, {
      onSuccess: () => {
        showToast({ text: (language) => evaluationsMessages[language].removed(evaluation.name) });
        openScreen({ to: 'evaluations', isReplacing: true });
      },
    });
  };
  return (
    <>
      <Button icon={TrashIcon} onClick={() => setIsOpen(true)}>
        {messages.remove}
      </Button>
      <ConfirmDialog
        action={messages.removeTitle}
        error={error}
        isBusy={isPending}
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        onConfirm={remove}
        title={messages.removeTitle}
      >
        {messages.removeText(evaluation.name)}
      </ConfirmDialog>
    </>
  );
}
