import { useState, type ReactNode } from 'react';
import { Button } from '../../components/button.js';
import { Dialog, DialogActions } from '../../components/dialog.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { findFieldError, type FieldProblem } from '../../components/find-field-error.js';
import { componentMessages } from '../../components/messages.js';
import { NumberField } from '../../components/number-field.js';
import { Select } from '../../components/select.js';
import { TextField } from '../../components/text-field.js';
import { useLanguage, useMessages } from '../../language/language-context.js';
import { useOpenScreen } from '../../routing/screen-link.js';
import { useFilledDatastore } from '../datastores/use-filled-datastore.js';
import {
  buildEvaluationRequest,
  isCompleteEvaluation,
  NEW_QUESTIONS,
  type EvaluationDraft,
} from './build-evaluation-request.js';
import { DatasetFields, type DatasetErrors } from './dataset-fields.js';
import { describeDatasetError } from './describe-dataset-error.js';
import { evaluationsMessages } from './messages.js';
import { useCreateEvaluation, useEvaluationTargets, type Target } from './use-evaluations.js';

interface CreateEvaluationDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Shows a dialog that starts an evaluation with a new or a stored dataset. */
export function CreateEvaluationDialog({ isOpen, onClose }: CreateEvaluationDialogProps): ReactNode {
  const messages = useMessages(evaluationsMessages);
  return (
    <Dialog description={messages.createHint} isOpen={isOpen} onClose={onClose} title={messages.create}>
      <CreateEvaluationForm onClose={onClose} />
    </Dialog>
  );
}

const EMPTY: EvaluationDraft = {
  ...{ name: '', targetId: '', source: NEW_QUESTIONS, text: '' },
  ...{ feedbackAgentId: '', hasFollowUps: false, topK: '10' },
};

function CreateEvaluationForm({ onClose }: Pick<CreateEvaluationDialogProps, 'onClose'>): ReactNode {
  const messages = useMessages(evaluationsMessages);
  const { cancel } = useMessages(componentMessages);
  const openScreen = useOpenScreen();
  const { data: targets = [], error: targetsError, refetch } = useEvaluationTargets();
  const [draft, setDraft] = useState(EMPTY);
  const { mutate, isPending, error, reset } = useCreateEvaluation();
  const errors = useFieldErrors(error, draft.source);
  const changeDraft = (changes: Partial<EvaluationDraft>): void => {
    // The error refers to the values before the edit, so an edit removes the error.
    if (error !== null) reset();
    setDraft((before) => ({ ...before, ...changes }));
  };
  const filled = useFilledDatastore(targets.length > 1);
  const findTarget = (targetId: string | undefined): Target | undefined => targets.find(({ id }) => id === targetId);
  const target = findTarget(draft.targetId) ?? findTarget(filled.datastoreId) ?? targets[0];
  const isComplete = target !== undefined && isCompleteEvaluation(draft, target);
  const start = (): void => {
    if (!isComplete || isPending) return;
    mutate(buildEvaluationRequest(draft, target, messages.defaultName), {
      onSuccess: (made) => openScreen({ to: 'evaluation', parameters: { evaluationId: made.id } }),
    });
  };
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        start();
      }}
    >
      <TextField
        error={errors.name}
        hint={messages.nameHint}
        isOptional
        label={messages.name}
        maxLength={200}
        onChange={(name) => changeDraft({ name })}
        value={draft.name}
      />
      {targetsError !== null && targets.length === 0 ? (
        <ErrorNotice error={targetsError} onRetry={() => void refetch()} />
      ) : (
        <TargetFields error={errors.topK} onChange={changeDraft} target={target} targets={targets} topK={draft.topK} />
      )}
      <DatasetFields
        agents={targets.filter(({ kind }) => kind === 'agent')}
        draft={draft}
        errors={errors}
        onChange={changeDraft}
      />
      <OtherError error={error} errors={errors} />
      <DialogActions>
        <Button onClick={onClose}>{cancel}</Button>
        <Button disabled={!isComplete} isBusy={isPending} kind="primary" type="submit">
          {messages.start}
        </Button>
      </DialogActions>
    </form>
  );
}

interface FieldErrors extends DatasetErrors {
  readonly name: FieldProblem | undefined;
  readonly topK: FieldProblem | undefined;
}

/** Returns the reasons for which the API refused fields of the form. */
function useFieldErrors(error: unknown, source: string): FieldErrors {
  const { language } = useLanguage();
  return {
    name: findFieldError(error, 'name'),
    topK: findFieldError(error, 'settings.topK'),
    feedback: findFieldError(error, 'dataset.feedback'),
    questions: source === NEW_QUESTIONS ? describeDatasetError(error, language) : undefined,
  };
}

interface OtherErrorProps {
  readonly error: Error | null;
  readonly errors: FieldErrors;
}

/** Shows an error that concerns no field of the form. */
function OtherError({ error, errors }: OtherErrorProps): ReactNode {
  if (error === null || Object.values(errors).some((one) => one !== undefined)) return null;
  return (
    <div ref={scrollIntoView}>
      <ErrorNotice error={error} />
    </div>
  );
}

/** Scrolls an error at the end of the form into view. */
function scrollIntoView(element: Element | null): void {
  element?.scrollIntoView({ block: 'nearest' });
}

interface TargetFieldsProps {
  readonly target: Target | undefined;
  readonly targets: readonly Target[];
  readonly topK: string;
  /** The reason for which the API refused `topK`. */
  readonly error: FieldProblem | undefined;
  readonly onChange: (changes: Partial<EvaluationDraft>) => void;
}

/**
 * Shows the field that selects the datastore or agent to evaluate. For a datastore, also shows the field for the number
 * of results per question.
 */
function TargetFields({ target, targets, topK, error, onChange }: TargetFieldsProps): ReactNode {
  const messages = useMessages(evaluationsMessages);
  const labels = { datastore: messages.datastore, agent: messages.agent };
  return (
    <div className="form-row">
      <Select
        label={messages.target}
        onChange={(targetId) => onChange({ targetId })}
        options={targets.map(({ id, name, kind }) => ({ value: id, label: `${labels[kind]}: ${name}` }))}
        value={target?.id ?? ''}
      />
      {target?.kind !== 'agent' && (
        <NumberField
          error={error}
          kind="whole"
          label={messages.topK}
          onChange={(text) => onChange({ topK: text })}
          value={topK}
        />
      )}
    </div>
  );
}
