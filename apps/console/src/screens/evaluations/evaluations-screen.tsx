import type { Evaluation } from '@quarry/client';
import { useState, type ReactNode } from 'react';
import type { Pages } from '../../api/use-pages.js';
import { EvaluationIcon } from '../../components/icons.js';
import { Table } from '../../components/table.js';
import { RelativeTime } from '../../components/relative-time.js';
import { useFormats, useMessages } from '../../language/language-context.js';
import { ListPage } from '../../page/list-page.js';
import { ScreenLink } from '../../routing/screen-link.js';
import { CreateEvaluationDialog } from './create-evaluation-dialog.js';
import { EvaluationProgress, EvaluationStatus, TargetName } from './evaluation-status.js';
import { formatMeasure, listMeasures } from './measures.js';
import { evaluationsMessages } from './messages.js';
import { useEvaluations } from './use-evaluations.js';

/** Shows the evaluations with their progress, and starts evaluations. */
export function EvaluationsScreen(): ReactNode {
  const messages = useMessages(evaluationsMessages);
  const [isCreating, setIsCreating] = useState(false);
  const evaluations = useEvaluations();
  return (
    <>
      <ListPage icon={EvaluationIcon} list={evaluations} messages={messages} onCreate={() => setIsCreating(true)}>
        <EvaluationTable evaluations={evaluations} />
      </ListPage>
      <CreateEvaluationDialog isOpen={isCreating} onClose={() => setIsCreating(false)} />
    </>
  );
}

function EvaluationTable({ evaluations }: { readonly evaluations: Pages<Evaluation> }): ReactNode {
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
        {
          key: 'target',
          isSecondary: true,
          title: messages.target,
          render: (evaluation) => <TargetName evaluation={evaluation} />,
        },
        { key: 'status', title: messages.status, render: ({ status }) => <EvaluationStatus status={status} /> },
        {
          key: 'questions',
          isSecondary: true,
          title: messages.questions,
          render: (evaluation) => <EvaluationProgress evaluation={evaluation} />,
        },
        {
          key: 'main',
          title: messages.main,
          kind: 'number',
          render: (evaluation) => <MainMeasureCell {...evaluation} />,
        },
        {
          key: 'created',
          isSecondary: true,
          title: messages.createdAt,
          render: ({ createdAt }) => <RelativeTime value={createdAt} />,
        },
      ]}
      getKey={({ id }) => id}
      label={messages.title}
      more={evaluations.more}
      rows={evaluations.items}
    />
  );
}

function MainMeasureCell({ metrics }: Evaluation): ReactNode {
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
