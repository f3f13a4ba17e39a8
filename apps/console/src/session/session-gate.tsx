import type { Session } from '@quarry/client';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { useClient } from '../api/client-context.js';
import { isSignedOutError } from '../api/create-query-client.js';
import { trimAndRefreshLists } from '../api/long-lists.js';
import { Dialog } from '../components/dialog.js';
import { ErrorNotice } from '../components/error-notice.js';
import { useMessages } from '../language/language-context.js';
import { sessionMessages } from './messages.js';
import { SignInForm } from './sign-in-form.js';
import { SignInPage } from './sign-in-page.js';
import { SESSION_KEY, SessionProvider, useSessionQuery } from './use-session.js';

export interface SessionGateProps {
  /** The one-time code of a sign-in link. Undefined if the page was not opened by such a link. */
  readonly code: string | undefined;
  /** True after the API has refused a request because the session has ended. */
  readonly hasEnded: boolean;
  readonly onSignedIn: () => void;
  readonly children: ReactNode;
}

/**
 * Shows the screens to users who are signed in, and the sign-in page to other users. When the session ends later, shows
 * a sign-in dialog above the screen, which stays mounted, so that typed text is not lost.
 */
export function SessionGate({ code, hasEnded, onSignedIn, children }: SessionGateProps): ReactNode {
  const messages = useMessages(sessionMessages);
  const queries = useQueryClient();
  const redemption = useSignInCodeRedemption(code);
  const { data: session, error, refetch } = useSessionQuery(redemption !== 'pending');
  const handleSignIn = (next: Session): void => {
    // After a change of the organization, no screen may show data of the previous organization.
    if (session !== undefined && session.organization.id !== next.organization.id) queries.clear();
    // Another key may have access to less data, so cached data that no screen shows is removed. Shown data is loaded
    // again below.
    else if (session !== undefined && session.key.id !== next.key.id) queries.removeQueries({ type: 'inactive' });
    queries.setQueryData(SESSION_KEY, next);
    onSignedIn();
    void trimAndRefreshLists(queries, { predicate: ({ queryKey }) => queryKey[0] !== SESSION_KEY[0] });
  };
  if (redemption === 'pending') return null;
  if (session === undefined) {
    if (error === null) return null;
    if (!isSignedOutError(error)) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
    return (
      <SignInPage notice={redemption === 'refused' ? messages.codeRefused : undefined} onSignedIn={handleSignIn} />
    );
  }
  return (
    <SessionProvider key={session.organization.id} value={session}>
      {children}
      <Dialog
        description={messages.expiredIntro}
        isOpen={hasEnded}
        isPersistent
        onClose={onSignedIn}
        title={messages.expiredTitle}
        width="narrow"
      >
        <SignInForm onSignedIn={handleSignIn} />
      </Dialog>
    </SessionProvider>
  );
}

type Redemption = 'none' | 'pending' | 'done' | 'refused';

/**
 * Signs in with a one-time code when the console opens, and returns the state of the sign-in. `none`: there is no code.
 */
function useSignInCodeRedemption(code: string | undefined): Redemption {
  const client = useClient();
  const queries = useQueryClient();
  const [redemption, setRedemption] = useState<Redemption>(code === undefined ? 'none' : 'pending');
  useEffect(() => {
    if (code === undefined) return;
    client.startSession({ code }).then(
      (session) => {
        queries.setQueryData(SESSION_KEY, session);
        setRedemption('done');
      },
      () => {
        setRedemption('refused');
      },
    );
  }, [client, code, queries]);
  return redemption;
}
