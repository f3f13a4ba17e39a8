import type { Evaluation } from '@quarry/client';
import { useState, type ReactNode } from 'react';
import { Button } from '../../components/button.js';
import { ConfirmDialog } from '../../components/confirm-dialog.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { TrashIcon } from '../../components/icons.js';
import { Skeleton } from '../../components/skeleton.js';
import { Tabs } from '../../components/tabs.js';
import { useToasts } from '../../components/toasts.js';
import { useMessages } from '../../language/language-context.js';
import { useServerTexts } from '../../language/server-texts.js';
import { PageHeader } from '../../page/page-header.js';
import { useOpenScreen, useScreenParameters, useSearchValue } from '../../routing/screen-link.js';
import { Comparison } from './comparison.js';
import { EvaluationProgress, EvaluationStatus } from './evaluation-status.js';
import { MeasureList } from './measure-list.js';
import { evaluationsMessages } from './messages.js';
import { Questions } from './questions.js';
import { isInProgress, useCancelEvaluation, useDeleteEvaluation, useEvaluation } from './use-evaluations.js';

/** Shows an evaluation: its progress, measures, questions, and its comparison with another one. */
export function EvaluationScreen(): ReactNode {
  const messages = useMessages(evaluationsMessages);
  const { evaluationId } = useScreenParameters('evaluation');
  const { data, error, refetch } = useEvaluation(evaluationId);
  return (
    <>
      <PageHeader
        actions={data && <Actions evaluation={data} />}
        status={data && <EvaluationStatus status={data.status} />}
        title={data?.name ?? messages.title}
        trail={[{ title: messages.title, target: { to: 'evaluations' } }]}
      />
      <div className="page">
        {error !== null && data === undefined && (
          <ErrorNotice error={error} onRetry={() => void refetch()} title={messages.loadOneFailed} />
        )}
        {data === undefined && error === null && <Skeleton lines={8} />}
        {data !== undefined && <EvaluationContent evaluation={data} />}
      </div>
    </>
  );
}

function EvaluationContent({ evaluation }: { readonly evaluation: Evaluation }): ReactNode {
  const messages = useMessages(evaluationsMessages);
  const { describeQueryError } = useServerTexts();
  const [tab, setTab] = useSearchValue('tab');
  return (
    <>
      <EvaluationProgress evaluation={evaluation} />
      {evaluation.error !== null && <p role="alert">{describeQueryError(evaluation.error)}</p>}
      {evaluation.metrics === null ? (
        <p className="muted">{messages.noMeasures}</p>
      ) : (
        <MeasureList metrics={evaluation.metrics} />
      )}
      <Tabs
        label={messages.title}
        onChange={(next) => setTab(next === 'questions' ? undefined : next)}
        tabs={[
          { name: 'questions', title: messages.questions, content: <Questions evaluation={evaluation} /> },
          { name: 'compare', title: messages.compare, content: <Comparison evaluation={evaluation} /> },
        ]}
        value={tab === 'compare' ? 'compare' : 'questions'}
      />
    </>
  );
}

function Actions({ evaluation }: { readonly evaluation: Evaluation }): ReactNode {
  const messages = useMessages(evaluationsMessages);
  const { showToast } = useToasts();
  const { describeProblem } = useServerTexts();
  const openScreen = useOpenScreen();
  const [isDeleting, setIsDeleting] = useState(false);
  const cancellation = useCancelEvaluation();
  const removal = useDeleteEvaluation();
  const cancel = (): void => {
    cancellation.mutate(evaluation.id, {
      onSuccess: () => showToast({ text: messages.cancelledNotice }),
      onError: (error) => showToast({ text: describeProblem(error), kind: 'danger' }),
    });
  };
  const remove = (): void => {
    removal.mutate(evaluation.id, {
      onSuccess: () => {
        showToast({ text: messages.removed(evaluation.name) });
        openScreen({ to: 'evaluations', isReplacing: true });
      },
    });
  };
  return (
    <>
      {isInProgress(evaluation) && (
        <Button isBusy={cancellation.isPending} onClick={cancel}>
          {messages.cancel}
        </Button>
      )}
      <Button icon={TrashIcon} onClick={() => setIsDeleting(true)}>
        {messages.remove}
      </Button>
      <ConfirmDialog
        action={messages.removeTitle}
        error={removal.error}
        isBusy={removal.isPending}
        isOpen={isDeleting}
        onClose={() => setIsDeleting(false)}
        onConfirm={remove}
        title={messages.removeTitle}
      >
        {messages.removeText(evaluation.name)}
      </ConfirmDialog>
    </>
  );
}
