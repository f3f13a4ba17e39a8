import { createRandomId, type Datastore } from '@quarry/client';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useClient } from '../../api/client-context.js';
import { Button } from '../../components/button.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { findFieldError } from '../../components/find-field-error.js';
import { Tabs } from '../../components/tabs.js';
import { TextArea } from '../../components/text-field.js';
import { useMessages } from '../../language/language-context.js';
import { ScreenLink } from '../../routing/screen-link.js';
import { AddressField } from '../upload/address-field.js';
import { completeAddress } from '../upload/complete-address.js';
import { FilePickers } from '../upload/file-uploads.js';
import type { ChosenFile } from '../upload/upload-queue.js';
import { firstRunMessages } from './messages.js';
import { NEW_DATASTORE, type FirstDatastore } from './use-first-datastore.js';

export interface AddContentStepProps {
  readonly first: FirstDatastore;
  readonly onFiles: (files: readonly ChosenFile[]) => void;
  /** The error with which the upload of the last added files failed. Null without a failure. */
  readonly error: Error | null;
}

const KINDS = ['files', 'text', 'address'] as const;
type Kind = (typeof KINDS)[number];

/** Shows the first step, in which the user adds files, a pasted text or a web page. */
export function AddContentStep({ first, onFiles, error }: AddContentStepProps): ReactNode {
  const { datastore, requireDatastore } = first;
  const messages = useMessages(firstRunMessages);
  const client = useClient();
  const [kind, setKind] = useState<Kind>('files');
  const addText = async (text: string): Promise<void> => {
    // The id keeps texts with the same first line apart, because texts with the same name replace each other.
    const document = { id: createRandomId(), name: buildTextName(text, messages.textName), text };
    await client.upsertDocuments(await requireDatastore(), [document]);
  };
  const addPage = async (address: string): Promise<void> => {
    const config = { source_url: completeAddress(address) };
    await client.createDatasource({ type: 'web_page', datastoreId: await requireDatastore(), config });
  };
  const contents: Readonly<Record<Kind, ReactNode>> = {
    files: <FilePickers isSmall={datastore !== undefined} onFiles={onFiles} />,
    text: <SingleFieldForm key="text" kind="text" onAdd={addText} />,
    address: <SingleFieldForm key="address" kind="address" onAdd={addPage} />,
  };
  return (
    <>
      <Tabs
        label={messages.kinds}
        onChange={setKind}
        tabs={KINDS.map((name) => ({ name, title: messages[name], content: contents[name] }))}
        value={kind}
      />
      {error !== null && <ErrorNotice error={error} />}
      {datastore === undefined ? <NewDatastoreChoice {...first} /> : <ExistingDatastoreChoice datastore={datastore} />}
    </>
  );
}

/** Shows the datastore to which content is added, and a link with which the user chooses a new datastore. */
function ExistingDatastoreChoice({ datastore: { id, name } }: { readonly datastore: Datastore }): ReactNode {
  const messages = useMessages(firstRunMessages);
  return (
    <div className="step-choice">
      <p>
        {messages.addsTo}{' '}
        <ScreenLink parameters={{ datastoreId: id }} to="datastore">
          {name}
        </ScreenLink>
      </p>
      <ScreenLink className="button button-secondary" search={{ datastore: NEW_DATASTORE }} to="firstRun">
        {messages.startNew}
      </ScreenLink>
    </div>
  );
}

/**
 * Shows the name of the datastore that is created for the content. If `canContinue` is true, shows a link back to the
 * last datastore.
 */
function NewDatastoreChoice({ newName, canContinue }: FirstDatastore): ReactNode {
  const messages = useMessages(firstRunMessages);
  return (
    <div className="step-choice">
      <p className="field-hint">{newName !== undefined && messages.datastoreHint(newName)}</p>
      {canContinue && (
        <ScreenLink className="button button-secondary" to="firstRun">
          {messages.continueLast}
        </ScreenLink>
      )}
    </div>
  );
}

const MAX_NAME = 60;

/** Returns the name of a pasted text: the shortened first line, or the fallback if this line is empty. */
function buildTextName(text: string, fallback: string): string {
  const line =
    text
      .trim()
      .split('\n')[0]
      ?.replace(/^#+\s*/, '') ?? '';
  if (line === '') return fallback;
  return line.length <= MAX_NAME ? line : `${line.slice(0, MAX_NAME - 1).trimEnd()}…`;
}

interface SingleFieldFormProps {
  readonly kind: 'text' | 'address';
  readonly onAdd: (value: string) => Promise<void>;
}

function SingleFieldForm({ kind, onAdd }: SingleFieldFormProps): ReactNode {
  const messages = useMessages(firstRunMessages);
  const [value, setValue] = useState('');
  const { mutate, isPending, error, reset } = useMutation({ mutationFn: onAdd, onSuccess: () => setValue('') });
  const fieldError = kind === 'address' ? findFieldError(error, 'config.source_url') : undefined;
  return (
    <form
      className="form"
      // The error refers to the value before the edit, so an edit removes the error.
      onChange={() => {
        if (error !== null) reset();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        if (value.trim() !== '' && !isPending) mutate(value.trim());
      }}
    >
      {kind === 'text' ? (
        <TextArea label={messages.textLabel} onChange={setValue} rows={6} value={value} />
      ) : (
        <AddressField error={fieldError} label={messages.addressLabel} onChange={setValue} value={value} />
      )}
      {error !== null && fieldError === undefined && <ErrorNotice error={error} />}
      <div>
        <Button disabled={value.trim() === ''} isBusy={isPending} kind="primary" type="submit">
          {messages.add}
        </Button>
      </div>
    </form>
  );
}
