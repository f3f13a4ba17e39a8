import type { Evaluation } from '@quarry/client';
import type { ReactNode } from 'react';
import { Dialog } from '../../components/dialog.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { Select } from '../../components/select.js';
import { Skeleton } from '../../components/skeleton.js';
import { StatusBadge } from '../../components/status-badge.js';
import { Table } from '../../components/table.js';
import { useLastDefined } from '../../components/use-last-defined.js';
import { useFormats, useMessages } from '../../language/language-context.js';
import { useServerTexts } from '../../language/server-texts.js';
import { useSearchParameter } from '../../routing/screen-link.js';
import { findMainQuestionMeasure, getQuestionScore, sortQuestions, type EvaluatedQuestion } from './judge-questions.js';
import { formatMeasure, type MeasureName } from './measures.js';
import { evaluationsMessages } from './messages.js';
import { QuestionDetail } from './question-detail.js';
import { useEvaluatedQuestions } from './use-evaluations.js';

const ORDERS = ['dataset', 'worst', 'best'] as const;

/**
 * Shows the questions of an evaluation with their results. The address contains the order of the questions and the id
 * of the open question.
 */
export function EvaluationQuestions({ evaluation }: { readonly evaluation: Evaluation }): ReactNode {
  const messages = useMessages(evaluationsMessages);
  const { data, error, refetch } = useEvaluatedQuestions(evaluation);
  const [orderText, setOrder] = useSearchParameter('order');
  const [openId, setOpenId] = useSearchParameter('question');
  const order = ORDERS.find((name) => name === orderText) ?? 'dataset';
  if (data === undefined && error !== null) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton lines={6} shape="rows" />;
  const measure = findMainQuestionMeasure(data);
  const labels = { dataset: messages.inOrder, worst: messages.worstFirst, best: messages.bestFirst };
  return (
    <>
      <div className="evaluation-tools">
        <Select
          label={messages.sort}
          onChange={(next) => setOrder(next === 'dataset' ? undefined : next)}
          options={ORDERS.map((value) => ({ value, label: labels[value] }))}
          value={order}
        />
      </div>
      <QuestionTable measure={measure} onOpen={setOpenId} questions={sortQuestions(data, order, measure)} />
      <QuestionDialog onClose={() => setOpenId(undefined)} question={data.find(({ id }) => id === openId)} />
    </>
  );
}

interface QuestionTableProps {
  readonly questions: readonly EvaluatedQuestion[];
  readonly measure: MeasureName;
  readonly onOpen: (id: string) => void;
}

function QuestionTable({ questions, measure, onOpen }: QuestionTableProps): ReactNode {
  const messages = useMessages(evaluationsMessages);
  const formats = useFormats();
  return (
    <Table
      columns={[
        {
          key: 'question',
          title: messages.question,
          kind: 'main',
          render: ({ id, question }) => (
            <button className="evaluation-question" onClick={() => onOpen(id)} type="button">
              {question}
            </button>
          ),
        },
        { key: 'status', title: messages.status, render: (question) => <QuestionStatus {...question} /> },
        {
          key: 'measure',
          title: messages[measure],
          kind: 'number',
          render: (question) => {
            const score = getQuestionScore(question, measure);
            return score === null ? <span className="muted">–</span> : formatMeasure(measure, score, formats);
          },
        },
        {
          key: 'time',
          isSecondary: true,
          title: messages.latencyMs,
          kind: 'number',
          render: ({ latencyMs }) => (latencyMs === null ? '–' : formats.duration(latencyMs)),
        },
      ]}
      getKey={({ id }) => id}
      label={messages.questions}
      rows={questions}
    />
  );
}

function QuestionStatus({ status, error }: EvaluatedQuestion): ReactNode {
  const messages = useMessages(evaluationsMessages);
  const { describeQueryError } = useServerTexts();
  if (status === 'waiting') return <StatusBadge tone="neutral">{messages.waiting}</StatusBadge>;
  if (status === 'done') return <StatusBadge tone="success">{messages.done}</StatusBadge>;
  return (
    <>
      <StatusBadge tone="danger">{messages.failed}</StatusBadge>
      {error !== null && <div className="cell-note">{describeQueryError(error)}</div>}
    </>
  );
}

interface QuestionDialogProps {
  /** The question that the dialog shows. Undefined: the dialog is closed. */
  readonly question: EvaluatedQuestion | undefined;
  readonly onClose: () => void;
}

function QuestionDialog({ question, onClose }: QuestionDialogProps): ReactNode {
  const messages = useMessages(evaluationsMessages);
  const shown = useLastDefined(question);
  return (
    <Dialog isOpen={question !== undefined} onClose={onClose} title={messages.question} width="wide">
      {shown !== undefined && <QuestionDetail question={shown} />}
    </Dialog>
  );
}
