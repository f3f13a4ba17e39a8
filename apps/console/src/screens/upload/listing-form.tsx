import type { CreateDatasourceRequest } from '@quarry/client';
import { useState, type ReactNode } from 'react';
import { useClient } from '../../api/client-context.js';
import { findFieldError } from '../../components/find-field-error.js';
import { TextField } from '../../components/text-field.js';
import { useMessages } from '../../language/language-context.js';
import { ContentForm, omitEmptyFields, useAddContent } from './content-form.js';
import { HeadersField, toHeaders, type HeaderLine } from './headers-field.js';
import { uploadMessages } from './messages.js';
import { ScheduleField } from './schedule-field.js';
import { AddressField, NameField } from './web-forms.js';

interface ListingTexts {
  readonly url: string;
  readonly name: string;
  readonly schedule: string;
  readonly fullSchedule: string;
  readonly pageSize: string;
  readonly headers: readonly HeaderLine[];
}

const EMPTY: ListingTexts = { url: '', name: '', schedule: '', fullSchedule: '', pageSize: '', headers: [] };

/** Adds an item listing. */
export function ListingForm({ datastoreId }: { readonly datastoreId: string }): ReactNode {
  const messages = useMessages(uploadMessages);
  const client = useClient();
  const [texts, setTexts] = useState(EMPTY);
  const { mutate, isPending, error } = useAddContent(async () =>
    client.createDatasource(buildListingRequest(datastoreId, texts)),
  );
  const set = (change: Partial<ListingTexts>): void => setTexts({ ...texts, ...change });
  return (
    <ContentForm error={error} isBusy={isPending} isComplete={texts.url.trim() !== ''} onSubmit={() => mutate()}>
      <AddressField
        error={findFieldError(error, 'config.url')}
        hint={messages.listingHint}
        label={messages.listingUrl}
        onChange={(url) => set({ url })}
        value={texts.url}
      />
      <NameField error={findFieldError(error, 'name')} onChange={(name) => set({ name })} value={texts.name} />
      <HeadersField
        error={findFieldError(error, 'config.headers')}
        lines={texts.headers}
        onChange={(headers) => set({ headers })}
      />
      <div className="form-row">
        <ScheduleField
          error={findFieldError(error, 'config.schedule')}
          label={messages.schedule}
          onChange={(schedule) => set({ schedule })}
          value={texts.schedule}
        />
        <ScheduleField
          error={findFieldError(error, 'config.full_sync_every')}
          hint={messages.fullScheduleHint}
          label={messages.fullSchedule}
          onChange={(fullSchedule) => set({ fullSchedule })}
          value={texts.fullSchedule}
        />
        <TextField
          error={findFieldError(error, 'config.page_size')}
          inputMode="numeric"
          isOptional
          label={messages.pageSize}
          onChange={(pageSize) => set({ pageSize })}
          value={texts.pageSize}
        />
      </div>
      <p className="field-hint">{messages.dryRunHint}</p>
    </ContentForm>
  );
}

function buildListingRequest(datastoreId: string, texts: ListingTexts): CreateDatasourceRequest {
  const { url, name, schedule, fullSchedule, pageSize } = texts;
  const headers = toHeaders(texts.headers);
  return {
    type: 'item_listing',
    datastoreId,
    config: {
      url: url.trim(),
      ...omitEmptyFields({ schedule, full_sync_every: fullSchedule }),
      ...(pageSize.trim() === '' ? {} : { page_size: Number(pageSize) }),
      ...(Object.keys(headers).length === 0 ? {} : { headers }),
    },
    ...omitEmptyFields({ name }),
  };
}
