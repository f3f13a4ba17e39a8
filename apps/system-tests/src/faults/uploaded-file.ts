import { buildSlowPdf } from '../quarry/slow-pdf.js';
import { createTextFile } from '../quarry/text-file.js';
import { expectAbsence } from './expect-absence.js';
import { ExpectedDocument } from './expected-document.js';
import type { Random } from './random.js';
import { RunOutcome } from './run-outcome.js';
import type { Subject, Workplace } from './subjects.js';

const PAGES = 6;

/** Uploads a file repeatedly under one name, cancels its run, and deletes it. */
export class UploadedFile implements Subject {
  readonly documents: readonly ExpectedDocument[];
  readonly #document: ExpectedDocument;
  #id: string | undefined;
  readonly #outcome = new RunOutcome();

  /** @param name ends in `.txt`, or in `.pdf` for a file whose pages take time to read */
  constructor(
    private readonly workplace: Workplace,
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

  allowDisturbance(): void {
    // An uploaded file has no external source.
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
    const { id } = await this.workplace.customer.sendRequest(`upload ${this.name}`, async ({ quarry, signal }) =>
      quarry.uploadFile(this.workplace.datastoreId, file, { idempotencyKey, signal }),
    );
    change.acknowledge();
    this.#id = id;
  }

  async #cancelRun(id: string): Promise<void> {
    this.#document.allowIncompleteSync();
    this.#outcome.allowFailure();
    const skipped = ['nothing_to_cancel', 'not_found'];
    await this.workplace.customer.sendOrSkip(`cancel ${this.name}`, skipped, async ({ quarry, signal }) =>
      quarry.cancelDatasource(id, { signal }),
    );
  }

  async #deleteDatasource(id: string): Promise<void> {
    const change = this.#document.beginDeletion();
    await this.workplace.customer.sendOrSkip(`delete ${this.name}`, ['not_found'], async ({ quarry, signal }) =>
      quarry.deleteDatasource(id, { signal }),
    );
    change.acknowledge();
    await expectAbsence(this.workplace, this.documents);
  }

  #createFile(word: string): File {
    const sentence = `The report ${this.name} names ${word} as its version.`;
    if (this.name.endsWith('.txt')) return createTextFile(this.name, sentence);
    const pages = Array.from({ length: PAGES }, (_, page) => (page === PAGES - 1 ? sentence : `Page ${page} of it.`));
    return new File([new Uint8Array(buildSlowPdf(pages))], this.name, { type: 'application/pdf' });
  }
}
