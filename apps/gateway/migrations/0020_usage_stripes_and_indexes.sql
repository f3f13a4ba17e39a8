CREATE TABLE "quarry"."usage_stripes" (
	"organization_id" uuid NOT NULL,
	"month" varchar(7) NOT NULL,
	"stripe" smallint NOT NULL,
	"agent_queries" bigint DEFAULT 0 NOT NULL,
	"datastore_queries" bigint DEFAULT 0 NOT NULL,
	"allotment" bigint,
	"allotted_limit" bigint,
	CONSTRAINT "usage_stripes_organization_id_month_stripe_pk" PRIMARY KEY("organization_id","month","stripe"),
	CONSTRAINT "usage_stripes_not_negative" CHECK ("quarry"."usage_stripes"."agent_queries" >= 0 and "quarry"."usage_stripes"."datastore_queries" >= 0)
);--> statement-breakpoint
ALTER TABLE "quarry"."usage_stripes" ADD CONSTRAINT "usage_stripes_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "quarry"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
-- An operator of a big installation may have created these indexes before, without blocking writes: docs/operations.md.
CREATE INDEX IF NOT EXISTS "datasources_by_status" ON "quarry"."datasources" USING btree ("organization_id","status","id") WHERE "quarry"."datasources"."status" <> 'synched';--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "datasources_by_type" ON "quarry"."datasources" USING btree ("organization_id","type","id");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "discarded_blobs_due" ON "quarry"."discarded_blobs" USING btree ("remove_after");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "discarded_blobs_of_datasource" ON "quarry"."discarded_blobs" USING btree ("datasource_id");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "documents_by_outcome" ON "quarry"."documents" USING btree ("datasource_id","outcome","document_key") WHERE "quarry"."documents"."outcome" <> 'unchanged';--> statement-breakpoint
-- The statements from here on block reads, so that they come after the indexes.
ALTER TABLE "quarry"."datastores" ADD COLUMN "removed_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "datastores_removed" ON "quarry"."datastores" USING btree ("organization_id","id") WHERE "quarry"."datastores"."removed_at" is not null;--> statement-breakpoint
-- Each row is deleted with its parent, which has the organization, too.
ALTER TABLE "quarry"."agent_datastores" DROP CONSTRAINT "agent_datastores_organization_id_organizations_id_fk";--> statement-breakpoint
ALTER TABLE "quarry"."conversations" DROP CONSTRAINT "conversations_organization_id_organizations_id_fk";--> statement-breakpoint
ALTER TABLE "quarry"."messages" DROP CONSTRAINT "messages_organization_id_organizations_id_fk";--> statement-breakpoint
ALTER TABLE "quarry"."datasources" DROP CONSTRAINT "datasources_organization_id_organizations_id_fk";--> statement-breakpoint
ALTER TABLE "quarry"."documents" DROP CONSTRAINT "documents_organization_id_organizations_id_fk";--> statement-breakpoint
ALTER TABLE "quarry"."idempotency_keys" DROP CONSTRAINT "idempotency_keys_organization_id_organizations_id_fk";--> statement-breakpoint
ALTER TABLE "quarry"."run_documents" DROP CONSTRAINT "run_documents_organization_id_organizations_id_fk";--> statement-breakpoint
ALTER TABLE "quarry"."runs" DROP CONSTRAINT "runs_organization_id_organizations_id_fk";--> statement-breakpoint
ALTER TABLE "quarry"."source_erasures" DROP CONSTRAINT "source_erasures_organization_id_organizations_id_fk";--> statement-breakpoint
ALTER TABLE "quarry"."token_reservations" DROP CONSTRAINT "token_reservations_organization_id_organizations_id_fk";