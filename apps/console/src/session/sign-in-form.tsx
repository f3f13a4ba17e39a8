import type { Session } from '@quarry/client';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useClient } from '../api/client-context.js';
import { isSignedOutError } from '../api/create-query-client.js';
import { Button } from '../components/button.js';
import { ErrorNotice } from '../components/error-notice.js';
import { TextField } from '../components/text-field.js';
import { useMessages } from '../language/language-context.js';
import { sessionMessages } from './messages.js';

export interface SignInFormProps {
  readonly onSignedIn: (session: Session) => void;
}

/** Shows the form that signs in with an API key. The browser sends the key once and does not store it. */
export function SignInForm({ onSignedIn }: SignInFormProps): ReactNode {
  const client = useClient();
  const messages = useMessages(sessionMessages);
  const [apiKey, setApiKey] = useState('');
  const { mutate, error, isPending } = useMutation({
    mutationFn: async (key: string) => client.startSession({ apiKey: key }),
    onSuccess: onSignedIn,
  });
  const isRefused = isSignedOutError(error);
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isPending && apiKey.trim() !== '') mutate(apiKey.trim());
      }}
    >
      <TextField
        autoCapitalize="none"
        autoComplete="current-password"
        // eslint-disable-next-line jsx-a11y-x/no-autofocus -- it is the only control of the page
        autoFocus
        error={isRefused ? messages.refused : undefined}
        hint={messages.keyHint}
        isCode
        label={messages.key}
        name="apiKey"
        onChange={setApiKey}
        required
        spellCheck={false}
        type="password"
        value={apiKey}
      />
      {error !== null && !isRefused && <ErrorNotice error={error} title={messages.notSignedIn} />}
      <Button disabled={apiKey.trim() === ''} isBusy={isPending} kind="primary" type="submit">
        {messages.signIn}
      </Button>
    </form>
  );
}
