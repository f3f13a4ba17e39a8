import {
  formatCount,
  createRunNote,
  RUN_NOTE_CODES,
  type AttemptError,
  type LastError,
  type RunEnumerated,
  type RunNote,
  type RunNoteCode,
} from '@quarry/contracts';
import type { RunRow } from '../database/tables/runs.js';
import type { PageCounts } from './document-rows.js';

/**
 * Adds a document with truncated fragments to the counts of its run.
 *
 * @param fragments number of fragments of the document that were truncated for embedding
 */
export function addTruncatedFragments(run: RunRow, fragments = 0): RunRow {
  if (fragments === 0) return run;
  const { truncatedFragments, truncatedDocuments } = run;
  return { ...run, truncatedFragments: truncatedFragments + fragments, truncatedDocuments: truncatedDocuments + 1 };
}

/** Adds a note to a run that ends, if any of its fragments were truncated for embedding. */
export function addTruncationNote(run: RunRow): RunRow {
  const { truncatedFragments: fragments, truncatedDocuments: documents } = run;
  if (fragments === 0) return run;
  const which = `${formatCount(fragments, 'fragment')} of ${formatCount(documents, 'document')}`;
  const verbs = fragments === 1 ? ['is', 'its beginning'] : ['are', 'their beginnings'];
  const note = `${which} ${verbs[0]} longer than the embedding model accepts, and ${verbs[0]} embedded by ${verbs[1]}: dense search does not compare the rest. Use a datastore with a smaller splitting.maxTokens.`;
  return addRunNote(run, createRunNote('fragments_truncated', { fragments, documents }, note));
}

/** Describes a kind of incomplete or recognized text on pages, which the note of a run mentions. */
interface PageText {
  readonly text: string;
  readonly code: RunNoteCode;
  /** The code of the note that further documents, which no note names, also have such text. */
  readonly codeOfMore: RunNoteCode;
}

const UNDECODED_TEXT: PageText = {
  text: 'text that could not be decoded',
  code: 'pages_undecoded',
  codeOfMore: 'more_pages_undecoded',
};
const IMAGE_TEXT: PageText = {
  text: 'an image whose text was not recognized',
  code: 'pages_are_images',
  codeOfMore: 'more_pages_are_images',
};
const RECOGNIZED_TEXT: PageText = {
  text: 'text that was recognized in images',
  code: 'pages_recognized',
  codeOfMore: 'more_pages_recognized',
};
/** Maximum number of document names in the note of a run, per kind of text. */
const MAX_NAMED_DOCUMENTS = 5;

/**
 * Adds notes on those pages of a document that have incomplete or recognized text.
 *
 * @param name the name of the document, if the run has several documents
 */
export function addPageNotes(run: RunRow, counts: PageCounts, name?: string): RunRow {
  const { undecodedPages, imagePages, recognizedPages, recognitionConfidence: confidence, pages } = counts;
  const notes: readonly PageNote[] = [
    { kind: UNDECODED_TEXT, count: undecodedPages, pages },
    { kind: IMAGE_TEXT, count: imagePages, pages },
    { kind: RECOGNIZED_TEXT, count: recognizedPages, pages, confidence },
  ];
  return notes.reduce((noted, note) => addPageNote(noted, note, name), run);
}

interface PageNote {
  readonly kind: PageText;
  readonly count: number | undefined;
  readonly pages: number | undefined;
  readonly confidence?: number | undefined;
}

function addPageNote(run: RunRow, { kind, count, pages, confidence }: PageNote, document?: string): RunRow {
  if (count === undefined || pages === undefined) return run;
  const { text, code, codeOfMore } = kind;
  const noted = (run.note ?? '').split(text).length - 1;
  if (noted > MAX_NAMED_DOCUMENTS) return run;
  if (noted === MAX_NAMED_DOCUMENTS)
    return addRunNote(run, createRunNote(codeOfMore, {}, `Other documents also have ${text}.`));
  const which = `${count} of ${formatCount(pages, 'page')}`;
  const verb = count === 1 ? 'has' : 'have';
  const details = confidence === undefined ? '' : `, with a confidence of ${confidence} %`;
  const message = `${document === undefined ? '' : `${document}: `}${which} ${verb} ${text}${details}.`;
  const parameters = {
    ...{ count, pages },
    ...(confidence === undefined ? {} : { confidence }),
    ...(document === undefined ? {} : { document }),
  };
  return addRunNote(run, createRunNote(code, parameters, message));
}

/*
 * Different jobs retry a run and its documents. The progress of a job clears only its own error: while a site returns
 * 429, its error stays visible although pages that were found earlier are indexed.
 */

/** Builds the last error of a run. @param documentKey the key of the retried document; null for the run's own job */
export function buildLastError(
  { code, message, attempt, nextAttemptAt }: AttemptError,
  documentKey: string | null,
): LastError {
  return { code, message, attempt, nextAttemptAt, documentKey };
}

/**
 * Returns the last error of a run after the run's own job, such as its crawl, has made progress: null if the error came
 * from that job. An error of a document stays unchanged.
 */
export function clearRunError(lastError: LastError | null): LastError | null {
  return lastError?.documentKey === null ? null : lastError;
}

/**
 * Returns the last error of a run after a document has settled. An error of the run's own job stays unchanged. An error
 * of a document becomes null, unless another document has settled with the outcome `failed`.
 */
export function clearDocumentError(
  lastError: LastError | null,
  settled: { readonly documentKey: string; readonly outcome: string },
): LastError | null {
  const retried = lastError?.documentKey ?? null;
  if (retried === null) return lastError;
  return settled.outcome !== 'failed' || retried === settled.documentKey ? null : lastError;
}

/** Adds a note to a run. */
export function addRunNote(run: RunRow, note: RunNote): RunRow {
  const { message } = note;
  return {
    ...run,
    note: run.note === null ? message : `${run.note} ${message}`,
    notes: [...(run.notes ?? []), note],
  };
}

const KNOWN_CODES: ReadonlySet<string | null> = new Set(RUN_NOTE_CODES);

/**
 * Reads the notes that a worker reports. A worker of another version can send notes without a code or with an unknown
 * code.
 */
export function parseReportedNotes({ note, notes }: Pick<RunEnumerated, 'note' | 'notes'>): readonly RunNote[] {
  if (notes === undefined) return note === undefined ? [] : [{ code: null, parameters: {}, message: note }];
  return notes.map(({ code, parameters, message }) => ({
    code: KNOWN_CODES.has(code) ? code : null,
    parameters: selectNoteParameters(parameters),
    message,
  }));
}

/** Returns those parameters of a note that are texts or numbers. */
function selectNoteParameters(parameters: Readonly<Record<string, unknown>>): RunNote['parameters'] {
  const isValue = (entry: [string, unknown]): entry is [string, string | number] =>
    ['string', 'number'].includes(typeof entry[1]);
  return Object.fromEntries(Object.entries(parameters).filter(isValue));
}
