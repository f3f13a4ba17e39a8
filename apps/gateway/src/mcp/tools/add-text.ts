import { IsNotEmpty, IsOptional, IsString } from '@quarry/validation';
import { withStoredTexts } from '../../documents/with-stored-texts.js';
import { parseUpsertRequest } from '../../documents/parse-upsert-request.js';
import { requireToolDatastore } from '../tool-datastores.js';
import { BudgetedInput } from '../token-budget.js';
import { defineTool, type Tool } from '../tool.js';

class AddTextInput extends BudgetedInput {
  @IsString()
  @IsNotEmpty()
  readonly text: string;

  @IsOptional()
  @IsString()
  readonly name?: string | null;

  @IsOptional()
  @IsString()
  readonly documentId?: string | null;

  @IsOptional()
  @IsString()
  readonly datastoreId?: string | null;
}

class AddTextOutput {
  @IsString()
  readonly id: string;

  @IsString()
  readonly status: string;
}

interface SavedText {
  readonly id: string;
  readonly isReplayed?: boolean;
}

/** Stores a text as a datasource, as the operation `upsertDocuments` does. */
export const ADD_TEXT_TOOL: Tool = defineTool({
  name: 'add_text',
  description:
    'Stores a text for searches. Replaces the text with the same documentId, else the same name, else the same text.',
  operations: ['upsertDocuments'],
  input: AddTextInput,
  output: AddTextOutput,
  isReadOnly: false,
  run: async (call, { text, name, documentId, datastoreId }) => {
    const { gateway } = call;
    const datastore = await requireToolDatastore(call, datastoreId ?? undefined);
    const documents = parseUpsertRequest({ documents: [{ text, name, id: documentId }] }, gateway.limits);
    const { id } = await withStoredTexts(gateway, datastore, documents, async (save): Promise<SavedText> => {
      const [saved] = await gateway.db.transaction(save);
      if (saved === undefined) throw new Error('expected the id of the stored text, found none');
      return { id: saved };
    });
    gateway.outboxWritten.wake();
    gateway.changes.publish({ kind: 'datasource', id });
    return { id, status: 'pending' };
  },
});
