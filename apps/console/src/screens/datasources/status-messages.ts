import type { Datasource } from '@quarry/client';
import type { StatusTone } from '../../components/status-badge.js';
import { defineMessages } from '../../language/define-messages.js';

/** The color of each status of a datasource or run. */
export const STATUS_TONES: Readonly<Record<Datasource['status'] | 'superseded', StatusTone>> = {
  unsynched: 'neutral',
  pending: 'neutral',
  running: 'info',
  synched: 'success',
  error: 'danger',
  usage_limit_reached: 'warning',
  superseded: 'neutral',
};

export const STATUSES = [
  'unsynched',
  'pending',
  'running',
  'synched',
  'error',
  'usage_limit_reached',
] as const satisfies readonly Datasource['status'][];

export const TYPES = [
  'file',
  'document',
  'web_page',
  'web_site',
  'item_listing',
] as const satisfies readonly Datasource['type'][];

/** The display names of statuses, stages, counters and types. */
export const statusMessages = defineMessages({
  en: {
    unsynched: 'Not synced',
    pending: 'Waiting',
    running: 'Running',
    synched: 'Ready',
    error: 'Failed',
    usage_limit_reached: 'Limit reached',
    superseded: 'Replaced',
    fetching: 'Fetching',
    reading: 'Reading',
    splitting: 'Splitting',
    embedding: 'Embedding',
    indexing: 'Indexing',
    file: 'File',
    document: 'Text',
    web_page: 'Web page',
    web_site: 'Web site',
    item_listing: 'Item listing',
    indexed: 'Indexed',
    unchanged: 'Unchanged',
    failed: 'Failed',
    skipped: 'Skipped',
    removed: 'Removed',
    discovered: 'Found',
    fetched: 'Requested',
    next: 'Starts next',
    place: (before: string) => `${before} before it`,
    startsIn: (duration: string) => `starts in about ${duration}`,
  },
  de: {
    unsynched: 'Nicht synchronisiert',
    pending: 'Wartet',
    running: 'Läuft',
    synched: 'Bereit',
    error: 'Fehlgeschlagen',
    usage_limit_reached: 'Grenze erreicht',
    superseded: 'Abgelöst',
    fetching: 'Abrufen',
    reading: 'Lesen',
    splitting: 'Teilen',
    embedding: 'Einbetten',
    indexing: 'Indexieren',
    file: 'Datei',
    document: 'Text',
    web_page: 'Webseite',
    web_site: 'Website',
    item_listing: 'Artikelliste',
    indexed: 'Indexiert',
    unchanged: 'Unverändert',
    failed: 'Fehlgeschlagen',
    skipped: 'Übersprungen',
    removed: 'Entfernt',
    discovered: 'Gefunden',
    fetched: 'Angefragt',
    next: 'Beginnt als Nächstes',
    place: (before: string) => `${before} davor`,
    startsIn: (duration: string) => `beginnt in etwa ${duration}`,
  },
});
