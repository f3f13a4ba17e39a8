import type { ReactNode } from 'react';
import { useMessages } from '../language/language-context.js';
import { componentMessages } from './messages.js';
import './states.css';

export interface SkeletonProps {
  /** Number of placeholder lines. Default: 3. */
  readonly lines?: number;
  /** Height of the placeholder lines: of table rows or of lines of text. Default: `text`. */
  readonly shape?: 'text' | 'rows';
}

/**
 * Shows a placeholder for content that is being loaded. It appears after 150 ms, so that fast responses cause no
 * flicker.
 */
export function Skeleton({ lines = 3, shape = 'text' }: SkeletonProps): ReactNode {
  const messages = useMessages(componentMessages);
  return (
    <div aria-busy="true" className={`skeleton skeleton-${shape}`} role="status">
      <span className="visually-hidden">{messages.loading}</span>
      {Array.from({ length: lines }, (_line, index) => (
        <span aria-hidden="true" className="skeleton-line" key={index} />
      ))}
    </div>
  );
}
