import type { Evaluation } from '@quarry/client';
import { useState, type ReactNode } from 'react';
import { Button } from '../../components/button.js';
import { EmptyState } from '../../components/empty-state.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { EvaluationIcon, PlusIcon } from '../../components/icons.js';
import { LoadMore } from '../../components/load-more.js';
import { Skeleton } from '../../components/skeleton.js';
import { Table } from '../../components/table.js';
import { Time } from '../../components/time.js';
import { useFormats, useMessages } from '../../language/language-context.js';
import { PageHeader } from '../../page/page-header.js';
import { ScreenLink } from '../../routing/screen-link.js';
import { CreateEvaluationDialog } from './create-evaluation-dialog.js';
import { EvaluationProgress, EvaluationStatus, TargetName } from './evaluation-status.js';
import { formatMeasure, listMeasures } from './measures.js';
import { evaluationsMessages } from './messages.js';
import { useEvaluations } from './use-evaluations.js';

/** Lists the evaluations with their progress, and starts evaluations. */
export function EvaluationsScreen(): ReactNode {
  const messages = useMessages(evaluationsMessages);
  const [isCreating, setIsCreating] = useState(false);
  const { items, isPending, error, refetch, more } = useEvaluations();
  const isEmpty = !isPending && error === null && items.length === 0;
  const createButton = (
    <Button icon={PlusIcon} kind="primary" onClick={() => setIsCreating(true)}>
      {messages.create}
    </Button>
  );
  return (
    <>
      <PageHeader actions={isEmpty ? undefined : createButton} title={messages.title} />
      <div className="page">
        {error !== null && <ErrorNotice error={error} onRetry={refetch} title={messages.loadFailed} />}
        {isPending && <Skeleton lines={6} shape="rows" />}
        {isEmpty && (
          <EmptyState actions={createButton} icon={EvaluationIcon} title={messages.emptyTitle}>
            {messages.emptyText}
          </EmptyState>
        )}
        {items.length > 0 && (
          <>
            <p className="page-intro">{messages.intro}</p>
            <EvaluationTable evaluations={items} />
            <LoadMore {...more} />
          </>
        )}
      </div>
      <CreateEvaluationDialog evaluations={items} isOpen={isCreating} onClose={() => setIsCreating(false)} />
    </>
  );
}

function EvaluationTable({ evaluations }: { readonly evaluations: readonly Evaluation[] }): ReactNode {
  const messages = useMessages(evaluationsMessages);
  return (
    <Table
      columns={[
        {
          key: 'name',
          title: messages.name,
          kind: 'main',
          render: ({ id, name }) => (
            <ScreenLink className="evaluation-link" parameters={{ evaluationId: id }} to="evaluation">
              {name}
            </ScreenLink>
          ),
        },
        { key: 'target', title: messages.target, render: (evaluation) => <TargetName evaluation={evaluation} /> },
        { key: 'status', title: messages.status, render: ({ status }) => <EvaluationStatus status={status} /> },
        {
          key: 'questions',
          title: messages.questions,
          render: (evaluation) => <EvaluationProgress evaluation={evaluation} />,
        },
        { key: 'main', title: messages.main, kind: 'number', render: (evaluation) => <MainMeasure {...evaluation} /> },
        { key: 'created', title: messages.createdAt, render: ({ createdAt }) => <Time value={createdAt} /> },
      ]}
      getKey={({ id }) => id}
      label={messages.title}
      rows={evaluations}
    />
  );
}

function MainMeasure({ metrics }: Evaluation): ReactNode {
  const messages = useMessages(evaluationsMessages);
  const formats = useFormats();
  const [main] = metrics === null ? [] : listMeasures(metrics);
  if (main === undefined) return <span className="muted">–</span>;
  return (
    <>
      <span className="muted">{messages[main.name]}</span> {formatMeasure(main.name, main.measure.value, formats)}
    </>
  );
}
