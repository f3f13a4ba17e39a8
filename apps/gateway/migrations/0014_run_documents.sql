CREATE TABLE "quarry"."run_documents" (
	"organization_id" uuid NOT NULL,
	"datasource_id" uuid NOT NULL,
	"run_id" uuid NOT NULL,
	"document_key" text NOT NULL,
	"version" text,
	"job" jsonb NOT NULL,
	"repeats" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "run_documents_datasource_id_run_id_document_key_pk" PRIMARY KEY("datasource_id","run_id","document_key")
);
--> statement-breakpoint
ALTER TABLE "quarry"."datasources" ADD COLUMN "listing_state" jsonb;--> statement-breakpoint
ALTER TABLE "quarry"."documents" ADD COLUMN "version" text;--> statement-breakpoint
ALTER TABLE "quarry"."documents" ADD COLUMN "found_version" text;--> statement-breakpoint
ALTER TABLE "quarry"."runs" ADD COLUMN "documents_recorded" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "quarry"."runs" ADD COLUMN "ingestion_failures" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "quarry"."runs" ADD COLUMN "checkpoint" jsonb;--> statement-breakpoint
ALTER TABLE "quarry"."runs" ADD COLUMN "listing_state" jsonb;--> statement-breakpoint
ALTER TABLE "quarry"."runs" ADD COLUMN "repeats" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "quarry"."runs" ADD COLUMN "missing_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "quarry"."run_documents" ADD CONSTRAINT "run_documents_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "quarry"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quarry"."run_documents" ADD CONSTRAINT "run_documents_datasource_id_datasources_id_fk" FOREIGN KEY ("datasource_id") REFERENCES "quarry"."datasources"("id") ON DELETE cascade ON UPDATE no action;