import type { CreateDatasourceRequest } from '@quarry/client';
import { verifyDeletedDocumentsAreAbsent } from './verify-deleted-documents-are-absent.js';
import { ExpectedDocument, type Change } from './expected-document.js';
import type { ExternalService } from './external-servers.js';
import type { Random } from './random.js';
import { RunOutcome } from './run-outcome.js';
import type { ManagedContent, CampaignContext } from './managed-content.js';

/**
 * Describes the external content that a datasource reads, such as a site: its documents, and a function to change them.
 */
export interface SourceContent {
  /** The external server that provides the content. */
  readonly service: ExternalService;
  request(names: { readonly datastoreId: string; readonly name: string }): CreateDatasourceRequest;
  readonly documents: readonly string[];
  /** Publishes a version of a document; undefined removes the document. */
  publish(document: string, version: string | undefined): void;
  /** True for a listing, whose syncs are incremental: only a full sync finds which documents were removed. */
  readonly isIncremental: boolean;
}

/**
 * Represents a page, site or listing whose external content changes. The customer syncs and deletes its datasource,
 * cancels its runs, and creates it again.
 */
export class SynchronisedSource implements ManagedContent {
  readonly documents: readonly ExpectedDocument[];
  readonly #published = new Map<ExpectedDocument, string | undefined>();
  #id: string | undefined;
  readonly #outcome = new RunOutcome();
  #creation: Promise<void> | undefined;

  constructor(
    private readonly context: CampaignContext,
    readonly name: string,
    private readonly content: SourceContent,
  ) {
    this.documents = content.documents.map((document) => new ExpectedDocument(document));
  }

  get datasourceIds(): readonly string[] {
    return this.#id === undefined ? [] : [this.#id];
  }

  /**
   * Publishes new versions of some documents and of the document that was removed before. Removes at most one document,
   * because Quarry would retain many missing documents until a user confirms their removal.
   */
  prepareRound(random: Random): void {
    this.#outcome.beginRound();
    const removed = this.documents.find((document) => this.#isPublished(document) === false);
    for (const document of this.documents) {
      if (!this.#published.has(document) || document === removed || random.isChosen(0.3)) {
        this.#publishVersion(document, random.createWord());
      }
    }
    if (this.documents.length > 3 && random.isChosen(0.2))
      this.#publishVersion(random.chooseValue(this.documents), undefined);
  }

  async sendRandomRequest(random: Random): Promise<void> {
    const id = this.#id;
    if (id === undefined) await (this.#creation ??= this.#createDatasource());
    else if (random.isChosen(0.6)) await this.#syncDatasource(id, this.content.isIncremental && random.isChosen(0.5));
    else if (random.isChosen(0.5)) await this.#cancelRun(id);
    else await this.#deleteDatasource(id);
  }

  recordFailingServices(services: ReadonlySet<ExternalService>): void {
    if (services.has(this.content.service)) this.#allowFailedRuns();
  }

  acceptsOutcome(): boolean {
    return this.#outcome.canFail;
  }

  #allowFailedRuns(): void {
    this.#outcome.allowFailure();
    for (const document of this.documents) document.allowIncompleteSync();
  }

  async #createDatasource(): Promise<void> {
    this.#outcome.recordRequest();
    const changes = this.documents.map((document) => this.#beginChange(document));
    const idempotencyKey = crypto.randomUUID();
    const { datastoreId, customer } = this.context;
    const request = this.content.request({ datastoreId, name: this.name });
    const { id } = await customer.sendRequest(`create ${this.name}`, async ({ quarry, signal }) =>
      quarry.createDatasource(request, { idempotencyKey, signal }),
    );
    for (const change of changes) change.acknowledge();
    this.#id = id;
    this.#creation = undefined;
  }

  async #syncDatasource(id: string, full: boolean): Promise<void> {
    this.#outcome.recordRequest();
    const changes = this.documents.map((document) => {
      if (this.content.isIncremental && !full && this.#isPublished(document) === false) document.allowIncompleteSync();
      return this.#beginChange(document);
    });
    await this.context.customer.sendOrSkip(`sync ${this.name}`, ['not_found'], async ({ quarry, signal }) =>
      quarry.syncDatasource(id, full ? { full, signal } : { signal }),
    );
    for (const change of changes) change.acknowledge();
  }

  async #cancelRun(id: string): Promise<void> {
    this.#allowFailedRuns();
    const skipped = ['nothing_to_cancel', 'not_found'];
    await this.context.customer.sendOrSkip(`cancel ${this.name}`, skipped, async ({ quarry, signal }) =>
      quarry.cancelDatasource(id, { signal }),
    );
  }

  async #deleteDatasource(id: string): Promise<void> {
    const changes = this.documents.map((document) => document.beginDeletion());
    await this.context.customer.sendOrSkip(`delete ${this.name}`, ['not_found'], async ({ quarry, signal }) =>
      quarry.deleteDatasource(id, { signal }),
    );
    for (const change of changes) change.acknowledge();
    if (this.#id === id) this.#id = undefined;
    await verifyDeletedDocumentsAreAbsent(this.context, this.documents);
  }

  /**
   * Records the start of a request that sets a document to its published version. Prompts may contain the words of this
   * version again, because a sync also restores a deleted document.
   */
  #beginChange(document: ExpectedDocument): Change {
    const version = this.#published.get(document);
    if (version !== undefined) this.context.retired.removeWord(version);
    return document.beginChange(version);
  }

  #publishVersion(document: ExpectedDocument, version: string | undefined): void {
    this.#published.set(document, version);
    this.content.publish(document.name, version);
  }

  #isPublished(document: ExpectedDocument): boolean | undefined {
    return this.#published.has(document) ? this.#published.get(document) !== undefined : undefined;
  }
}
