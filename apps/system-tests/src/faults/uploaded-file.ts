import { buildSlowPdf } from '../quarry/slow-pdf.js';
import { createTextFile } from '../quarry/text-file.js';
import { verifyDeletedDocumentsAreAbsent } from './verify-deleted-documents-are-absent.js';
import { ExpectedDocument } from './expected-document.js';
import type { Random } from './random.js';
import { RunOutcome } from './run-outcome.js';
import type { ManagedContent, CampaignContext } from './managed-content.js';

const PAGES = 6;

/**
 * Represents a file of which the customer uploads versions under one name. The customer also deletes the file, and
 * cancels runs of its datasource.
 */
export class UploadedFile implements ManagedContent {
  readonly documents: readonly ExpectedDocument[];
  readonly #document: ExpectedDocument;
  #id: string | undefined;
  readonly #outcome = new RunOutcome();

  /** @param name file name, which ends in `.txt`, or in `.pdf` for a file whose pages take a long time to read */
  constructor(
    private readonly context: CampaignContext,
    readonly name: string,
  ) {
    this.#document = new ExpectedDocument(name);
    this.documents = [this.#document];
  }

  get datasourceIds(): readonly string[] {
    return this.#id === undefined ? [] : [this.#id];
  }

  prepareRound(): void {
    this.#outcome.beginRound();
  }

  async sendRandomRequest(random: Random): Promise<void> {
    const id = this.#id;
    if (id === undefined || random.isChosen(0.65)) await this.#uploadVersion(random);
    else if (random.isChosen(0.4)) await this.#cancelRun(id);
    else await this.#deleteDatasource(id);
  }

  recordFailingServices(): void {
    // Failures of external servers do not affect an uploaded file.
  }

  acceptsOutcome(code: string): boolean {
    return this.#outcome.canFail && code === 'cancelled';
  }

  async #uploadVersion(random: Random): Promise<void> {
    this.#outcome.recordRequest();
    const word = random.createWord();
    const file = this.#createFile(word);
    const change = this.#document.beginChange(word);
    const idempotencyKey = crypto.randomUUID();
    const { id } = await this.context.customer.sendRequest(`upload ${this.name}`, async ({ quarry, signal }) =>
      quarry.uploadFile(this.context.datastoreId, file, { idempotencyKey, signal }),
    );
    change.acknowledge();
    this.#id = id;
  }

  async #cancelRun(id: string): Promise<void> {
    this.#document.allowIncompleteSync();
    this.#outcome.allowFailure();
    const skipped = ['nothing_to_cancel', 'not_found'];
    await this.context.customer.sendOrSkip(`cancel ${this.name}`, skipped, async ({ quarry, signal }) =>
      quarry.cancelDatasource(id, { signal }),
    );
  }

  async #deleteDatasource(id: string): Promise<void> {
    const change = this.#document.beginDeletion();
    await this.context.customer.sendOrSkip(`delete ${this.name}`, ['not_found'], async ({ quarry, signal }) =>
      quarry.deleteDatasource(id, { signal }),
    );
    change.acknowledge();
    await verifyDeletedDocumentsAreAbsent(this.context, this.documents);
  }

  #createFile(word: string): File {
    const sentence = `The report ${this.name} names ${word} as its version.`;
    if (this.name.endsWith('.txt')) return createTextFile(this.name, sentence);
    const pages = Array.from({ length: PAGES }, (_, page) => (page === PAGES - 1 ? sentence : `Page ${page} of it.`));
    return new File([new Uint8Array(buildSlowPdf(pages))], this.name, { type: 'application/pdf' });
  }
}
