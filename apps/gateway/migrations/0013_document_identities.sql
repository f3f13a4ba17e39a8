ALTER TABLE "quarry"."datasources" ADD COLUMN "identity" text;--> statement-breakpoint
ALTER TABLE "quarry"."datasources" ADD CONSTRAINT "datasources_identity" UNIQUE("datastore_id","identity");