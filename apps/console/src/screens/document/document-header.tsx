import type { Datasource } from '@quarry/client';
import type { ReactNode } from 'react';
import { ExternalIcon, PlaygroundIcon } from '../../components/icons.js';
import { useMessages } from '../../language/language-context.js';
import { PageHeader, type Crumb } from '../../page/page-header.js';
import { ScreenLink } from '../../routing/screen-link.js';
import { useDatastore } from '../datasources/use-datasources.js';
import { documentMessages } from './messages.js';
import { useDatasource } from '../datasources/use-datasources.js';
import { useDocument, type DocumentAddress } from './use-document.js';
import { parseWebAddress } from './web-address.js';

/**
 * Shows the name of a document, its datastore and datasource, and a link to the web page or file from which the
 * document was read.
 */
export function DocumentHeader({ datasourceId, documentKey }: DocumentAddress): ReactNode {
  const messages = useMessages(documentMessages);
  const { data: datasource } = useDatasource(datasourceId);
  const { data: document } = useDocument({ datasourceId, documentKey });
  const original = parseWebAddress(document?.source) ?? parseWebAddress(documentKey) ?? getOriginalFileUrl(datasource);
  const name = document?.name ?? documentKey;
  const { data: datastore } = useDatastore(datasource?.datastoreId);
  const trail: Crumb[] = [{ title: messages.datastores, target: { to: 'datastores' } }];
  if (datastore !== undefined) {
    trail.push({ title: datastore.name, target: { to: 'datastore', parameters: { datastoreId: datastore.id } } });
  }
  if (datasource !== undefined) {
    // A file and its only document have the same name. To avoid a repetition, the trail then shows the word
    // “Datasource”.
    const title = datasource.name === name ? messages.datasource : datasource.name;
    trail.push({ title, target: { to: 'datasource', parameters: { datasourceId } } });
  }
  const search = datasource === undefined ? {} : buildPlaygroundSearch(datasource.datastoreId, datasourceId);
  return (
    <PageHeader
      actions={
        <>
          {original !== undefined && (
            <a
              aria-label={messages.original}
              className="button button-secondary"
              href={original}
              rel="noreferrer"
              target="_blank"
              title={messages.originalHint}
            >
              <ExternalIcon />
              <span className="button-label-wide">{messages.original}</span>
            </a>
          )}
          <ScreenLink className="button button-secondary" search={search} to="playground">
            <PlaygroundIcon />
            {messages.search}
          </ScreenLink>
        </>
      }
      title={name}
      trail={trail}
    />
  );
}

/** Returns the query parameters with which the playground searches only this datasource. */
function buildPlaygroundSearch(datastoreId: string, datasourceId: string): { readonly a: string } {
  return {
    a: new URLSearchParams([
      ['datastore', datastoreId],
      ['datasource', datasourceId],
    ]).toString(),
  };
}

/**
 * Returns the address of the stored file or text from which a document was read. Returns undefined if the datasource
 * stores no original.
 */
function getOriginalFileUrl(datasource: Datasource | undefined): string | undefined {
  if (datasource === undefined || !['file', 'document'].includes(datasource.type)) return undefined;
  return new URL(`api/datasources/${datasource.id}/original`, globalThis.document.baseURI).href;
}
