CREATE TABLE "quarry"."file_batches" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"datastore_id" uuid NOT NULL,
	"datasource_ids" uuid[] NOT NULL
);
--> statement-breakpoint
ALTER TABLE "quarry"."file_batches" ADD CONSTRAINT "file_batches_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "quarry"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quarry"."file_batches" ADD CONSTRAINT "file_batches_datastore" FOREIGN KEY ("organization_id","datastore_id") REFERENCES "quarry"."datastores"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "file_batches_of_datastore" ON "quarry"."file_batches" USING btree ("organization_id","datastore_id","id");