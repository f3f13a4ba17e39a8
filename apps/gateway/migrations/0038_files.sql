CREATE TABLE "quarry"."files" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"key_id" uuid NOT NULL,
	"name" text NOT NULL,
	"mime_type" text NOT NULL,
	"size" bigint NOT NULL,
	"purpose" text NOT NULL,
	"blob_key" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "quarry"."datasources" ADD COLUMN "file_id" uuid;--> statement-breakpoint
ALTER TABLE "quarry"."datastores" ADD COLUMN "metadata" jsonb;--> statement-breakpoint
ALTER TABLE "quarry"."files" ADD CONSTRAINT "files_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "quarry"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "files_of_organization" ON "quarry"."files" USING btree ("organization_id","id");--> statement-breakpoint
CREATE INDEX "files_expiry" ON "quarry"."files" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "datasources_of_file" ON "quarry"."datasources" USING btree ("organization_id","file_id") WHERE "quarry"."datasources"."file_id" is not null;