import type { ReactNode } from 'react';
import './data.css';

export interface SplitViewProps {
  readonly first: ReactNode;
  readonly second: ReactNode;
}

/** Shows two panes side by side that scroll independently. In a narrow window, `second` is below `first`. */
export function SplitView({ first, second }: SplitViewProps): ReactNode {
  return (
    <div className="split-view">
      <div>{first}</div>
      <div>{second}</div>
    </div>
  );
}
