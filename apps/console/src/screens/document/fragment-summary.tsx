import type { DatasourceFragment } from '@quarry/client';
import type { ReactNode } from 'react';
import { ShortcutKeys } from '../../components/shortcut-keys.js';
import { useFormats, useMessages } from '../../language/language-context.js';
import { documentMessages } from './messages.js';
import { summarizeFragments } from './summarize-fragments.js';
import { useDocument, type DocumentAddress } from './use-document.js';

export interface FragmentSummaryProps {
  readonly address: DocumentAddress;
  readonly fragments: readonly DatasourceFragment[];
  /** True if the document has fragments that are not loaded. */
  readonly hasMore: boolean;
}

/** Shows the number of passages and tokens of a document, and the keys that select passages. */
export function FragmentSummary({ address, fragments, hasMore }: FragmentSummaryProps): ReactNode {
  const messages = useMessages(documentMessages);
  const formats = useFormats();
  const { data: document } = useDocument(address);
  const { passages, tokens, isComplete } = summarizeFragments(fragments, hasMore, document);
  const mark = isComplete ? '' : ' +';
  return (
    <div className="fragment-summary">
      <h2 className="numbers">
        {formats.plural(passages, { one: messages.fragmentCountOne, other: messages.fragmentCountOther })}
        {mark}
      </h2>
      <span className="muted numbers">
        {formats.plural(tokens, { one: messages.tokensOne, other: messages.tokensOther })}
        {mark}
      </span>
      <span className="fragment-keys">
        <ShortcutKeys keys="j" /> <ShortcutKeys keys="k" /> {messages.keysHint}
      </span>
    </div>
  );
}
