import { useState, type ReactNode } from 'react';
import { useClient } from '../../api/client-context.js';
import { findFieldError, type FieldProblem } from '../../components/find-field-error.js';
import { TextField } from '../../components/text-field.js';
import { useMessages } from '../../language/language-context.js';
import { AddressField } from './address-field.js';
import { completeAddress } from './complete-address.js';
import { ContentForm, omitEmptyFields, useAddContent } from './content-form.js';
import { uploadMessages } from './messages.js';
import { ScheduleField } from './schedule-field.js';
import { getDefaultSchedules } from './schedule-texts.js';

interface FormProps {
  readonly datastoreId: string;
}

/** Shows the form that adds a web page. */
export function WebPageForm({ datastoreId }: FormProps): ReactNode {
  const messages = useMessages(uploadMessages);
  const client = useClient();
  const [address, setAddress] = useState('');
  const [name, setName] = useState('');
  const [schedule, setSchedule] = useState('');
  const { add, isPending, error, reset } = useAddContent(async () =>
    client.createDatasource({
      type: 'web_page',
      datastoreId,
      config: { source_url: completeAddress(address), ...omitEmptyFields({ schedule }) },
      ...omitEmptyFields({ name }),
    }),
  );
  return (
    <ContentForm error={error} isBusy={isPending} isComplete={address.trim() !== ''} onEdit={reset} onSubmit={add}>
      <AddressField
        error={findFieldError(error, 'config.source_url')}
        label={messages.address}
        onChange={setAddress}
        value={address}
      />
      <NameField error={findFieldError(error, 'name')} onChange={setName} value={name} />
      <ScheduleField
        defaultSchedule={getDefaultSchedules('web_page', schedule).schedule}
        error={findFieldError(error, 'config.schedule')}
        label={messages.schedule}
        onChange={setSchedule}
        value={schedule}
      />
    </ContentForm>
  );
}

/** Shows the form that adds a web site by its start page, its sitemap or both. */
export function WebSiteForm({ datastoreId }: FormProps): ReactNode {
  const messages = useMessages(uploadMessages);
  const client = useClient();
  const [start, setStart] = useState('');
  const [sitemap, setSitemap] = useState('');
  const [name, setName] = useState('');
  const [schedule, setSchedule] = useState('');
  const { add, isPending, error, reset } = useAddContent(async () =>
    client.createDatasource({
      type: 'web_site',
      datastoreId,
      config: omitEmptyFields({ source_url: completeAddress(start), sitemap: completeAddress(sitemap), schedule }),
      ...omitEmptyFields({ name }),
    }),
  );
  return (
    <ContentForm
      error={error}
      isBusy={isPending}
      isComplete={start.trim() !== '' || sitemap.trim() !== ''}
      onEdit={reset}
      onSubmit={add}
    >
      <AddressField
        error={findFieldError(error, 'config.source_url')}
        hint={messages.siteStartHint}
        label={messages.siteStart}
        onChange={setStart}
        value={start}
      />
      <AddressField
        error={findFieldError(error, 'config.sitemap')}
        hint={messages.sitemapHint}
        isOptional
        label={messages.sitemap}
        onChange={setSitemap}
        value={sitemap}
      />
      <NameField error={findFieldError(error, 'name')} onChange={setName} value={name} />
      <ScheduleField
        defaultSchedule={getDefaultSchedules('web_site', schedule).schedule}
        error={findFieldError(error, 'config.schedule')}
        label={messages.schedule}
        onChange={setSchedule}
        value={schedule}
      />
    </ContentForm>
  );
}

interface NameFieldProps {
  readonly value: string;
  readonly error: FieldProblem | undefined;
  readonly onChange: (value: string) => void;
}

/** Shows a field for the name of a datasource. */
export function NameField(props: NameFieldProps): ReactNode {
  const messages = useMessages(uploadMessages);
  return <TextField {...props} hint={messages.nameHint} isOptional label={messages.name} maxLength={500} />;
}
