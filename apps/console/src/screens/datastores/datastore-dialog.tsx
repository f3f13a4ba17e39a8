import { QuarryError, type Datastore } from '@quarry/client';
import { useState, type ReactNode } from 'react';
import { Button } from '../../components/button.js';
import { Dialog, DialogActions } from '../../components/dialog.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { findFieldError } from '../../components/find-field-error.js';
import { componentMessages } from '../../components/messages.js';
import { NumberField } from '../../components/number-field.js';
import { isNumberText, parseNumberText } from '../../components/number-text.js';
import { TextArea, TextField } from '../../components/text-field.js';
import { useToasts } from '../../components/toasts.js';
import { useLastDefined } from '../../components/use-last-defined.js';
import { useMessages } from '../../language/language-context.js';
import type { DatastoreAction } from './datastore-action.js';
import { datastoresMessages } from './messages.js';
import { formatOcrLanguages, parseOcrLanguages } from './scan-languages-text.js';
import { useSaveDatastore } from './use-datastores.js';

interface DatastoreDialogProps {
  readonly action: DatastoreAction | undefined;
  readonly onClose: () => void;
}

/** Shows a dialog that creates or edits a datastore. */
export function DatastoreDialog({ action, onClose }: DatastoreDialogProps): ReactNode {
  const messages = useMessages(datastoresMessages);
  const shown = useLastDefined(action);
  const isEdit = shown?.kind === 'edit';
  return (
    <Dialog
      isOpen={action?.kind === 'edit' || action?.kind === 'create'}
      onClose={onClose}
      title={isEdit ? messages.editTitle : messages.createTitle}
      {...(isEdit ? {} : { description: messages.createHint })}
    >
      <DatastoreForm datastore={isEdit ? shown.datastore : undefined} onClose={onClose} />
    </Dialog>
  );
}

interface DatastoreFormProps {
  readonly datastore: Datastore | undefined;
  readonly onClose: () => void;
}

const DEFAULTS = { name: '', description: '', splitting: { maxTokens: 512, overlapTokens: 64 }, ocrLanguages: null };

function DatastoreForm({ datastore, onClose }: DatastoreFormProps): ReactNode {
  const messages = useMessages(datastoresMessages);
  const { cancel } = useMessages(componentMessages);
  const { showToast } = useToasts();
  const [start, report] = datastore === undefined ? ([DEFAULTS, 'created'] as const) : ([datastore, 'saved'] as const);
  const [name, setName] = useState(start.name);
  const [description, setDescription] = useState(start.description ?? '');
  const [reading, setReading] = useState({
    maxTokens: String(start.splitting.maxTokens),
    overlapTokens: String(start.splitting.overlapTokens),
    languages: formatOcrLanguages(start.ocrLanguages),
  });
  const { mutate, isPending, error } = useSaveDatastore();
  const isComplete = name.trim() !== '' && isCompleteReading(reading);
  const save = (): void => {
    const request = { name, description, ...parseReadingTexts(reading) };
    mutate(datastore === undefined ? { request } : { id: datastore.id, request }, {
      onSuccess: (saved) => {
        showToast({ text: (language) => datastoresMessages[language][report](saved.name) });
        onClose();
      },
    });
  };
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (isComplete && !isPending) save();
      }}
    >
      <TextField
        error={findFieldError(error, 'name')}
        hint={messages.nameHint}
        label={messages.name}
        maxLength={200}
        onChange={setName}
        required
        value={name}
      />
      <TextArea
        error={findFieldError(error, 'description')}
        hint={messages.descriptionHint}
        isOptional
        label={messages.description}
        maxLength={2_000}
        onChange={setDescription}
        value={description}
      />
      <ReadingFields error={error} onChange={setReading} reading={reading} />
      {error !== null && !hasFieldErrors(error) && <ErrorNotice error={error} />}
      <DialogActions>
        <Button onClick={onClose}>{cancel}</Button>
        <Button disabled={!isComplete} isBusy={isPending} kind="primary" type="submit">
          {datastore === undefined ? messages.createAction : messages.save}
        </Button>
      </DialogActions>
    </form>
  );
}

/** The settings for splitting and OCR of documents, as texts in the fields of the form. */
interface ReadingTexts {
  readonly maxTokens: string;
  readonly overlapTokens: string;
  readonly languages: string;
}

function isCompleteReading({ maxTokens, overlapTokens }: ReadingTexts): boolean {
  return isNumberText(maxTokens, 'whole') && isNumberText(overlapTokens, 'whole');
}

/** Parses the texts of the form. An empty number means the default. @throws RangeError if a number is not valid */
function parseReadingTexts(reading: ReadingTexts): Pick<Datastore, 'splitting' | 'ocrLanguages'> {
  const { splitting } = DEFAULTS;
  return {
    splitting: {
      maxTokens: parseNumberText(reading.maxTokens, 'whole') ?? splitting.maxTokens,
      overlapTokens: parseNumberText(reading.overlapTokens, 'whole') ?? splitting.overlapTokens,
    },
    ocrLanguages: parseOcrLanguages(reading.languages),
  };
}

interface ReadingFieldsProps {
  readonly reading: ReadingTexts;
  readonly error: unknown;
  readonly onChange: (reading: ReadingTexts) => void;
}

function ReadingFields({ reading, error, onChange }: ReadingFieldsProps): ReactNode {
  const messages = useMessages(datastoresMessages);
  return (
    <>
      <div className="form-row">
        <NumberField
          error={findFieldError(error, 'splitting.maxTokens')}
          hint={messages.splittingHint}
          kind="whole"
          label={messages.maxTokens}
          onChange={(maxTokens) => onChange({ ...reading, maxTokens })}
          placeholder={String(DEFAULTS.splitting.maxTokens)}
          value={reading.maxTokens}
        />
        <NumberField
          error={findFieldError(error, 'splitting.overlapTokens')}
          kind="whole"
          label={messages.overlapTokens}
          onChange={(overlapTokens) => onChange({ ...reading, overlapTokens })}
          placeholder={String(DEFAULTS.splitting.overlapTokens)}
          value={reading.overlapTokens}
        />
      </div>
      <TextField
        error={findFieldError(error, 'ocrLanguages')}
        hint={messages.ocrLanguagesHint}
        isCode
        isOptional
        label={messages.ocrLanguages}
        onChange={(languages) => onChange({ ...reading, languages })}
        value={reading.languages}
      />
    </>
  );
}

function hasFieldErrors(error: unknown): boolean {
  return error instanceof QuarryError && error.errors.length > 0;
}
