import type { Datasource } from '@quarry/client';
import { Fragment, type ReactNode } from 'react';
import { useServerTexts } from '../../language/server-texts.js';

interface RunNotesProps {
  readonly run: Pick<NonNullable<Datasource['run']>, 'notes'>;
}

/** Shows the notes on a run as one text. Notes without a translation are shown in English. */
export function RunNotes({ run }: RunNotesProps): ReactNode {
  const { describeNotes } = useServerTexts();
  return describeNotes(run).map(({ text, language }) => (
    <Fragment key={text}>
      <span lang={language}>{text}</span>{' '}
    </Fragment>
  ));
}

/** Shows the notes on a run as a list, or a single note as a paragraph. */
export function RunNoteList({ run }: RunNotesProps): ReactNode {
  const { describeNotes } = useServerTexts();
  const notes = describeNotes(run);
  const [first] = notes;
  if (first === undefined) return null;
  if (notes.length === 1) return <p lang={first.language}>{first.text}</p>;
  return (
    <ul className="run-notes">
      {notes.map(({ text, language }) => (
        <li key={text} lang={language}>
          {text}
        </li>
      ))}
    </ul>
  );
}

/** Returns true if the notes of a run are the report of a dry run. */
export function isDryRunResult({ notes }: RunNotesProps['run']): boolean {
  return notes.some(({ code }) => code?.startsWith('dry_run') === true);
}
