import { Describe, IsIn, IsObject, IsString, OrNull } from '@quarry/validation';

/**
 * Lists the codes of the notes that runs report to users, such as why documents were skipped. The codes are stable and
 * documented.
 */
export const RUN_NOTE_CODES = [
  // Web sites
  'sitemap_incomplete',
  'page_limit_reached',
  'crawl_out_of_time',
  'site_stopped_responding',
  'extraction_limit_reached',
  'pages_not_fetched',
  'foreign_pages_skipped',
  // Item listings
  'listing_count_differs',
  'listing_changed_while_read',
  'ids_shared',
  'items_changed_while_read',
  'dates_in_future',
  'dry_run_counts',
  'dry_run_counts_without_removals',
  'dry_run_item_invalid',
  // Missing documents
  'missing_documents_kept',
  'dry_run_missing_documents_kept',
  'dry_run_missing_documents_removed',
  // Truncated, undecoded or recognized text of documents
  'fragments_truncated',
  'pages_undecoded',
  'pages_are_images',
  'pages_recognized',
  'more_pages_undecoded',
  'more_pages_are_images',
  'more_pages_recognized',
] as const;
export type RunNoteCode = (typeof RUN_NOTE_CODES)[number];

/**
 * Holds the values that the message of a note contains. Clients can build the message in another language from them.
 */
export type RunNoteParameters = Readonly<Record<string, string | number>>;

/** Describes a note on a run, in the form in which workers report it and the gateway stores it. */
export class RunNote {
  /** Code of the note. Null if a worker of an earlier version emitted the note: such a note has only a message. */
  @OrNull()
  @IsString() // accepts codes of newer workers
  readonly code: RunNoteCode | null;

  @IsObject()
  readonly parameters: RunNoteParameters;

  /** Message for users, in English sentences. */
  @IsString()
  readonly message: string;
}

/** Describes a note as the API returns it. */
@Describe('A note on a run.')
export class RunNoteView {
  @OrNull()
  @IsIn(RUN_NOTE_CODES)
  @Describe('Stable code of the note. Null for notes that an earlier version of Quarry stored.')
  readonly code: RunNoteCode | null;

  @IsObject()
  @Describe('The values in the message, by name, such as `documents`.', {
    additionalProperties: { anyOf: [{ type: 'string' }, { type: 'number' }] },
  })
  readonly parameters: RunNoteParameters;

  @IsString()
  @Describe('The note as sentences in English.')
  readonly message: string;
}

export function createRunNote(code: RunNoteCode, parameters: RunNoteParameters, message: string): RunNote {
  return { code, parameters, message };
}

/**
 * Returns the fields of an event that contain the notes of a run; no fields if `notes` is empty. `note`, the joined
 * messages of the notes, is for gateways of the previous version.
 */
export function createNoteFields(notes: readonly RunNote[]): {
  readonly note?: string;
  readonly notes?: readonly RunNote[];
} {
  return notes.length === 0 ? {} : { note: notes.map(({ message }) => message).join(' '), notes };
}
