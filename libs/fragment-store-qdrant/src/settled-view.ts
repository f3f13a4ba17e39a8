import type { FoundFragment } from './found-fragment.js';
import type { DocumentRecord } from './points.js';

export interface Comparison {
  /** The fragments of current versions, in the order they were found. */
  readonly current: readonly FoundFragment[];
  /** Whether they are all there are. If not, what the next look finds is to be compared too. */
  readonly complete: boolean;
}

/**
 * Decides which fragments of a look at the server can be returned. A look takes time, and documents change meanwhile: of a
 * document's current version it has found all that matches if one of these is known:
 *
 * - the version was current before the look began, because a record that was read before says so;
 * - the fragments themselves say so, being settled, which they become after the whole version is current;
 *
 * and if the version is current still after the look, because only then nobody began to delete it.
 */
export class SettledView {
  /** Versions that are not current, or not yet: the next look leaves them out. */
  readonly outdated = new Set<string>();
  /** The current versions, by document id, as they were before the next look. */
  #before = new Map<string, string | undefined>();

  /** Whose records are to be read after a look: of what was found, and of what was found in the looks before. */
  documentsWith(found: readonly FoundFragment[]): string[] {
    return [...new Set([...this.#before.keys(), ...found.map(({ documentId }) => documentId)])];
  }

  /**
   * @param records read after the look
   * @param limit how many fragments the look would have found at most
   */
  compare(found: readonly FoundFragment[], records: ReadonlyMap<string, DocumentRecord>, limit: number): Comparison {
    const current = found.filter(({ documentId, version }) => records.get(documentId)?.version === version);
    const outdated = found.filter(({ documentId, version }) => records.get(documentId)?.version !== version);
    const proven = new Set(current.filter(({ settled }) => settled).map(({ documentId }) => documentId));
    for (const { documentId, settled } of current) if (!settled) proven.delete(documentId);
    for (const { documentId } of outdated) proven.delete(documentId);

    const documents = this.documentsWith(found);
    const unsure = documents.some((id) => !proven.has(id) && this.#before.get(id) !== records.get(id)?.version);
    // Where outdated ones took places in a full result, others were left out for them.
    const crowded = outdated.length > 0 && found.length >= limit;

    for (const { version } of outdated) this.outdated.add(version);
    // What was not current yet when it was found may be so by now.
    for (const { version } of records.values()) this.outdated.delete(version);
    this.#before = new Map(documents.map((id) => [id, records.get(id)?.version]));
    return { current, complete: !unsure && !crowded };
  }
}
