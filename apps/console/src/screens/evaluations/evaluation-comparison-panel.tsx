import type { Evaluation, EvaluationComparison } from '@quarry/client';
import type { ReactNode } from 'react';
import { ErrorNotice } from '../../components/error-notice.js';
import { FormattedNumber } from '../../components/formatted-number.js';
import { Select } from '../../components/select.js';
import { Skeleton } from '../../components/skeleton.js';
import { StatusBadge, type StatusTone } from '../../components/status-badge.js';
import { Table } from '../../components/table.js';
import { useFormats, useMessages } from '../../language/language-context.js';
import { useSearchParameter } from '../../routing/screen-link.js';
import { ComparedQuestions } from './compared-questions.js';
import { formatMeasure } from './measures.js';
import { evaluationsMessages } from './messages.js';
import { isInProgress, useComparableEvaluations, useEvaluationComparison } from './use-evaluations.js';

/**
 * Shows the comparison of an evaluation with another evaluation of the same dataset. The address contains the id of the
 * other evaluation.
 */
export function EvaluationComparisonPanel({ evaluation }: { readonly evaluation: Evaluation }): ReactNode {
  const messages = useMessages(evaluationsMessages);
  const { data: others, error, refetch } = useComparableEvaluations(evaluation);
  const [withId, setWithId] = useSearchParameter('with');
  if (isInProgress(evaluation)) return <p className="muted">{messages.notEnded}</p>;
  if (others === undefined) {
    return error === null ? <Skeleton lines={3} /> : <ErrorNotice error={error} onRetry={() => void refetch()} />;
  }
  if (others.length === 0) return <p className="muted">{messages.noOther}</p>;
  const other = others.find(({ id }) => id === withId);
  return (
    <div className="comparison">
      <div className="evaluation-tools">
        <Select
          label={messages.with}
          onChange={(id) => setWithId(id === '' ? undefined : id)}
          options={[
            { value: '', label: messages.chooseOther },
            ...others.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          value={other?.id ?? ''}
        />
      </div>
      {other !== undefined && <ComparisonResult evaluation={evaluation} other={other} />}
    </div>
  );
}

interface ComparisonResultProps {
  readonly evaluation: Evaluation;
  readonly other: Evaluation;
}

function ComparisonResult({ evaluation, other }: ComparisonResultProps): ReactNode {
  const { data, error, refetch } = useEvaluationComparison(evaluation.id, other.id);
  if (data === undefined && error !== null) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton lines={6} shape="rows" />;
  return (
    <>
      <ComparisonVerdict comparison={data} />
      <MeasureTable measures={data.measures} />
      {data.decidedBy !== null && <ComparedQuestions evaluation={evaluation} measure={data.decidedBy} other={other} />}
    </>
  );
}

const TONES: Readonly<Record<EvaluationComparison['verdict'], StatusTone>> = {
  better: 'success',
  worse: 'danger',
  no_significant_difference: 'neutral',
};

function ComparisonVerdict({
  comparison: { verdict, decidedBy },
}: {
  readonly comparison: EvaluationComparison;
}): ReactNode {
  const messages = useMessages(evaluationsMessages);
  const measure = decidedBy === null ? '' : messages[decidedBy];
  const texts = {
    better: messages.verdictBetter(measure),
    worse: messages.verdictWorse(measure),
    no_significant_difference: messages.verdictNone,
  };
  return (
    <p>
      <StatusBadge tone={TONES[verdict]}>{texts[verdict]}</StatusBadge>
    </p>
  );
}

function MeasureTable({ measures }: Pick<EvaluationComparison, 'measures'>): ReactNode {
  const messages = useMessages(evaluationsMessages);
  const formats = useFormats();
  return (
    <Table
      columns={[
        { key: 'measure', title: messages.measure, kind: 'main', render: ({ measure }) => messages[measure] },
        {
          key: 'better',
          title: messages.better,
          kind: 'number',
          render: ({ better }) => <FormattedNumber value={better} />,
        },
        {
          key: 'worse',
          title: messages.worse,
          kind: 'number',
          render: ({ worse }) => <FormattedNumber value={worse} />,
        },
        { key: 'same', title: messages.same, kind: 'number', render: ({ equal }) => <FormattedNumber value={equal} /> },
        {
          key: 'difference',
          title: messages.difference,
          kind: 'number',
          render: ({ measure, difference, low, high }) => (
            <>
              {formatMeasure(measure, difference, formats)}
              <div className="cell-note">
                {messages.intervalText(formatMeasure(measure, low, formats), formatMeasure(measure, high, formats))}
              </div>
            </>
          ),
        },
        { key: 'pValue', title: messages.pValue, kind: 'number', render: ({ pValue }) => formats.score(pValue) },
      ]}
      getKey={({ measure }) => measure}
      isReadOnly
      label={messages.compare}
      rows={measures}
    />
  );
}
