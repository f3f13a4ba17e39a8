import { QuarryError, type Session } from '@quarry/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, type ReactNode } from 'react';
import { useClient } from '../api/client-context.js';
import { isSignedOutError } from '../api/create-query-client.js';
import { Dialog } from '../components/dialog.js';
import { ErrorNotice } from '../components/error-notice.js';
import { useMessages } from '../language/language-context.js';
import { sessionMessages } from './messages.js';
import { separateSessions } from './separate-sessions.js';
import { getSessionChannel } from './session-channel.js';
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
  useSessionOfOtherTabs();
  const acceptSession = (next: Session): void => {
    separateSessions(queries, next);
    onSignedIn();
  };
  const handleSignIn = (next: Session): void => {
    acceptSession(next);
    queries.setQueryData(SESSION_KEY, next);
    getSessionChannel().postMessage('signed-in');
  };
  const { isRedeeming, error: codeError, retry } = useSignInCodeRedemption(code, handleSignIn);
  const { data: session, error, refetch } = useSessionQuery(!isRedeeming, acceptSession);
  if (isRedeeming) return null;
  const isCodeRefused = isRefusedCodeError(codeError);
  if (session === undefined) {
    if (codeError !== null && !isCodeRefused)
      return <ErrorNotice error={codeError} onRetry={retry} title={messages.notSignedIn} />;
    if (error === null) return null;
    if (!isSignedOutError(error)) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
    return <SignInPage notice={isCodeRefused ? messages.codeRefused : undefined} onSignedIn={handleSignIn} />;
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

interface Redemption {
  /** True until Quarry has responded to the code. False without a code. */
  readonly isRedeeming: boolean;
  readonly error: Error | null;
  readonly retry: () => void;
}

/** Signs in with a one-time code when the console opens, and returns the state of the sign-in. */
function useSignInCodeRedemption(code: string | undefined, onSignedIn: (session: Session) => void): Redemption {
  const client = useClient();
  const { mutate, isIdle, isPending, error } = useMutation({
    mutationFn: async (oneTimeCode: string) => client.startSession({ code: oneTimeCode }),
    onSuccess: onSignedIn,
  });
  const redeem = useCallback(() => {
    if (code !== undefined) mutate(code);
  }, [code, mutate]);
  useEffect(redeem, [redeem]);
  return { isRedeeming: code !== undefined && (isIdle || isPending), error, retry: redeem };
}

/** Returns true if Quarry does not accept the code. After any other error, the code may still be valid. */
function isRefusedCodeError(error: unknown): boolean {
  return error instanceof QuarryError && [400, 401, 410].includes(error.status);
}

/** Loads the session again after a sign-in or a sign-out in another tab. */
function useSessionOfOtherTabs(): void {
  const queries = useQueryClient();
  useEffect(() => {
    const channel = getSessionChannel();
    const reload = (): void => void queries.invalidateQueries({ queryKey: SESSION_KEY });
    channel.addEventListener('message', reload);
    return () => channel.removeEventListener('message', reload);
  }, [queries]);
}
