import { verifyDeletedDocumentsAreAbsent } from './verify-deleted-documents-are-absent.js';
import { ExpectedDocument } from './expected-document.js';
import type { Random } from './random.js';
import type { ManagedContent, CampaignContext } from './managed-content.js';

/** Represents documents that the customer creates or replaces by API in batches, and deletes one by one. */
export class UpsertedDocuments implements ManagedContent {
  readonly documents: readonly ExpectedDocument[];
  readonly #ids = new Map<ExpectedDocument, string>();

  constructor(
    private readonly context: CampaignContext,
    readonly name: string,
    count: number,
  ) {
    this.documents = Array.from({ length: count }, (_, index) => new ExpectedDocument(`${name}-${index}`));
  }

  get datasourceIds(): readonly string[] {
    return [...this.#ids.values()];
  }

  prepareRound(): void {
    // The documents have no external content.
  }

  async sendRandomRequest(random: Random): Promise<void> {
    const known = [...this.#ids];
    if (known.length === 0 || random.isChosen(0.7)) await this.#upsertRandomDocuments(random);
    else await this.#deleteDocument(...random.chooseValue(known));
  }

  recordFailingServices(): void {
    // Failures of external servers do not affect upserted documents.
  }

  acceptsOutcome(): boolean {
    return false;
  }

  async #upsertRandomDocuments(random: Random): Promise<void> {
    const batch = this.documents
      .filter(() => random.isChosen(0.6))
      .map((document) => ({ document, word: random.createWord() }))
      .map(({ document, word }) => ({ document, word, change: document.beginChange(word) }));
    if (batch.length === 0) return;
    const documents = batch.map(({ document, word }) => ({
      id: document.name,
      name: document.name,
      text: `The note ${document.name} names ${word} as its version.`,
    }));
    const idempotencyKey = crypto.randomUUID();
    const { ids } = await this.context.customer.sendRequest(`upsert ${this.name}`, async ({ quarry, signal }) =>
      quarry.upsertDocuments(this.context.datastoreId, documents, { idempotencyKey, signal }),
    );
    for (const [index, { document, change }] of batch.entries()) {
      change.acknowledge();
      const id = ids[index];
      if (id !== undefined) this.#ids.set(document, id);
    }
  }

  async #deleteDocument(document: ExpectedDocument, id: string): Promise<void> {
    const change = document.beginDeletion();
    await this.context.customer.sendOrSkip(`delete ${document.name}`, ['not_found'], async ({ quarry, signal }) =>
      quarry.deleteDatasource(id, { signal }),
    );
    change.acknowledge();
    await verifyDeletedDocumentsAreAbsent(this.context, [document]);
  }
}
