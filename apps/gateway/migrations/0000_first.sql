CREATE SCHEMA "quarry";
--> statement-breakpoint
CREATE TABLE "quarry"."agent_datastores" (
	"organization_id" uuid NOT NULL,
	"agent_id" uuid NOT NULL,
	"datastore_id" uuid NOT NULL,
	"position" integer NOT NULL,
	CONSTRAINT "agent_datastores_agent_id_datastore_id_pk" PRIMARY KEY("agent_id","datastore_id")
);
--> statement-breakpoint
CREATE TABLE "quarry"."agents" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"generation" jsonb NOT NULL,
	"system_prompt" text,
	"user_prompt" text,
	"restrict_to_knowledge" boolean NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "agents_organization_id" UNIQUE("organization_id","id")
);
--> statement-breakpoint
CREATE TABLE "quarry"."api_keys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"name" text NOT NULL,
	"prefix" text NOT NULL,
	"hash" text NOT NULL,
	"scopes" text[] NOT NULL,
	"agent_ids" uuid[],
	"datastore_ids" uuid[],
	"root" boolean DEFAULT false NOT NULL,
	"expires_at" timestamp with time zone,
	"revoked_at" timestamp with time zone,
	"last_used_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "api_keys_hash_unique" UNIQUE("hash")
);
--> statement-breakpoint
CREATE TABLE "quarry"."conversations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"agent_id" uuid NOT NULL,
	"turns" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "quarry"."messages" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"conversation_id" uuid NOT NULL,
	"turn" integer NOT NULL,
	"role" text NOT NULL,
	"text" text NOT NULL,
	"visitor_id" text NOT NULL,
	"state" text NOT NULL,
	"sources" jsonb NOT NULL,
	"usage" jsonb,
	"answered_by" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "messages_turn" UNIQUE("conversation_id","turn","role")
);
--> statement-breakpoint
CREATE TABLE "quarry"."datasources" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"datastore_id" uuid NOT NULL,
	"type" text NOT NULL,
	"name" text NOT NULL,
	"document_key" text,
	"custom_id" text,
	"group_id" uuid,
	"config" jsonb NOT NULL,
	"blob_key" text,
	"mime_type" text,
	"source" text,
	"metadata" jsonb,
	"status" text NOT NULL,
	"run_id" uuid,
	"sequence" integer NOT NULL,
	"error_code" text,
	"error_message" text,
	"fragments" integer,
	"stored_tokens" bigint,
	"last_synch" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "datasources_document_key" UNIQUE("datastore_id","document_key")
);
--> statement-breakpoint
CREATE TABLE "quarry"."datastores" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"embedding" jsonb,
	"splitting" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "datastores_organization_id" UNIQUE("organization_id","id")
);
--> statement-breakpoint
CREATE TABLE "quarry"."discarded_blobs" (
	"key" text PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"datasource_id" uuid,
	"remove_after" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "quarry"."documents" (
	"organization_id" uuid NOT NULL,
	"datasource_id" uuid NOT NULL,
	"document_key" text NOT NULL,
	"run_id" uuid NOT NULL,
	"outcome" text NOT NULL,
	"code" text,
	"message" text,
	"name" text,
	"source" text,
	"fragments" integer NOT NULL,
	"stored_tokens" bigint NOT NULL,
	"settled_at" timestamp with time zone NOT NULL,
	CONSTRAINT "documents_datasource_id_document_key_pk" PRIMARY KEY("datasource_id","document_key")
);
--> statement-breakpoint
CREATE TABLE "quarry"."organizations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "quarry"."outbox" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "quarry"."outbox_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"organization_id" uuid NOT NULL,
	"queue" text NOT NULL,
	"name" text NOT NULL,
	"payload" jsonb NOT NULL,
	"refusal" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "quarry"."runs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"datasource_id" uuid NOT NULL,
	"generation" bigint GENERATED ALWAYS AS IDENTITY (sequence name "quarry"."runs_generation_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"status" text NOT NULL,
	"sequence" integer NOT NULL,
	"stage" text,
	"progress" jsonb,
	"counters" jsonb NOT NULL,
	"code" text,
	"message" text,
	"note" text,
	"documents_settled" integer DEFAULT 0 NOT NULL,
	"documents_expected" integer,
	"enumerated_all" boolean DEFAULT false NOT NULL,
	"failure_reasons" jsonb NOT NULL,
	"timeline" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"started_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"heard_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "quarry"."agent_datastores" ADD CONSTRAINT "agent_datastores_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "quarry"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quarry"."agent_datastores" ADD CONSTRAINT "agent_datastores_agent" FOREIGN KEY ("organization_id","agent_id") REFERENCES "quarry"."agents"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quarry"."agent_datastores" ADD CONSTRAINT "agent_datastores_datastore" FOREIGN KEY ("organization_id","datastore_id") REFERENCES "quarry"."datastores"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quarry"."agents" ADD CONSTRAINT "agents_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "quarry"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quarry"."api_keys" ADD CONSTRAINT "api_keys_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "quarry"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quarry"."conversations" ADD CONSTRAINT "conversations_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "quarry"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quarry"."conversations" ADD CONSTRAINT "conversations_agent" FOREIGN KEY ("organization_id","agent_id") REFERENCES "quarry"."agents"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quarry"."messages" ADD CONSTRAINT "messages_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "quarry"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quarry"."messages" ADD CONSTRAINT "messages_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "quarry"."conversations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quarry"."datasources" ADD CONSTRAINT "datasources_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "quarry"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quarry"."datasources" ADD CONSTRAINT "datasources_datastore" FOREIGN KEY ("organization_id","datastore_id") REFERENCES "quarry"."datastores"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quarry"."datastores" ADD CONSTRAINT "datastores_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "quarry"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quarry"."documents" ADD CONSTRAINT "documents_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "quarry"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quarry"."documents" ADD CONSTRAINT "documents_datasource_id_datasources_id_fk" FOREIGN KEY ("datasource_id") REFERENCES "quarry"."datasources"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quarry"."runs" ADD CONSTRAINT "runs_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "quarry"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quarry"."runs" ADD CONSTRAINT "runs_datasource_id_datasources_id_fk" FOREIGN KEY ("datasource_id") REFERENCES "quarry"."datasources"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "agent_datastores_of_datastore" ON "quarry"."agent_datastores" USING btree ("organization_id","datastore_id");--> statement-breakpoint
CREATE INDEX "conversations_newest" ON "quarry"."conversations" USING btree ("organization_id","agent_id","id");--> statement-breakpoint
CREATE INDEX "datasources_newest" ON "quarry"."datasources" USING btree ("organization_id","id");--> statement-breakpoint
CREATE INDEX "datasources_of_datastore" ON "quarry"."datasources" USING btree ("organization_id","datastore_id","id");--> statement-breakpoint
CREATE INDEX "documents_of_run" ON "quarry"."documents" USING btree ("datasource_id","run_id");--> statement-breakpoint
CREATE INDEX "runs_of_datasource" ON "quarry"."runs" USING btree ("datasource_id","generation");--> statement-breakpoint
CREATE INDEX "runs_under_way" ON "quarry"."runs" USING btree ("heard_at") WHERE "quarry"."runs"."ended_at" is null;