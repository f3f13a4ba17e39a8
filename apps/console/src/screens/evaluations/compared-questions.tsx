import type { Evaluation } from '@quarry/client';
import type { ReactNode } from 'react';
import { ErrorNotice } from '../../components/error-notice.js';
import { Select } from '../../components/select.js';
import { Skeleton } from '../../components/skeleton.js';
import { StatusBadge, type StatusTone } from '../../components/status-badge.js';
import { Table } from '../../components/table.js';
import { useFormats, useMessages } from '../../language/language-context.js';
import { useSearchParameter } from '../../routing/screen-link.js';
import { compareQuestionScores, type ComparedQuestion, type QuestionVerdict } from './judge-questions.js';
import { formatMeasure, type MeasureName } from './measures.js';
import { evaluationsMessages } from './messages.js';
import { useEvaluatedQuestions } from './use-evaluations.js';

interface ComparedQuestionsProps {
  readonly evaluation: Evaluation;
  readonly other: Evaluation;
  readonly measure: MeasureName;
}

const VERDICTS = ['better', 'worse', 'same'] as const;

/**
 * Shows the questions of two evaluations with the value of a measure in each evaluation, the greatest differences
 * first.
 */
export function ComparedQuestions({ evaluation, other, measure }: ComparedQuestionsProps): ReactNode {
  const messages = useMessages(evaluationsMessages);
  const { number } = useFormats();
  const [chosen, setChosen] = useSearchParameter('verdict');
  const here = useEvaluatedQuestions(evaluation);
  const there = useEvaluatedQuestions(other);
  const failed = [here, there].find(({ data, error }) => data === undefined && error !== null);
  if (failed !== undefined) return <ErrorNotice error={failed.error} onRetry={() => void failed.refetch()} />;
  if (here.data === undefined || there.data === undefined) return <Skeleton lines={6} shape="rows" />;
  const questions = compareQuestionScores(here.data, there.data, measure);
  const verdict = VERDICTS.find((name) => name === chosen);
  const shown = verdict === undefined ? questions : questions.filter((question) => question.verdict === verdict);
  const countVerdicts = (name: QuestionVerdict): number =>
    questions.filter((question) => question.verdict === name).length;
  return (
    <div>
      <div className="evaluation-tools">
        <Select
          label={messages.show}
          onChange={(next) => setChosen(next === '' ? undefined : next)}
          options={[
            { value: '', label: `${messages.all} (${number(questions.length)})` },
            ...VERDICTS.map((name) => ({ value: name, label: `${messages[name]} (${number(countVerdicts(name))})` })),
          ]}
          value={verdict ?? ''}
        />
      </div>
      {shown.length === 0 ? (
        <p className="muted">{messages.noQuestions}</p>
      ) : (
        <ComparedTable measure={measure} questions={shown} />
      )}
    </div>
  );
}

const TONES: Readonly<Record<QuestionVerdict, StatusTone>> = { better: 'success', worse: 'danger', same: 'neutral' };

interface ComparedTableProps {
  readonly questions: readonly ComparedQuestion[];
  readonly measure: MeasureName;
}

function ComparedTable({ questions, measure }: ComparedTableProps): ReactNode {
  const messages = useMessages(evaluationsMessages);
  const formats = useFormats();
  return (
    <Table
      columns={[
        { key: 'question', title: messages.question, kind: 'main', render: ({ question }) => question },
        {
          key: 'verdict',
          title: messages.verdict,
          render: ({ verdict }) => <StatusBadge tone={TONES[verdict]}>{messages[verdict]}</StatusBadge>,
        },
        {
          key: 'here',
          title: `${messages[measure]}, ${messages.here}`,
          kind: 'number',
          render: ({ here }) => formatMeasure(measure, here, formats),
        },
        {
          key: 'there',
          title: messages.there,
          kind: 'number',
          render: ({ there }) => formatMeasure(measure, there, formats),
        },
      ]}
      getKey={({ id }) => id}
      isReadOnly
      label={messages.questions}
      rows={questions}
    />
  );
}
