import type { ReactNode } from 'react';
import './data.css';

export type StatusTone = 'neutral' | 'info' | 'success' | 'warning' | 'danger';

export interface StatusBadgeProps {
  readonly tone: StatusTone;
  /** The text of the status, because color must not be the only indication of it. */
  readonly children: ReactNode;
  /** True while work is in progress. The dot of the badge is then animated. */
  readonly isActive?: boolean;
}

/** Shows a status as a word with a colored dot. */
export function StatusBadge({ tone, children, isActive = false }: StatusBadgeProps): ReactNode {
  return (
    <span className={`status status-${tone}`}>
      <span aria-hidden="true" className={isActive ? 'status-dot status-dot-active' : 'status-dot'} />
      {children}
    </span>
  );
}

export interface TagProps {
  readonly children: ReactNode;
  /** The whole text of a tag that may be cut off. */
  readonly title?: string;
}

/** Shows a short label without a status, such as a scope. */
export function Tag({ children, title }: TagProps): ReactNode {
  return (
    <span className="tag" title={title}>
      {children}
    </span>
  );
}
