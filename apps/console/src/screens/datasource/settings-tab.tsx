import { QuarryError, type Datasource } from '@quarry/client';
import { useState, type ReactNode } from 'react';
import { Button } from '../../components/button.js';
import { Checkbox } from '../../components/checkbox.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { findFieldError, type FieldProblem } from '../../components/find-field-error.js';
import { TextField } from '../../components/text-field.js';
import { useToasts } from '../../components/toasts.js';
import { useDraft } from '../../components/use-draft.js';
import { useMessages } from '../../language/language-context.js';
import { AddressField } from '../upload/address-field.js';
import { HeadersField, buildHeaders, type HeaderLine } from '../upload/headers-field.js';
import { ScheduleField } from '../upload/schedule-field.js';
import { getDefaultSchedules } from '../upload/schedule-texts.js';
import {
  buildDatasourceUpdate,
  createDatasourceDraft,
  isScheduleField,
  type DatasourceDraft,
} from './datasource-draft.js';
import { datasourceMessages } from './messages.js';
import { useUpdateDatasource } from './use-datasource-details.js';

/** Shows a form that changes the name and the configuration of a datasource. */
export function SettingsTab({ datasource }: { readonly datasource: Datasource }): ReactNode {
  const messages = useMessages(datasourceMessages);
  const { showToast } = useToasts();
  const { mutate, isPending, error, reset } = useUpdateDatasource(datasource.id);
  const stored = createDatasourceDraft(datasource);
  const { values, change, discard } = useDraft(stored);
  const { name = '', ...config } = values;
  const [headers, setHeaders] = useState(NO_CHANGE);
  const newHeaders = headers.removesStored ? null : buildHeaders(headers.lines);
  const update = buildDatasourceUpdate(stored, values, newHeaders);
  const isChanged = Object.keys(update).length > 0;
  const save = (): void => {
    mutate(update, {
      onSuccess: () => {
        // Changes that the user made during the request stay in the form.
        discard(values);
        setHeaders((current) => (current === headers ? NO_CHANGE : current));
        showToast({ text: (language) => datasourceMessages[language].saved });
      },
    });
  };
  const isFieldError = error instanceof QuarryError && error.errors.length > 0;
  return (
    <form
      className="form upload-form"
      // The error refers to the values before the edit, so an edit removes the error.
      onChange={() => {
        if (error !== null) reset();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isPending) save();
      }}
    >
      <TextField
        error={findFieldError(error, 'name')}
        label={messages.name}
        maxLength={500}
        onChange={(text) => change({ name: text })}
        required
        value={name}
      />
      <ConfigFields config={config} error={error} onChange={change} type={datasource.type} />
      {datasource.type === 'item_listing' && (
        <HeaderFields change={headers} error={findFieldError(error, 'config.headers')} onChange={setHeaders} />
      )}
      {error !== null && !isFieldError && <ErrorNotice error={error} />}
      <div>
        <Button disabled={name.trim() === '' || !isChanged} isBusy={isPending} kind="primary" type="submit">
          {messages.save}
        </Button>
      </div>
    </form>
  );
}

interface HeaderChange {
  readonly lines: readonly HeaderLine[];
  readonly removesStored: boolean;
}

const NO_CHANGE: HeaderChange = { lines: [], removesStored: false };

interface HeaderFieldsProps {
  readonly change: HeaderChange;
  readonly error: FieldProblem | undefined;
  readonly onChange: (change: HeaderChange) => void;
}

/** Shows the fields that replace or remove the stored headers of a listing. */
function HeaderFields({ change, error, onChange }: HeaderFieldsProps): ReactNode {
  const messages = useMessages(datasourceMessages);
  return (
    <>
      {!change.removesStored && (
        <HeadersField error={error} lines={change.lines} onChange={(lines) => onChange({ ...change, lines })} />
      )}
      <Checkbox
        hint={messages.headersHint}
        isChecked={change.removesStored}
        label={messages.removeHeaders}
        onChange={(removesStored) => onChange({ ...change, removesStored })}
      />
    </>
  );
}

interface ConfigFieldsProps {
  readonly type: Datasource['type'];
  readonly config: DatasourceDraft;
  readonly error: unknown;
  readonly onChange: (change: DatasourceDraft) => void;
}

function ConfigFields({ type, config, error, onChange }: ConfigFieldsProps): ReactNode {
  const messages = useMessages(datasourceMessages);
  const defaults = getDefaultSchedules(type, config['schedule'] ?? '');
  const labels: DatasourceDraft = {
    source_url: messages.address,
    url: messages.address,
    sitemap: messages.sitemap,
    schedule: messages.schedule,
    full_sync_every: messages.fullSchedule,
  };
  return Object.entries(config).map(([field, value]) => {
    const props = {
      error: findFieldError(error, `config.${field}`),
      label: labels[field] ?? field,
      onChange: (next: string) => onChange({ [field]: next }),
      value,
    };
    if (!isScheduleField(field)) return <AddressField key={field} {...props} />;
    return <ScheduleField defaultSchedule={defaults[field]} key={field} {...props} />;
  });
}
