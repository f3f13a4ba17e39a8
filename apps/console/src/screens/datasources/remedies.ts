import type { Datasource } from '@quarry/client';
import { defineMessages } from '../../language/define-messages.js';
import { findUnknownHost } from '../../language/find-unknown-host.js';

/** Texts that advise the user what to do after a failed run. */
export const remedyMessages = defineMessages({
  en: {
    sync: 'Sync it again.',
    later: 'Sync it again later. Quarry also tries again by itself if there is a schedule.',
    upload: 'Upload the file again.',
    password: 'Remove the password and upload the file again.',
    convert: 'Save it as PDF, Word, PowerPoint, Excel, CSV, JSON, Markdown or text, and upload it again.',
    split: 'Split it into smaller files and upload those.',
    empty: 'The file is empty or has only pictures. Upload one with text.',
    emptyPage: 'If scripts build the page, configure rendering. Otherwise add another page.',
    ocr: 'If it is a scan, set QUARRY_OCR so that Quarry recognizes its text, then sync it again.',
    limit: 'Delete what is no longer needed, or ask your operator for a higher limit. It resumes by itself.',
    embedder: 'Check the settings of the embedding model (QUARRY_EMBEDDING_…), then sync it again.',
    address: 'Check the address in the settings.',
    newPage: 'Check the address. If it is wrong, delete this datasource and add the right page.',
    site: 'The owner of the page decides this. Add another page, or ask the owner for access.',
    rendering: 'The page is built by scripts. Configure rendering, or add the text itself.',
    headers: 'Correct the request headers in the settings, then sync it again.',
    listing: 'Correct the response of the listing, then try a dry run.',
    documents: 'The documents below have a reason each.',
  },
  de: {
    sync: 'Synchronisieren Sie erneut.',
    later: 'Synchronisieren Sie später erneut. Mit Zeitplan versucht Quarry es auch selbst.',
    upload: 'Laden Sie die Datei erneut hoch.',
    password: 'Entfernen Sie das Kennwort und laden Sie die Datei erneut hoch.',
    convert:
      'Speichern Sie es als PDF, Word, PowerPoint, Excel, CSV, JSON, Markdown oder Text und laden Sie es erneut hoch.',
    split: 'Teilen Sie es in kleinere Dateien und laden Sie diese hoch.',
    empty: 'Die Datei ist leer oder enthält nur Bilder. Laden Sie eine mit Text hoch.',
    emptyPage: 'Bauen Skripte die Seite auf, richten Sie Rendering ein. Nehmen Sie sonst eine andere Seite.',
    ocr: 'Ist es ein Scan, setzen Sie QUARRY_OCR, damit Quarry seinen Text erkennt, und synchronisieren Sie erneut.',
    limit:
      'Löschen Sie, was nicht mehr nötig ist, oder bitten Sie Ihren Betreiber um eine höhere Grenze. Es läuft dann selbst weiter.',
    embedder: 'Prüfen Sie die Einstellungen des Embedding-Modells (QUARRY_EMBEDDING_…) und synchronisieren Sie erneut.',
    address: 'Prüfen Sie die Adresse in den Einstellungen.',
    newPage:
      'Prüfen Sie die Adresse. Ist sie falsch, löschen Sie diese Datenquelle und fügen Sie die richtige Seite hinzu.',
    site: 'Das entscheidet der Inhaber der Seite. Nehmen Sie eine andere Seite, oder bitten Sie ihn um Zugang.',
    rendering:
      'Die Seite wird durch Skripte aufgebaut. Richten Sie Rendering ein, oder fügen Sie den Text selbst hinzu.',
    headers: 'Korrigieren Sie die Header der Anfragen in den Einstellungen und synchronisieren Sie erneut.',
    listing: 'Korrigieren Sie die Antwort der Liste und machen Sie dann einen Probelauf.',
    documents: 'Die Dokumente unten haben je einen Grund.',
  },
});

export type Remedy = keyof typeof remedyMessages.en;

const REMEDIES: Readonly<Record<string, Remedy>> = {
  all_documents_failed: 'documents',
  usage_limit_reached: 'limit',
  content_missing: 'upload',
  file_empty: 'upload',
  file_unreadable: 'upload',
  file_encrypted: 'password',
  file_type_mismatch: 'convert',
  file_type_unsupported: 'convert',
  unsupported_type: 'convert',
  file_too_large: 'split',
  text_too_large: 'split',
  reading_out_of_memory: 'split',
  reading_timed_out: 'split',
  ocr_unavailable: 'later',
  ocr_language_missing: 'sync',
  embedder_not_configured: 'embedder',
  embedder_refused: 'embedder',
  embedding_dimensions_mismatch: 'embedder',
  embedder_unavailable: 'later',
  attempts_exhausted: 'later',
  fetch_failed: 'later',
  rate_limited: 'later',
  robots_unreachable: 'later',
  not_found: 'address',
  gone: 'address',
  soft_404: 'address',
  invalid_url: 'address',
  invalid_config: 'address',
  scheme_not_allowed: 'address',
  credentials_in_url: 'address',
  port_not_allowed: 'address',
  address_not_public: 'address',
  sitemap_unreadable: 'address',
  sitemap_empty: 'address',
  redirect_loop: 'address',
  too_many_redirects: 'address',
  redirected_out_of_scope: 'address',
  robots_disallowed: 'site',
  noindex: 'site',
  login_page: 'site',
  access_denied: 'site',
  needs_rendering: 'rendering',
  listing_unauthorized: 'headers',
  listing_forbidden: 'headers',
  listing_headers_refused: 'headers',
  listing_headers_unreadable: 'headers',
  listing_not_found: 'address',
  listing_address_refused: 'address',
  listing_unreachable: 'later',
  listing_timeout: 'later',
  listing_unavailable: 'later',
  listing_rate_limited: 'later',
};

/** The reason of the failure of a datasource, as the API returns it. */
type Failure = NonNullable<Datasource['error']>;

/** Returns the key in `remedyMessages` of the advice for a failure of a datasource of this type. */
export function findRemedy(failure: Failure, type: Datasource['type']): Remedy {
  const remedy = findGeneralRemedy(failure, type);
  // The settings of a web page do not contain its address.
  return remedy === 'address' && type === 'web_page' ? 'newPage' : remedy;
}

function findGeneralRemedy({ code, message }: Failure, type: Datasource['type']): Remedy {
  if (findUnknownHost(message) !== undefined) return 'address';
  if (code === 'no_text_found') return findMissingTextRemedy(message, type);
  const remedy = REMEDIES[code];
  if (remedy !== undefined) return remedy;
  return code.startsWith('listing_') || code === 'item_invalid' ? 'listing' : 'sync';
}

/** Advice of the ingestion worker. The worker appends it for PDF files if text recognition is not configured. */
const SCAN_ADVICE = / If it is a scan, .*QUARRY_OCR.*$/;

function findMissingTextRemedy(message: string, type: Datasource['type']): Remedy {
  if (SCAN_ADVICE.test(message)) return 'ocr';
  return type === 'file' || type === 'document' ? 'empty' : 'emptyPage';
}

/** Removes from the reason of a failure the advice that its remedy repeats. */
export function removeAdvice({ code, message }: Failure): Failure {
  return { code, message: message.replace(SCAN_ADVICE, '') };
}

/**
 * Returns the key in `remedyMessages` of the advice that a list shows below the name of a datasource. Returns undefined
 * for advice that only the screen of the datasource shows.
 */
export function findRowRemedy(failure: Failure, type: Datasource['type']): Remedy | undefined {
  const remedy = findRemedy(failure, type);
  return remedy === 'sync' || remedy === 'documents' ? undefined : remedy;
}
