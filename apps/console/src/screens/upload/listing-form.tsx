import type { ItemListingRequest } from '@quarry/client';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useClient } from '../../api/client-context.js';
import { Button } from '../../components/button.js';
import { findFieldError } from '../../components/find-field-error.js';
import { PreviewIcon } from '../../components/icons.js';
import { NumberField } from '../../components/number-field.js';
import { isNumberText, parseNumberText } from '../../components/number-text.js';
import { useMessages } from '../../language/language-context.js';
import { AddressField } from './address-field.js';
import { completeAddress } from './complete-address.js';
import { ContentForm, omitEmptyFields, useAddContent } from './content-form.js';
import { HeadersField, buildHeaders, type HeaderLine } from './headers-field.js';
import { ListingDryRunReport } from './listing-dry-run-report.js';
import { uploadMessages } from './messages.js';
import { ScheduleField } from './schedule-field.js';
import { getDefaultSchedules } from './schedule-texts.js';
import { NameField } from './web-forms.js';

interface ListingTexts {
  readonly url: string;
  readonly name: string;
  readonly schedule: string;
  readonly fullSchedule: string;
  readonly pageSize: string;
  readonly headers: readonly HeaderLine[];
}

const EMPTY: ListingTexts = { url: '', name: '', schedule: '', fullSchedule: '', pageSize: '', headers: [] };

/** Shows the form that adds an item listing. */
export function ListingForm({ datastoreId }: { readonly datastoreId: string }): ReactNode {
  const messages = useMessages(uploadMessages);
  const client = useClient();
  const [texts, setTexts] = useState(EMPTY);
  const adding = useAddContent(async () => client.createDatasource(buildListingRequest(datastoreId, texts)));
  const dryRun = useMutation({
    mutationFn: async () => client.dryRunDatasource(buildListingRequest(datastoreId, texts)),
    onMutate: () => adding.reset(),
  });
  const error = adding.error ?? dryRun.error;
  const isComplete = texts.url.trim() !== '' && isNumberText(texts.pageSize, 'whole');
  const changeTexts = (change: Partial<ListingTexts>): void => {
    setTexts({ ...texts, ...change });
    // The report of a dry run refers to the values before the edit, so an edit removes the report.
    dryRun.reset();
  };
  const add = (): void => {
    dryRun.reset();
    adding.add();
  };
  const dryRunButton = (
    <Button disabled={!isComplete} icon={PreviewIcon} isBusy={dryRun.isPending} onClick={() => dryRun.mutate()}>
      {messages.dryRun}
    </Button>
  );
  return (
    <ContentForm
      error={error}
      isBusy={adding.isPending}
      isComplete={isComplete}
      onEdit={adding.reset}
      onSubmit={add}
      otherAction={dryRunButton}
    >
      <ListingFields error={error} onChange={changeTexts} texts={texts} />
      <p className="field-hint">{messages.dryRunHint}</p>
      <div aria-live="polite">
        {dryRun.isPending && <p className="muted">{messages.dryRunReading}</p>}
        {dryRun.data !== undefined && <ListingDryRunReport report={dryRun.data} />}
      </div>
    </ContentForm>
  );
}

interface FieldsProps {
  readonly texts: ListingTexts;
  readonly error: Error | null;
  readonly onChange: (change: Partial<ListingTexts>) => void;
}

function ListingFields({ texts, error, onChange }: FieldsProps): ReactNode {
  const messages = useMessages(uploadMessages);
  const defaults = getDefaultSchedules('item_listing', texts.schedule);
  return (
    <>
      <AddressField
        error={findFieldError(error, 'config.url')}
        hint={messages.listingHint}
        label={messages.listingUrl}
        onChange={(url) => onChange({ url })}
        value={texts.url}
      />
      <NameField error={findFieldError(error, 'name')} onChange={(name) => onChange({ name })} value={texts.name} />
      <HeadersField
        error={findFieldError(error, 'config.headers')}
        lines={texts.headers}
        onChange={(headers) => onChange({ headers })}
      />
      <div className="form-row schedule-row">
        <ScheduleField
          defaultSchedule={defaults.schedule}
          error={findFieldError(error, 'config.schedule')}
          label={messages.schedule}
          onChange={(schedule) => onChange({ schedule })}
          value={texts.schedule}
        />
        <ScheduleField
          defaultSchedule={defaults.full_sync_every}
          error={findFieldError(error, 'config.full_sync_every')}
          hint={messages.fullScheduleHint}
          label={messages.fullSchedule}
          onChange={(fullSchedule) => onChange({ fullSchedule })}
          value={texts.fullSchedule}
        />
      </div>
      <NumberField
        error={findFieldError(error, 'config.page_size')}
        isOptional
        kind="whole"
        label={messages.pageSize}
        onChange={(pageSize) => onChange({ pageSize })}
        value={texts.pageSize}
      />
    </>
  );
}

function buildListingRequest(datastoreId: string, texts: ListingTexts): ItemListingRequest {
  const { url, name, schedule, fullSchedule } = texts;
  const pageSize = parseNumberText(texts.pageSize, 'whole');
  const headers = buildHeaders(texts.headers);
  return {
    type: 'item_listing',
    datastoreId,
    config: {
      url: completeAddress(url),
      ...omitEmptyFields({ schedule, full_sync_every: fullSchedule }),
      ...(pageSize === null ? {} : { page_size: pageSize }),
      ...(Object.keys(headers).length === 0 ? {} : { headers }),
    },
    ...omitEmptyFields({ name }),
  };
}
