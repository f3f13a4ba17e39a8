import type { ReactNode } from 'react';
import './data.css';

export type StatusTone = 'neutral' | 'info' | 'success' | 'warning' | 'danger';

export interface StatusBadgeProps {
  readonly tone: StatusTone;
  /** The status as text, because color must not be the only sign. */
  readonly children: ReactNode;
  /** True if work is in progress, which animates the dot. */
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

/** Shows a short label without a status, such as a scope. */
export function Tag({ children }: { readonly children: ReactNode }): ReactNode {
  return <span className="tag">{children}</span>;
}
