CREATE TABLE "quarry"."removals" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"datastore_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"datasource_id" uuid,
	"document_key" text,
	"up_to" bigint,
	"payload" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"attempts" integer NOT NULL,
	"repeat_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "removals_of_datastore" ON "quarry"."removals" USING btree ("datastore_id","kind","created_at");--> statement-breakpoint
CREATE INDEX "removals_to_repeat" ON "quarry"."removals" USING btree ("repeat_at");