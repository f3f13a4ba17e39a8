import type { ReactNode } from 'react';
import './data.css';

export interface SplitViewProps {
  readonly first: ReactNode;
  readonly second: ReactNode;
}

/** Shows two panes that scroll independently, one below the other on narrow screens. */
export function SplitView({ first, second }: SplitViewProps): ReactNode {
  return (
    <div className="split-view">
      <div>{first}</div>
      <div>{second}</div>
    </div>
  );
}
