import { QuarryError, type Datasource } from '@quarry/client';
import { useState, type ReactNode } from 'react';
import { Button } from '../../components/button.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { findFieldError } from '../../components/find-field-error.js';
import { TextField } from '../../components/text-field.js';
import { useToasts } from '../../components/toasts.js';
import { useMessages } from '../../language/language-context.js';
import { AddressField } from '../upload/address-field.js';
import { completeAddress } from '../upload/complete-address.js';
import { HeadersField, buildHeaders, type HeaderLine } from '../upload/headers-field.js';
import { ScheduleField } from '../upload/schedule-field.js';
import { datasourceMessages } from './messages.js';
import { useUpdateDatasource } from './use-datasource-details.js';

/**
 * The configuration fields that the user can change, keyed by the type of the datasource. The name can always be
 * changed, the address of a web page never.
 */
const FIELDS: Readonly<Record<Datasource['type'], readonly string[]>> = {
  file: [],
  document: [],
  web_page: ['schedule'],
  web_site: ['source_url', 'sitemap', 'schedule'],
  item_listing: ['url', 'schedule', 'full_sync_every'],
};

/** Shows a form that changes the name and the configuration of a datasource. */
export function SettingsTab({ datasource }: { readonly datasource: Datasource }): ReactNode {
  const messages = useMessages(datasourceMessages);
  const { showToast } = useToasts();
  const { mutate, isPending, error, reset } = useUpdateDatasource(datasource.id);
  const [name, setName] = useState(datasource.name);
  const [config, setConfig] = useState(() => getConfigTexts(datasource));
  const [headers, setHeaders] = useState<readonly HeaderLine[]>([]);
  const save = (): void => {
    const changes = Object.entries(config).filter(([field, value]) => value !== getConfigTexts(datasource)[field]);
    const change = {
      ...Object.fromEntries(
        changes.map(([field, value]) => [field, value.trim() === '' ? null : normalizeFieldValue(field, value)]),
      ),
      ...(headers.length === 0 ? {} : { headers: buildHeaders(headers) }),
    };
    const hasChange = Object.keys(change).length > 0;
    mutate(
      { ...(name === datasource.name ? {} : { name: name.trim() }), ...(hasChange ? { config: change } : {}) },
      { onSuccess: () => showToast({ text: (language) => datasourceMessages[language].saved }) },
    );
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
        onChange={setName}
        required
        value={name}
      />
      <ConfigFields config={config} error={error} onChange={setConfig} />
      {datasource.type === 'item_listing' && (
        <>
          <HeadersField error={findFieldError(error, 'config.headers')} lines={headers} onChange={setHeaders} />
          <p className="field-hint">{messages.headersHint}</p>
        </>
      )}
      {error !== null && !isFieldError && <ErrorNotice error={error} />}
      <div>
        <Button disabled={name.trim() === ''} isBusy={isPending} kind="primary" type="submit">
          {messages.save}
        </Button>
      </div>
    </form>
  );
}

function isScheduleField(field: string): boolean {
  return field === 'schedule' || field === 'full_sync_every';
}

/**
 * Converts the text of a configuration field to the value for the API: trims a schedule, and adds `https://` to an
 * address without a scheme.
 */
function normalizeFieldValue(field: string, value: string): string {
  return isScheduleField(field) ? value.trim() : completeAddress(value);
}

type Texts = Readonly<Record<string, string>>;

/** Returns the values of the configuration fields that the user can change as texts; '' for a field without a text. */
function getConfigTexts({ type, config }: Datasource): Texts {
  return Object.fromEntries(
    FIELDS[type].map((field) => {
      const value = config[field];
      return [field, typeof value === 'string' ? value : ''];
    }),
  );
}

interface ConfigFieldsProps {
  readonly config: Texts;
  readonly error: unknown;
  readonly onChange: (config: Texts) => void;
}

function ConfigFields({ config, error, onChange }: ConfigFieldsProps): ReactNode {
  const messages = useMessages(datasourceMessages);
  const labels: Texts = {
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
      onChange: (next: string) => onChange({ ...config, [field]: next }),
      value,
    };
    return isScheduleField(field) ? <ScheduleField key={field} {...props} /> : <AddressField key={field} {...props} />;
  });
}
