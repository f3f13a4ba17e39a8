import type { GenerationSettings } from '@quarry/contracts';
import { boolean, foreignKey, index, integer, jsonb, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core';
import { datastores } from './datastores.js';
import { organizationIdColumn } from './organizations.js';
import { createdAtColumn, idColumn, quarry, updatedAtColumn } from './quarry-schema.js';

/** Contains the model settings of an agent, such as `temperature`. */
export type StoredGenerationSettings = Pick<GenerationSettings, keyof GenerationSettings>;

export const agents = quarry.table(
  'agents',
  {
    id: idColumn(),
    organizationId: organizationIdColumn(),
    name: text('name').notNull(),
    description: text('description'),
    generationSettings: jsonb('generation').$type<StoredGenerationSettings>().notNull(),
    systemPrompt: text('system_prompt'),
    userPrompt: text('user_prompt'),
    restrictToKnowledge: boolean('restrict_to_knowledge').notNull(),
    citationMarks: boolean('citation_marks').notNull().default(false),
    createdAt: createdAtColumn(),
    updatedAt: updatedAtColumn(),
  },
  (table) => [unique('agents_organization_id').on(table.organizationId, table.id)],
);

/** Stores the datastores that an agent searches, in the order in which the client's request lists them. */
export const agentDatastores = quarry.table(
  'agent_datastores',
  {
    organizationId: organizationIdColumn(),
    agentId: uuid('agent_id').notNull(),
    datastoreId: uuid('datastore_id').notNull(),
    position: integer('position').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.agentId, table.datastoreId] }),
    foreignKey({
      name: 'agent_datastores_agent',
      columns: [table.organizationId, table.agentId],
      foreignColumns: [agents.organizationId, agents.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'agent_datastores_datastore',
      columns: [table.organizationId, table.datastoreId],
      foreignColumns: [datastores.organizationId, datastores.id],
    }).onDelete('cascade'),
    index('agent_datastores_of_datastore').on(table.organizationId, table.datastoreId),
  ],
);

export type AgentRow = typeof agents.$inferSelect;
