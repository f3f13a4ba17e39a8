import type { ReactNode } from 'react';
import './fragment-text.css';
import { removeTableRules } from './remove-table-rules.js';
import { splitAtTables, type TextPart } from './split-at-tables.js';

export interface FragmentTextProps {
  readonly text: string;
  /**
   * Number of characters at the start of the text that repeat the end of the previous fragment. They are shown in a
   * fainter color.
   */
  readonly overlap: number;
  /**
   * True to show Markdown tables as tables. False to show them as text; a style sheet then hides all but the first
   * lines of the fragment.
   */
  readonly isComplete: boolean;
}

/** Shows the text of a fragment. */
export function FragmentText({ text, overlap, isComplete }: FragmentTextProps): ReactNode {
  const rest = text.slice(overlap);
  return (
    <div className="fragment-text">
      {overlap > 0 && <span className="muted">{removeTableRules(text.slice(0, overlap))}</span>}
      {isComplete
        ? splitAtTables(rest).map((part, index) => <FragmentTextPart key={index} part={part} />)
        : removeTableRules(rest)}
    </div>
  );
}

function FragmentTextPart({ part }: { readonly part: TextPart }): ReactNode {
  if (part.kind === 'text') return <span className="fragment-lines">{part.text}</span>;
  return (
    <table className="fragment-table">
      <thead>
        <tr>
          {part.head.map((cell, index) => (
            <th key={index} scope="col">
              {cell}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {part.rows.map((cells, row) => (
          <tr key={row}>
            {cells.map((cell, index) => (
              <td key={index}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
