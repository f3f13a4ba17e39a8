import type { ReactNode } from 'react';
import { CopyButton } from './copy-button.js';
import './data.css';
import { joinClasses } from './join-classes.js';

export interface CodeBlockProps {
  readonly code: string;
  /** The name of the code, which screen readers announce. */
  readonly label: string;
  /** True to wrap long lines instead of scrolling. */
  readonly isWrapped?: boolean;
}

/** Shows code or a secret in a fixed-width font, with a button that copies it. */
export function CodeBlock({ code, label, isWrapped = false }: CodeBlockProps): ReactNode {
  return (
    <div className={joinClasses('code-block', isWrapped && 'code-block-wrapped')}>
      {/* eslint-disable-next-line jsx-a11y-x/no-noninteractive-tabindex -- keyboards scroll it (WCAG 2.1.1) */}
      <pre aria-label={label} role="region" tabIndex={0}>
        <code>{code}</code>
      </pre>
      <CopyButton text={code} />
    </div>
  );
}
