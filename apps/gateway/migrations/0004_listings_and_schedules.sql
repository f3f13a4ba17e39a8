ALTER TABLE "quarry"."datasources" ADD COLUMN "sealed_headers" text;--> statement-breakpoint
ALTER TABLE "quarry"."datasources" ADD COLUMN "next_sync_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "quarry"."datasources" ADD COLUMN "next_full_sync_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "quarry"."datasources" ADD COLUMN "failures_running" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "quarry"."runs" ADD COLUMN "mode" text;--> statement-breakpoint
ALTER TABLE "quarry"."runs" ADD COLUMN "dry_run" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "quarry"."runs" ADD COLUMN "reindex" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "datasources_due" ON "quarry"."datasources" USING btree ("next_sync_at") WHERE "quarry"."datasources"."next_sync_at" is not null;