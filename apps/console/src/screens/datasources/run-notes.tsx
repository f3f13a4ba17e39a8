import type { Datasource } from '@quarry/client';
import { Fragment, type ReactNode } from 'react';
import { useServerTexts } from '../../language/server-texts.js';

/** Shows the notes on a run in the language of the console, if they have a translation. */
export function RunNotes({ run }: { readonly run: Pick<NonNullable<Datasource['run']>, 'notes'> }): ReactNode {
  const { describeNotes } = useServerTexts();
  return describeNotes(run).map(({ text, language }) => (
    <Fragment key={text}>
      <span lang={language}>{text}</span>{' '}
    </Fragment>
  ));
}
