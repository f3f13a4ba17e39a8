import { QuarryError, type CreateEvaluationRequest, type Evaluation } from '@quarry/client';
import { useState, type ReactNode } from 'react';
import { Button } from '../../components/button.js';
import { Dialog, DialogActions } from '../../components/dialog.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { Field } from '../../components/field.js';
import { componentMessages } from '../../components/messages.js';
import { Select } from '../../components/select.js';
import { TextArea, TextField } from '../../components/text-field.js';
import { useMessages } from '../../language/language-context.js';
import { useOpenScreen } from '../../routing/screen-link.js';
import { evaluationsMessages } from './messages.js';
import { useCreateEvaluation, useTargets, type Target } from './use-evaluations.js';

interface CreateEvaluationDialogProps {
  /** Their datasets can be used again. */
  readonly evaluations: readonly Evaluation[];
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Starts an evaluation of a new dataset or of one that was used before. */
export function CreateEvaluationDialog({ evaluations, isOpen, onClose }: CreateEvaluationDialogProps): ReactNode {
  const messages = useMessages(evaluationsMessages);
  return (
    <Dialog description={messages.createHint} isOpen={isOpen} onClose={onClose} title={messages.create}>
      <CreateEvaluationForm evaluations={evaluations} onClose={onClose} />
    </Dialog>
  );
}

interface Draft {
  readonly name: string;
  readonly targetId: string;
  /** Empty: a new dataset. */
  readonly datasetId: string;
  readonly text: string;
  readonly format: 'jsonl' | 'csv';
  readonly topK: string;
}

const EMPTY: Draft = { name: '', targetId: '', datasetId: '', text: '', format: 'jsonl', topK: '10' };

function CreateEvaluationForm({ evaluations, onClose }: Omit<CreateEvaluationDialogProps, 'isOpen'>): ReactNode {
  const messages = useMessages(evaluationsMessages);
  const { cancel } = useMessages(componentMessages);
  const openScreen = useOpenScreen();
  const targets = useTargets();
  const [draft, setDraft] = useState(EMPTY);
  const { mutate, isPending, error } = useCreateEvaluation();
  const change = (changes: Partial<Draft>): void => setDraft((before) => ({ ...before, ...changes }));
  const target = targets.find(({ id }) => id === draft.targetId) ?? targets[0];
  const start = (): void => {
    if (target === undefined || isPending) return;
    const id = target.kind === 'agent' ? { agentId: target.id } : { datastoreId: target.id };
    mutate(
      { ...buildRequest(draft), ...id },
      { onSuccess: (made) => openScreen({ to: 'evaluation', parameters: { evaluationId: made.id } }) },
    );
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
        hint={messages.nameHint}
        isOptional
        label={messages.name}
        maxLength={200}
        onChange={(name) => change({ name })}
        value={draft.name}
      />
      <TargetFields onChange={change} target={target} targets={targets} topK={draft.topK} />
      <DatasetFields draft={draft} evaluations={evaluations} onChange={change} />
      {error !== null && <DatasetError error={error} />}
      <DialogActions>
        <Button onClick={onClose}>{cancel}</Button>
        <Button
          disabled={target === undefined || (draft.datasetId === '' && draft.text.trim() === '')}
          isBusy={isPending}
          kind="primary"
          type="submit"
        >
          {messages.start}
        </Button>
      </DialogActions>
    </form>
  );
}

/** Builds the request without what is measured. */
function buildRequest({ name, datasetId, text, format, topK }: Draft): CreateEvaluationRequest {
  const dataset = datasetId === '' ? { dataset: { [format]: text, ...(name === '' ? {} : { name }) } } : { datasetId };
  return { ...dataset, ...(name === '' ? {} : { name }), settings: { topK: Number(topK) } };
}

interface TargetFieldsProps {
  readonly target: Target | undefined;
  readonly targets: readonly Target[];
  readonly topK: string;
  readonly onChange: (changes: Partial<Draft>) => void;
}

function TargetFields({ target, targets, topK, onChange }: TargetFieldsProps): ReactNode {
  const messages = useMessages(evaluationsMessages);
  return (
    <div className="form-row">
      <Select
        label={messages.target}
        onChange={(targetId) => onChange({ targetId })}
        options={targets.map(({ id, name }) => ({ value: id, label: name }))}
        value={target?.id ?? ''}
      />
      <TextField
        inputMode="numeric"
        label={messages.topK}
        onChange={(text) => onChange({ topK: text })}
        required
        value={topK}
      />
    </div>
  );
}

interface DatasetFieldsProps {
  readonly draft: Draft;
  readonly evaluations: readonly Evaluation[];
  readonly onChange: (changes: Partial<Draft>) => void;
}

function DatasetFields({ draft, evaluations, onChange }: DatasetFieldsProps): ReactNode {
  const messages = useMessages(evaluationsMessages);
  const datasets = new Map(evaluations.map(({ datasetId, name }) => [datasetId, name]));
  const readFile = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    onChange({ text: await file.text(), format: file.name.toLowerCase().endsWith('.csv') ? 'csv' : 'jsonl' });
  };
  return (
    <>
      {datasets.size > 0 && (
        <Select
          label={messages.dataset}
          onChange={(datasetId) => onChange({ datasetId })}
          options={[
            { value: '', label: messages.newDataset },
            ...[...datasets].map(([value, name]) => ({ value, label: messages.datasetOf(name) })),
          ]}
          value={draft.datasetId}
        />
      )}
      {draft.datasetId === '' && (
        <>
          <Field hint={messages.fileHint} label={messages.file}>
            {(control) => (
              <input
                {...control}
                accept=".jsonl,.ndjson,.csv,.txt"
                className="input"
                onChange={(event) => void readFile(event.target.files?.[0])}
                type="file"
              />
            )}
          </Field>
          <TextArea
            hint={messages.questionsHint}
            isCode
            label={messages.questions}
            onChange={(text) => onChange({ text, format: 'jsonl' })}
            placeholder={'{"question": "When does the shop open?", "relevant": [{"document": "opening.pdf"}]}'}
            rows={5}
            spellCheck={false}
            value={draft.text}
          />
        </>
      )}
    </>
  );
}

/** Shows which line of the dataset was refused, and why. */
function DatasetError({ error }: { readonly error: Error }): ReactNode {
  const problems = error instanceof QuarryError ? error.errors : [];
  return (
    <>
      <ErrorNotice error={error} />
      {problems.length > 0 && (
        <ul className="field-error">
          {problems.slice(0, 5).map(({ path, message }) => (
            <li key={`${path} ${message}`}>
              <code>{path}</code> {message}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
