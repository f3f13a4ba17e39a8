import type { Run } from '@quarry/client';
import { translateItemProblem } from './item-problem-texts.js';

type Note = Run['notes'][number];
type NoteCode = NonNullable<Note['code']>;

/** Functions that format in German the parameters of a note on a run. `name` is the name of a parameter. */
export interface NoteValues {
  /** Returns a parameter as text; an empty text if it is absent. */
  readonly text: (name: string) => string;
  /** Returns a parameter as a formatted number. */
  readonly number: (name: string) => string;
  /** Returns true if a parameter is a number other than 0, or a text that is not empty. */
  readonly has: (name: string) => boolean;
  /** Returns a parameter as a number with its noun, such as `1 Seite` or `2 Seiten`. */
  readonly count: (name: string, one: string, other: string) => string;
  /**
   * Returns the German text for the reason code in the parameter `code`. If there is none, returns the parameter
   * `reason`.
   */
  readonly reason: () => string;
}

/**
 * Formats how many pages of a document a note affects, such as `a.pdf: 3 von 5 Seiten`. Omits the name of the document
 * if the parameter `document` is absent.
 */
function formatAffectedPages({ text, number, has, count }: NoteValues): string {
  return `${has('document') ? `${text('document')}: ` : ''}${number('count')} von ${count('pages', 'Seite', 'Seiten')}`;
}

function formatDryRunCounts({ number }: NoteValues): string {
  return `Ein Probelauf, der nichts geändert hat. Zu indexieren: ${number('changed')} Artikel, unverändert: ${number('unchanged')}, ungültig: ${number('invalid')}.`;
}

/**
 * Functions that build the German text of a note on a run, keyed by the code of the note. A code without an entry is a
 * compile error. A function returns undefined if it cannot translate a parameter.
 */
export const GERMAN_NOTES: Readonly<Record<NoteCode, (values: NoteValues) => string | undefined>> = {
  dry_run_item_invalid: ({ text }) => {
    const problem = translateItemProblem(text('problem'));
    return problem === undefined ? undefined : `${problem}.`;
  },
  sitemap_incomplete: ({ text, number, has, reason }) =>
    `Die Sitemap ${text('url')}${has('others') ? ` und ${number('others')} weitere konnten` : ' konnte'} nicht vollständig gelesen werden: ${reason()}`,
  page_limit_reached: ({ number }) => `Die Website hat mehr Seiten als die Grenze von ${number('limit')}.`,
  crawl_out_of_time: () => 'Der Crawl hat seine Zeitgrenze überschritten.',
  site_stopped_responding: () => 'Die Website hat nicht mehr geantwortet.',
  extraction_limit_reached: () =>
    'Zu viele Seiten haben beim Auslesen ihres Textes die Grenze der Zeit oder des Speichers überschritten.',
  pages_not_fetched: ({ text, count }) =>
    `Nicht abrufbar: ${count('pages', 'Seite', 'Seiten')}, zum Beispiel ${text('example')}. Ihre Links sind unbekannt.`,
  foreign_pages_skipped: ({ text, count }) =>
    `Übersprungen: ${count('pages', 'Seite', 'Seiten')} anderer Websites in der Sitemap, zum Beispiel ${text('example')}.`,
  listing_count_differs: ({ number }) =>
    `Nichts wurde entfernt, weil total_count ${number('total')} nennt, die Zahl der gelesenen Artikel aber ${number('read')} ist.`,
  listing_changed_while_read: () =>
    'Nichts wurde entfernt, weil sich Artikel schneller änderten, als sie gelesen werden konnten.',
  ids_shared: ({ text, has }) =>
    `Für jede id wird ein Artikel indexiert, aber mehrere Artikel haben dieselbe id: ${text('ids')}${has('more') ? ' und möglicherweise weitere' : ''}.`,
  items_changed_while_read: ({ number }) =>
    `Während des Lesens geändert: ${number('items')} Artikel. Die nächste Synchronisierung holt das nach.`,
  dates_in_future: ({ text, number, has }) =>
    `Mit einem date_modified in der Zukunft: ${number('items')}${has('more') ? ' oder mehr' : ''} Artikel, zum Beispiel ${text('id')} (${text('date')}). Jede Synchronisierung liest solche Artikel erneut.`,
  dry_run_counts: formatDryRunCounts,
  dry_run_counts_without_removals: (values) =>
    `${formatDryRunCounts(values)} Zu entfernende Artikel wurden nicht ermittelt.`,
  missing_documents_kept: ({ text, number, count }) =>
    `Nicht wiedergefunden oder jetzt ausgeschlossen: ${number('missing')} von ${count('known', 'Dokument', 'Dokumenten')}. Nichts davon wird entfernt, bis Sie es bestätigen. Die ersten: ${text('examples')}.`,
  dry_run_missing_documents_kept: ({ number, count }) =>
    `Nicht wiedergefunden: ${number('missing')} von ${count('known', 'Dokument', 'Dokumenten')}. Ein so großer Teil auf einmal deutet auf einen Fehler der Quelle hin. Eine Synchronisierung entfernt nichts davon, bis Sie es bestätigen.`,
  dry_run_missing_documents_removed: ({ number, count }) =>
    `Zu entfernen: ${number('missing')} von ${count('known', 'Dokument', 'Dokumenten')}.`,
  fragments_truncated: ({ count }) =>
    `Länger, als das Embedding-Modell annimmt: ${count('fragments', 'Fragment', 'Fragmente')} aus ${count('documents', 'Dokument', 'Dokumenten')}. Die Vektorsuche vergleicht nur den Anfang. Ein Datastore mit einem kleineren splitting.maxTokens vermeidet das.`,
  pages_undecoded: (values) => `${formatAffectedPages(values)} mit Text, der nicht entziffert werden konnte.`,
  pages_are_images: (values) => `${formatAffectedPages(values)} mit einem Bild, dessen Text nicht erkannt wurde.`,
  pages_recognized: (values) =>
    `${formatAffectedPages(values)} mit Text, der in Bildern erkannt wurde${values.has('confidence') ? `, mit einer Konfidenz von ${values.number('confidence')}\u00a0%` : ''}.`,
  more_pages_undecoded: () => 'Auch andere Dokumente haben Text, der nicht entziffert werden konnte.',
  more_pages_are_images: () => 'Auch andere Dokumente haben ein Bild, dessen Text nicht erkannt wurde.',
  more_pages_recognized: () => 'Auch andere Dokumente haben Text, der in Bildern erkannt wurde.',
};
