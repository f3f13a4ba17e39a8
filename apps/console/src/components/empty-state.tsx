import type { ReactNode } from 'react';
import './states.css';
import type { Icon } from './icons.js';

export interface EmptyStateProps {
  readonly icon: Icon;
  /** Text that names the missing content, such as `No datastores yet`. */
  readonly title: string;
  /** Instructions for the next step, in one or two sentences. */
  readonly children: ReactNode;
  /** The buttons with which the user takes the next step. */
  readonly actions?: ReactNode;
}

/** Shows instructions for the next step on a screen or list without content. */
export function EmptyState({ icon: StateIcon, title, children, actions }: EmptyStateProps): ReactNode {
  return (
    <div className="empty-state">
      <span className="empty-state-icon">
        <StateIcon size={22} />
      </span>
      <h2>{title}</h2>
      <p className="muted">{children}</p>
      {actions !== undefined && <div className="empty-state-actions">{actions}</div>}
    </div>
  );
}
