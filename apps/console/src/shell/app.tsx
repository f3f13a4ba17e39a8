import { createClient } from '@quarry/client';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useCallback, useEffect, useState, type ReactNode } from 'react';
import { ClientProvider } from '../api/client-context.js';
import { createObservedFetch } from '../api/create-observed-fetch.js';
import { createQueryClient } from '../api/create-query-client.js';
import { WarningIcon } from '../components/icons.js';
import { ToastProvider } from '../components/toasts.js';
import { LanguageProvider, useMessages } from '../language/language-context.js';
import { createConsoleRouter } from './create-console-router.js';
import { readSignInCode } from '../session/read-sign-in-code.js';
import { SessionGate } from '../session/session-gate.js';
import { shellMessages } from './messages.js';
import { useConnectionState } from './use-connection-state.js';

export interface AppProps {
  /** The address of the console, such as `https://example.org/quarry/`. */
  readonly baseUrl: URL;
}

/** Shows the console: sets up its providers, its session and its screens. */
export function App({ baseUrl }: AppProps): ReactNode {
  const [hasEnded, setHasEnded] = useState(false);
  const [hasFailed, setHasFailed] = useState(false);
  const [{ client, queries, router, code }] = useState(() => ({
    client: createClient({
      baseUrl: new URL('api', baseUrl).href,
      fetch: createObservedFetch(async (input, init) => fetch(input, init), {
        onSignedOut: () => {
          setHasEnded(true);
        },
        onUnreachable: () => {
          setHasFailed(true);
        },
      }),
    }),
    queries: createQueryClient(),
    code: readSignInCode(window, baseUrl.pathname),
    router: createConsoleRouter(baseUrl.pathname),
  }));
  useEffect(() => {
    // Vite emits this event if code of the console cannot be loaded.
    const handleFailure = (): void => setHasFailed(true);
    addEventListener('vite:preloadError', handleFailure);
    return () => removeEventListener('vite:preloadError', handleFailure);
  }, []);
  const handleSignIn = useCallback(() => {
    setHasEnded(false);
  }, []);
  const handleRecovery = useCallback(() => {
    setHasFailed(false);
  }, []);
  return (
    <LanguageProvider>
      <ClientProvider value={client}>
        <QueryClientProvider client={queries}>
          <ToastProvider>
            <ConnectionBanner hasFailed={hasFailed} onRecovered={handleRecovery} />
            <SessionGate code={code} hasEnded={hasEnded} onSignedIn={handleSignIn}>
              <RouterProvider router={router} />
            </SessionGate>
          </ToastProvider>
        </QueryClientProvider>
      </ClientProvider>
    </LanguageProvider>
  );
}

interface ConnectionBannerProps {
  readonly hasFailed: boolean;
  readonly onRecovered: () => void;
}

function ConnectionBanner({ hasFailed, onRecovered }: ConnectionBannerProps): ReactNode {
  const messages = useMessages(shellMessages);
  const state = useConnectionState(hasFailed, onRecovered);
  return (
    <div role="status">
      {state !== 'connected' && (
        <p className="banner">
          <WarningIcon />
          {messages[state]}
        </p>
      )}
    </div>
  );
}
