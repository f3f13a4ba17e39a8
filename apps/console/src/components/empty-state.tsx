import type { ReactNode } from 'react';
import './states.css';
import type { Icon } from './icons.js';

export interface EmptyStateProps {
  readonly icon: Icon;
  /** Names what is missing, such as `No datastores yet`. */
  readonly title: string;
  /** Says what to do, in one or two sentences. */
  readonly children: ReactNode;
  /** The buttons of the next step. */
  readonly actions?: ReactNode;
}

/** Fills a screen or list that has no content, and says what to do. */
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
