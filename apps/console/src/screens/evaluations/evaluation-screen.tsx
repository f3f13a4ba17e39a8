import type { Evaluation } from '@quarry/client';
import type { ReactNode } from 'react';
import { ErrorNotice } from '../../components/error-notice.js';
import { isNotFoundError } from '../../components/explain-error.js';
import { EvaluationIcon } from '../../components/icons.js';
import { KeyValueList } from '../../components/key-value-list.js';
import { Skeleton } from '../../components/skeleton.js';
import { Tabs } from '../../components/tabs.js';
import { RelativeTime } from '../../components/relative-time.js';
import { useFormats, useMessages } from '../../language/language-context.js';
import { useServerTexts } from '../../language/server-texts.js';
import { MissingItem } from '../../page/missing-item.js';
import { PageHeader } from '../../page/page-header.js';
import { useScreenParameters, useSearchParameter } from '../../routing/screen-link.js';
import { EvaluationComparisonPanel } from './evaluation-comparison-panel.js';
import { EvaluationActions } from './evaluation-actions.js';
import { EvaluationProgress, EvaluationStatus, TargetName } from './evaluation-status.js';
import { MeasureList } from './measure-list.js';
import { evaluationsMessages } from './messages.js';
import { EvaluationQuestions } from './evaluation-questions.js';
import { useEvaluation } from './use-evaluations.js';

/** Shows an evaluation: its progress, measures and questions, and its comparison with another evaluation. */
export function EvaluationScreen(): ReactNode {
  const messages = useMessages(evaluationsMessages);
  const { evaluationId } = useScreenParameters('evaluation');
  const { data, error, refetch } = useEvaluation(evaluationId);
  if (isNotFoundError(error)) {
    return (
      <MissingItem
        icon={EvaluationIcon}
        list={{ title: messages.title, target: { to: 'evaluations' } }}
        showAll={messages.showAll}
        title={messages.missing}
      />
    );
  }
  return (
    <>
      <PageHeader
        actions={data && <EvaluationActions evaluation={data} />}
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

/**
 * Shows the name of the evaluated datastore or agent in one line. The line has the same height before the name is
 * loaded.
 */
function EvaluationTarget({ evaluation }: { readonly evaluation: Evaluation }): ReactNode {
  return (
    <span className="evaluation-target truncate">
      <TargetName evaluation={evaluation} />
    </span>
  );
}

function EvaluationContent({ evaluation }: { readonly evaluation: Evaluation }): ReactNode {
  const messages = useMessages(evaluationsMessages);
  const { describeQueryError } = useServerTexts();
  const { number } = useFormats();
  const { topK } = evaluation.settings;
  const [tab, setTab] = useSearchParameter('tab');
  return (
    <>
      <KeyValueList
        items={[
          { key: messages.target, value: <EvaluationTarget evaluation={evaluation} /> },
          ...(typeof topK === 'number' ? [{ key: messages.topK, value: number(topK) }] : []),
          { key: messages.questions, value: <EvaluationProgress evaluation={evaluation} /> },
          { key: messages.createdAt, value: <RelativeTime value={evaluation.createdAt} /> },
        ]}
      />
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
          { name: 'questions', title: messages.questions, content: <EvaluationQuestions evaluation={evaluation} /> },
          { name: 'compare', title: messages.compare, content: <EvaluationComparisonPanel evaluation={evaluation} /> },
        ]}
        value={tab === 'compare' ? 'compare' : 'questions'}
      />
    </>
  );
}
