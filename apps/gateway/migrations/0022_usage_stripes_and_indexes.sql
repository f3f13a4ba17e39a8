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
CREATE INDEX IF NOT EXISTS "documents_of_organization" ON "quarry"."documents" USING btree ("organization_id");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "idempotency_keys_of_organization" ON "quarry"."idempotency_keys" USING btree ("organization_id");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "outbox_refused" ON "quarry"."outbox" USING btree ("created_at") WHERE "quarry"."outbox"."refusal" is not null;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "run_documents_of_organization" ON "quarry"."run_documents" USING btree ("organization_id");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "runs_of_organization" ON "quarry"."runs" USING btree ("organization_id");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "source_erasures_of_organization" ON "quarry"."source_erasures" USING btree ("organization_id");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "token_reservations_of_organization" ON "quarry"."token_reservations" USING btree ("organization_id");--> statement-breakpoint
-- The statements from here on block reads, so that they come after the indexes.
ALTER TABLE "quarry"."datastores" ADD COLUMN "removed_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "datastores_removed" ON "quarry"."datastores" USING btree ("organization_id","id") WHERE "quarry"."datastores"."removed_at" is not null;