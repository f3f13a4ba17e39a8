import type { DatasourceDocument } from '@quarry/client';
import type { ReactNode } from 'react';
import { PathName } from '../../components/path-name.js';
import { ScreenLink, useHasScreen } from '../../routing/screen-link.js';

export interface DocumentLinkProps {
  readonly datasourceId: string;
  readonly document: DatasourceDocument;
}

/** Shows the name of a document. The name is a link if the document has searchable passages. */
export function DocumentLink({ datasourceId, document }: DocumentLinkProps): ReactNode {
  const { documentKey, name, fragments } = document;
  const text = name ?? documentKey;
  const hasScreen = useHasScreen('document');
  if (fragments === 0 || !hasScreen) {
    return (
      <span className="truncate">
        <PathName name={text} />
      </span>
    );
  }
  return (
    <ScreenLink className="truncate" parameters={{ datasourceId, documentId: documentKey }} to="document">
      <PathName name={text} />
    </ScreenLink>
  );
}
