import { useEffect, useRef, type ReactNode } from 'react';
import { Checkbox } from '../../components/checkbox.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { FileField } from '../../components/file-field.js';
import type { FieldProblem } from '../../components/find-field-error.js';
import { Select } from '../../components/select.js';
import { TextArea } from '../../components/text-field.js';
import { useFormats, useMessages } from '../../language/language-context.js';
import { FEEDBACK, NEW_QUESTIONS, type EvaluationDraft } from './build-evaluation-request.js';
import { evaluationsMessages } from './messages.js';
import { useDatasets, type Target } from './use-evaluations.js';

export interface DatasetErrors {
  /** Text that explains why the API refused the new questions. */
  readonly questions: string | undefined;
  /** The reason for which the API refused the questions of answers with positive feedback. */
  readonly feedback: FieldProblem | undefined;
}

interface DatasetFieldsProps {
  readonly errors: DatasetErrors;
  readonly draft: EvaluationDraft;
  /** The agents whose answers with positive feedback can provide the questions. */
  readonly agents: readonly Target[];
  readonly onChange: (changes: Partial<EvaluationDraft>) => void;
}

/**
 * Shows the fields that select the questions of an evaluation: new questions, earlier questions whose answers have
 * positive feedback, or a stored dataset.
 */
export function DatasetFields({ draft, agents, errors, onChange }: DatasetFieldsProps): ReactNode {
  const messages = useMessages(evaluationsMessages);
  const { number } = useFormats();
  const { data: datasets = [], error, refetch } = useDatasets();
  return (
    <>
      <Select
        label={messages.dataset}
        onChange={(source) => onChange({ source })}
        options={[
          { value: NEW_QUESTIONS, label: messages.newDataset },
          { value: FEEDBACK, label: messages.fromFeedback },
          ...datasets.map(({ id, name, questions }) => ({
            value: id,
            label: messages.datasetOf(name, number(questions)),
          })),
        ]}
        value={draft.source}
      />
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {draft.source === NEW_QUESTIONS && (
        <QuestionFields error={errors.questions} onChange={onChange} text={draft.text} />
      )}
      {draft.source === FEEDBACK && (
        <FeedbackFields agents={agents} draft={draft} errors={errors} onChange={onChange} />
      )}
    </>
  );
}

interface QuestionFieldsProps extends Pick<DatasetFieldsProps, 'onChange'> {
  readonly text: string;
  readonly error: string | undefined;
}

function QuestionFields({ text, error, onChange }: QuestionFieldsProps): ReactNode {
  const messages = useMessages(evaluationsMessages);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (error === undefined) return;
    field.current?.focus({ preventScroll: true });
    // The error is below the field, so the middle of the dialog shows both.
    field.current?.scrollIntoView({ block: 'center' });
  }, [error]);
  return (
    <>
      <FileField
        accept=".jsonl,.ndjson,.csv,.txt"
        choose={messages.chooseFile}
        hint={messages.fileHint}
        label={messages.file}
        onChange={(file) => {
          void file.text().then((read) => onChange({ text: read }));
        }}
      />
      <TextArea
        error={error}
        hint={messages.questionsHint}
        isCode
        label={messages.questions}
        onChange={(typed) => onChange({ text: typed })}
        placeholder={'{"question": "When does the shop open?", "relevant": [{"document": "opening.pdf"}]}'}
        ref={field}
        rows={5}
        spellCheck={false}
        value={text}
      />
    </>
  );
}

function FeedbackFields({ draft, agents, errors, onChange }: DatasetFieldsProps): ReactNode {
  const messages = useMessages(evaluationsMessages);
  return (
    <>
      <p className="field-hint">{messages.feedbackHint}</p>
      <Select
        error={errors.feedback}
        label={messages.feedbackAgent}
        onChange={(feedbackAgentId) => onChange({ feedbackAgentId })}
        options={[
          { value: '', label: messages.everyAgent },
          ...agents.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        value={draft.feedbackAgentId}
      />
      <Checkbox
        hint={messages.followUpsHint}
        isChecked={draft.hasFollowUps}
        label={messages.followUps}
        onChange={(hasFollowUps) => onChange({ hasFollowUps })}
      />
    </>
  );
}
