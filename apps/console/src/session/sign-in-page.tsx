import type { Session } from '@quarry/client';
import type { ReactNode } from 'react';
import { LogoIcon } from '../components/icons.js';
import { useMessages } from '../language/language-context.js';
import { AppearanceMenus } from '../appearance/appearance-menus.js';
import { sessionMessages } from './messages.js';
import { SignInForm } from './sign-in-form.js';
import './sign-in.css';

export interface SignInPageProps {
  readonly onSignedIn: (session: Session) => void;
  /** The reason why a sign-in link did not work. Undefined without such a failure. */
  readonly notice?: string | undefined;
}

/**
 * Shows the page for users who are not signed in. The address of the requested screen stays the same, so that the
 * screen opens after the sign-in.
 */
export function SignInPage({ onSignedIn, notice }: SignInPageProps): ReactNode {
  const messages = useMessages(sessionMessages);
  return (
    <div className="sign-in">
      <main className="sign-in-card">
        <LogoIcon size={36} />
        <h1>{messages.title}</h1>
        <p className="muted">{messages.intro}</p>
        {notice !== undefined && (
          <p className="sign-in-notice" role="alert">
            {notice}
          </p>
        )}
        <SignInForm onSignedIn={onSignedIn} />
      </main>
      <footer className="sign-in-footer">
        <AppearanceMenus />
      </footer>
    </div>
  );
}
