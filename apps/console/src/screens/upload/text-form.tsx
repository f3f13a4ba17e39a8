import { useState, type ReactNode } from 'react';
import { useClient } from '../../api/client-context.js';
import { findFieldError } from '../../components/find-field-error.js';
import { TextArea, TextField } from '../../components/text-field.js';
import { useMessages } from '../../language/language-context.js';
import { AddressField } from './address-field.js';
import { completeAddress } from './complete-address.js';
import { ContentForm, useAddContent } from './content-form.js';
import { uploadMessages } from './messages.js';

/** Shows the form that adds a pasted text. */
export function TextForm({ datastoreId }: { readonly datastoreId: string }): ReactNode {
  const messages = useMessages(uploadMessages);
  const client = useClient();
  const [name, setName] = useState('');
  const [text, setText] = useState('');
  const [source, setSource] = useState('');
  const { add, isPending, error, reset } = useAddContent(async () => {
    const metadata = source.trim() === '' ? {} : { metadata: { source: completeAddress(source) } };
    const { ids } = await client.upsertDocuments(datastoreId, [{ name: name.trim(), text, ...metadata }]);
    return { id: ids[0] ?? '', name };
  });
  return (
    <ContentForm
      error={error}
      isBusy={isPending}
      isComplete={name.trim() !== '' && text.trim() !== ''}
      onEdit={reset}
      onSubmit={add}
    >
      <TextField
        error={findFieldError(error, 'documents.0.name')}
        label={messages.textName}
        maxLength={500}
        onChange={setName}
        required
        value={name}
      />
      <TextArea
        error={findFieldError(error, 'documents.0.text')}
        hint={messages.textHint}
        label={messages.textLabel}
        onChange={setText}
        required
        rows={10}
        value={text}
      />
      <AddressField
        error={findFieldError(error, 'documents.0.metadata.source') ?? findFieldError(error, 'documents.0.metadata')}
        hint={messages.sourceHint}
        isOptional
        label={messages.sourceUrl}
        onChange={setSource}
        value={source}
      />
    </ContentForm>
  );
}
