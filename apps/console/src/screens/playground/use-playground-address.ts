import type { Datastore } from '@quarry/client';
import { useOpenScreen, useSearchParameter } from '../../routing/screen-link.js';
import { useFilledDatastore } from '../datastores/use-filled-datastore.js';
import { formatSideSettings, parseSideSettings, type SideSettings } from './side-settings.js';
import type { PastQuery } from './query-history.js';

/** A query with the settings of the two sides `a` and `b`. If `b` is undefined, the playground shows only one side. */
export interface PlaygroundQuery {
  readonly query: string;
  readonly a: SideSettings;
  readonly b: SideSettings | undefined;
}

export interface PlaygroundAddress {
  /** The query and settings in the address. The text `query` is empty until the user runs a query. */
  readonly current: PlaygroundQuery;
  /** Runs a query by writing it to the address, so that the Back button returns to the previous query. */
  readonly run: (query: PlaygroundQuery | PastQuery) => void;
  /** True while the address contains no datastore and the default datastore is being loaded. */
  readonly isPending: boolean;
}

/**
 * Reads the query and its settings from the address. If the address contains no datastore, selects the datastore with
 * the newest content, or else the first datastore.
 */
export function usePlaygroundAddress(datastores: readonly Datastore[]): PlaygroundAddress {
  const openScreen = useOpenScreen();
  const [query = ''] = useSearchParameter('q');
  const [a = ''] = useSearchParameter('a');
  const [b] = useSearchParameter('b');
  const sides = [parseSideSettings(a), ...(b === undefined ? [] : [parseSideSettings(b)])];
  const hasDefault = datastores.length > 1 && sides.some(({ datastoreIds }) => datastoreIds.length === 0);
  const filled = useFilledDatastore(hasDefault);
  const chosen = datastores.find(({ id }) => id === filled.datastoreId) ?? datastores[0];
  const parseSide = (text: string): SideSettings => addDefaultDatastore(parseSideSettings(text), chosen);
  return {
    isPending: filled.isPending,
    current: { query, a: parseSide(a), b: b === undefined ? undefined : parseSide(b) },
    run: (next) => {
      const formatSide = (side: SideSettings | string): string =>
        typeof side === 'string' ? side : formatSideSettings(side);
      const search = { q: next.query, a: formatSide(next.a), b: next.b === undefined ? undefined : formatSide(next.b) };
      openScreen({ to: 'playground', search });
    },
  };
}

function addDefaultDatastore(settings: SideSettings, chosen: Datastore | undefined): SideSettings {
  if (settings.datastoreIds.length > 0 || chosen === undefined) return settings;
  return { ...settings, datastoreIds: [chosen.id] };
}
