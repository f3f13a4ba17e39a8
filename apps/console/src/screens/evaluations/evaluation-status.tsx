import type { Evaluation } from '@quarry/client';
import type { ReactNode } from 'react';
import { StatusBadge, type StatusTone } from '../../components/status-badge.js';
import { useFormats, useMessages } from '../../language/language-context.js';
import './evaluations.css';
import { evaluationsMessages } from './messages.js';
import { isInProgress, useEvaluationTargets } from './use-evaluations.js';

const TONES: Readonly<Record<Evaluation['status'], StatusTone>> = {
  waiting: 'neutral',
  running: 'info',
  done: 'success',
  cancelled: 'neutral',
  error: 'danger',
};

/** Shows the status of an evaluation. */
export function EvaluationStatus({ status }: Pick<Evaluation, 'status'>): ReactNode {
  const messages = useMessages(evaluationsMessages);
  return (
    <StatusBadge isActive={status === 'running'} tone={TONES[status]}>
      {messages[status]}
    </StatusBadge>
  );
}

/** Shows how many questions are complete, with a progress bar while the evaluation is in progress. */
export function EvaluationProgress({ evaluation }: { readonly evaluation: Evaluation }): ReactNode {
  const messages = useMessages(evaluationsMessages);
  const { number, plural } = useFormats();
  const { questions, ended, failed } = evaluation;
  const all = plural(questions, { one: messages.allQuestionsOne, other: messages.allQuestionsOther });
  const text = messages.progress(number(ended), all);
  return (
    <div className="evaluation-progress">
      {isInProgress(evaluation) && <progress aria-label={text} max={questions} value={ended} />}
      <span className="muted numbers">
        {text}
        {failed > 0 && `, ${messages.failedCount(number(failed))}`}
      </span>
    </div>
  );
}

/** Shows the name of the evaluated datastore or agent. */
export function TargetName({ evaluation }: { readonly evaluation: Evaluation }): ReactNode {
  const messages = useMessages(evaluationsMessages);
  const id = evaluation.agentId ?? evaluation.datastoreId;
  const { data: targets } = useEvaluationTargets();
  const target = targets?.find((candidate) => candidate.id === id);
  return target?.name ?? <span className="muted">{id === null ? messages.deleted : id.slice(-8)}</span>;
}
